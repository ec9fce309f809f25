// Terms keep the day of the month on which they began, by whichever way a shop comes to its months, and what else is done to it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test, { after, before, describe } from 'node:test'
import { formatDay } from '#kit/time.ts'
import { type Client, type Office, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { makeOrder } from '#test/make-orders.ts'
import { makeChain } from '#test/make-purchases.ts'

let office: Office
let agent: MadeAgent
let next: MadeAgent
let me: Client
let them: Client
let operator: Client

before(async () => {
  // A leap year.
  office = await openOffice({ on: '2028-01-31 20:30' })
  agent = await makeAgent(office, { tokens: 100_000 })
  next = await makeAgent(office, { tokens: 100_000 })
  me = office.as(await office.login(agent.loginName))
  them = office.as(await office.login(next.loginName))
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
})
after(async () => {
  await office.verifyLedger()
  await office.stop()
})

const termOf = async (id: number) => {
  const { rows } = await office.owner.query<{ ends: Date; day: number | null }>(
    'select expires_at as ends, term_day as day from merchants where id = $1',
    [id],
  )
  const [row] = rows
  assert.ok(row)
  return [formatDay(row.ends), row.day]
}

async function sell(periods: number): Promise<number> {
  const { orderNo } = await me.selling.quote(newMerchantForm({ versionId: 12, term: 'month', periods }))
  return (await me.selling.add({ orderNo })).id
}

type Form = Parameters<Client['purchases']['quote']>[0]
async function buy(id: number, periods: number, changes: Partial<Form> = {}, by = me): Promise<string> {
  const asked: Form = {
    ...{ merchantId: id, versionId: 12, scope: 'head', branchIds: [], shops: 1, remark: '' },
    ...{ term: 'month', periods, ...changes },
  }
  const { orderNo, effects } = await by.purchases.quote(asked)
  const done = await by.purchases.confirm({ orderNo })
  const days = (of: typeof effects) => of.map(({ expiresAfter }) => expiresAfter && formatDay(expiresAfter))
  assert.deepEqual(days(done.effects), days(effects), 'what was shown is what was done')
  return orderNo
}

async function buyTogether(id: number, periods: number): Promise<void> {
  const { batchNo } = await me.purchases.bulkQuote({ merchantIds: [id], term: 'month', periods, remark: '' })
  await me.purchases.bulkConfirm({ batchNo })
}

const revisionOf = async (id: number) => {
  const { shop } = await operator.aftersales.extendFind({ search: String(id) })
  return { id, revision: shop?.revision ?? 0 }
}
const reason = '补偿停机'

describe('a shop that begins on 31 January', () => {
  test('ends where three months at once end after three times one month, renewed singly, together and by the year', async () => {
    assert.deepEqual(await termOf(await sell(3)), ['2028-04-30', 31])
    const id = await sell(1)
    assert.deepEqual(await termOf(id), ['2028-02-29', 31])
    await buy(id, 1)
    assert.deepEqual(await termOf(id), ['2028-03-31', 31])
    await buyTogether(id, 1)
    assert.deepEqual(await termOf(id), ['2028-04-30', 31])
    await buy(id, 1, { term: 'year' })
    assert.deepEqual(await termOf(id), ['2029-04-30', 31])
    await buyTogether(id, 1)
    assert.deepEqual(await termOf(id), ['2029-05-31', 31])
  })

  test('is shown its end before it buys, on the day that it keeps', async () => {
    const id = await sell(1)
    const shop = await me.purchases.offers({ merchantId: id })
    assert.deepEqual([formatDay(shop.expiresAt ?? ''), shop.termDay], ['2028-02-29', 31])
    const { lines } = await me.purchases.bulkQuote({
      merchantIds: [id],
      term: 'month',
      periods: 1,
      remark: '',
    })
    assert.equal(formatDay(lines[0]?.expiresAfter ?? ''), '2028-03-31')
  })

  test('has its day again after an undo', async () => {
    const id = await sell(1)
    for (const _ of [1, 2]) {
      const orderNo = await buy(id, 1)
      assert.deepEqual(await termOf(id), ['2028-03-31', 31])
      await me.settlement.undo({ kind: 'version', orderNo, reason })
      assert.deepEqual(await termOf(id), ['2028-02-29', 31])
    }
    const orderNo = await buy(id, 1, { versionId: 1, term: 'lifetime' })
    await me.settlement.undo({ kind: 'version', orderNo, reason })
    await buy(id, 2)
    assert.deepEqual(await termOf(id), ['2028-04-30', 31])
  })

  test('has its day through days that lead back to it, and another where they do not', async () => {
    const [back, away] = [await sell(1), await sell(1)]
    await operator.aftersales.extend({ ...(await revisionOf(back)), days: 31, reason })
    assert.deepEqual(await termOf(back), ['2028-03-31', 31])
    await buy(back, 1)
    assert.deepEqual(await termOf(back), ['2028-04-30', 31])
    await operator.aftersales.extend({ ...(await revisionOf(away)), days: 3, reason })
    assert.deepEqual(await termOf(away), ['2028-03-03', 31])
    const orderNo = await buy(away, 2)
    assert.deepEqual(await termOf(away), ['2028-05-03', 3])
    await me.settlement.undo({ kind: 'version', orderNo, reason })
    assert.deepEqual(await termOf(away), ['2028-03-03', 31])
  })

  test('an ended one begins anew on the day of its extension', async () => {
    const id = await makeMerchant(office, agent.id, { expires_at: '2027-11-30T04:00:00Z', term_day: 31 })
    await operator.aftersales.extend({ ...(await revisionOf(id)), days: 29, reason })
    assert.deepEqual(await termOf(id), ['2028-02-29', null])
    await buy(id, 1)
    assert.deepEqual(await termOf(id), ['2028-03-29', 29])
  })

  test('has its day with another agent, and with a version that was adjusted', async () => {
    const id = await sell(1)
    await operator.aftersales.move({ ...(await revisionOf(id)), agentId: next.id, reason })
    await office.owner.query('insert into version_adjustments values (12, 3)')
    await operator.aftersales.adjustVersion({ ...(await revisionOf(id)), versionId: 3, reason })
    assert.deepEqual(await termOf(id), ['2028-02-29', 31])
    await buy(id, 1, { versionId: 3, term: 'year' }, them)
    assert.deepEqual(await termOf(id), ['2029-02-28', 31])
  })

  test('and its branches: each has the day of its own', async () => {
    const { head, branches } = await makeChain(office, agent.id, 2, {
      expires_at: '2028-02-29T04:00:00Z',
      term_day: 31,
    })
    const [leap, plain] = branches as [number, number]
    await office.owner.query(
      `update merchants set expires_at = '2029-02-28T04:00:00Z', term_day = case id when $2 then 29 end where id = any($1)`,
      [branches, leap],
    )
    assert.deepEqual(await termOf(plain), ['2029-02-28', null])
    await buy(head, 3, { versionId: 3, scope: 'all', term: 'year' })
    assert.deepEqual(await Promise.all([head, leap, plain].map(termOf)), [
      ['2031-02-28', 31],
      ['2032-02-29', 29],
      ['2032-02-28', 28],
    ])
  })

  test('another version: converted days come first, so that its months one by one end where they end together', async () => {
    const ends = '2028-02-20T04:00:00Z'
    const [single, together] = await Promise.all(
      [1, 2].map(() => makeMerchant(office, agent.id, { version_id: 78, expires_at: ends })),
    )
    for (let month = 0; month < 3; month++) await buy(single as number, 1)
    await buy(together as number, 3)
    assert.deepEqual(await termOf(single as number), await termOf(together as number))
    assert.deepEqual(await termOf(together as number), ['2028-05-19', 19])
  })
})

test('a value-added service has the day of its first year', async () => {
  const id = await makeMerchant(office, agent.id)
  const shop = await me.services.ofMerchant({ merchantId: id })
  const service = shop.groups.flatMap(group => group.services).find(({ unit }) => unit === 'year')
  assert.ok(service)
  const held = async () => {
    const { rows } = await office.owner.query<{ ends: Date; day: number | null }>(
      'select expires_at as ends, term_day as day from merchant_services where merchant_id = $1',
      [id],
    )
    return rows.map(({ ends, day }) => [formatDay(ends), day])
  }
  await office.owner.query(
    `insert into merchant_services (agent_id, merchant_id, service_id, quantity, expires_at)
     values ($1, $2, $3, 1, '2028-02-29T04:00:00Z')`,
    [agent.id, id, service.id],
  )
  const renew = async (years: number) => {
    const items = [{ serviceId: service.id, quantity: 1, years }]
    const totalCents = service.unitCents * years
    return (await me.services.buy({ merchantId: id, items, totalCents, remark: '' })).orders[0]?.orderNo ?? ''
  }
  const orderNo = await renew(1)
  assert.deepEqual(await held(), [['2029-02-28', 29]])
  await me.settlement.undo({ kind: 'service', orderNo, reason })
  assert.deepEqual((await held())[0]?.[0], '2028-02-29')
  await office.owner.query(
    `update merchant_services set expires_at = '2028-02-28T04:00:00Z', term_day = 29 where merchant_id = $1`,
    [id],
  )
  await renew(4)
  assert.deepEqual(await held(), [['2032-02-28', 28]], 'which it never was')
})

test('shops of before remember the day on which they began, where their end has lost it', async () => {
  const [file] = globSync('migrations/*_terms-keep-their-day.sql')
  const filled = readFileSync(file as string, 'utf8')
    .split('--> statement-breakpoint')
    .filter(statement => !/^\s*ALTER TABLE/.test(statement))
  assert.equal(filled.length, 2)
  type Past = {
    begun: string
    ends: string | null
    orders?: [paid: string, before: string | null, changed?: true][]
  }
  const at = (day: string | null) => day && `${day}T12:00:00+08:00`
  const cases: [what: string, past: Past, day: number | null][] = [
    ['registered on the 31st', { begun: '2027-12-31', ends: '2028-02-29' }, 31],
    ['a leap day', { begun: '2024-02-29', ends: '2027-02-28' }, 29],
    ['the day of its end', { begun: '2027-01-31', ends: '2028-03-28' }, null],
    ['the day of a long month', { begun: '2027-01-15', ends: '2028-03-31' }, null],
    ['an earlier day', { begun: '2027-01-15', ends: '2028-02-29' }, null],
    ['for ever', { begun: '2027-01-31', ends: null }, null],
    [
      'the end before it',
      { begun: '2027-01-15', ends: '2028-02-29', orders: [['2028-01-20', '2028-01-31']] },
      31,
    ],
    [
      'renewed after its end on the 30th',
      { begun: '2025-01-31', ends: '2028-02-29', orders: [['2028-01-30', '2027-01-31']] },
      30,
    ],
    [
      'another version',
      { begun: '2025-01-31', ends: '2028-02-29', orders: [['2028-01-31', '2028-02-10', true]] },
      null,
    ],
    [
      'years from a leap day',
      {
        begun: '2024-02-29',
        ends: '2027-02-28',
        orders: [
          ['2025-02-01', '2025-02-28'],
          ['2026-02-01', '2026-02-28'],
        ],
      },
      29,
    ],
  ]
  const ids: number[] = []
  for (const [, { begun, ends, orders = [] }] of cases) {
    const id = await makeMerchant(office, agent.id, { registered_at: at(begun), expires_at: at(ends) })
    ids.push(id)
    for (const [n, [paid, before, changed]] of orders.entries()) {
      const orderNo = await makeOrder(office, {
        agentId: agent.id,
        createdBy: 1,
        merchantId: id,
        paidAt: at(paid),
        salesType: 'renew',
        status: 'paid',
        totalCents: 0,
        originalCents: 0,
      })
      const after = orders[n + 1]?.[1] ?? ends
      await office.owner.query(
        `insert into version_order_effects (order_id, agent_id, merchant_id, version_before, version_after, expires_before,
           expires_after, shops_before, shops_after)
         select o.id, $2, $3, $4, 12, $5, $6, 1, 1 from version_orders o where order_no = $1`,
        [orderNo, agent.id, id, changed ? 3 : 12, at(before), at(after)],
      )
    }
  }
  for (const statement of filled) await office.owner.query(statement)
  const { rows } = await office.owner.query<{ id: string; day: number | null }>(
    'select id, term_day as day from merchants where id = any($1) order by id',
    [ids],
  )
  assert.deepEqual(
    rows.map(({ day }, n) => [cases[n]?.[0], day]),
    cases.map(([what, , day]) => [what, day]),
  )
})
