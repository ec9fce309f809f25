// What the database answers is what the pure rules answer; nothing that was written down changes; and nobody pays a price that was
// not shown, whatever changes meanwhile.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import fc from 'fast-check'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, makeMerchants } from '#test/make.ts'
import { makeOrder } from '#test/make-orders.ts'
import { tokensOf, writePrice } from '#test/make-purchases.ts'
import { discountFor, inForce } from './rules.ts'

let office: Office
let agent: MadeAgent
let me: Client

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 2_000_000, levelId: 3 })
  me = office.as(await office.login(agent.loginName))
})
after(() => office.stop())

const sql = (text: string, values: unknown[]) => office.owner.query(text, values)
const moment = fc.integer({ min: 0, max: 12 }).map(n => new Date(Date.UTC(2026, n, 1)).toISOString())
let items = 1_000_000

test('the price in force is what the pure rule says, at any moment', async () => {
  const written = fc.record({
    startsAt: moment,
    cents: fc.option(fc.integer({ min: 0, max: 99_999 })),
    withdrawnAt: fc.constantFrom(null, '2026-01-01T00:00:00.000Z'),
  })
  const history = fc.uniqueArray(written, { selector: row => row.startsAt, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(history, moment, async (rows, at) => {
      const item = ++items
      for (const { startsAt, cents, withdrawnAt } of rows)
        await sql(
          `insert into prices (book, item, part, kind, cents, starts_at, withdrawn_at, created_by, created_by_name, created_at)
           values ('service', $1, 'unit', 'list', $2, $3, $4, 0, '', now())`,
          [item, cents, startsAt, withdrawnAt],
        )
      const { rows: found } = await sql(`select price_at('service', $1, 'unit', $2)::int as cents`, [
        item,
        at,
      ])
      assert.equal(found[0].cents, inForce(rows, at)?.cents ?? null)
    }),
    { numRuns: 40 },
  )
})

test('so is the discount of an agent', async () => {
  const written = fc.record({
    startsAt: moment,
    ofAgent: fc.boolean(),
    book: fc.constantFrom(null, 'version' as const, 'hardware' as const),
    basisPoints: fc.integer({ min: 0, max: 10_000 }),
    ends: fc.boolean(),
    withdrawnAt: fc.constantFrom(null, '2026-01-01T00:00:00.000Z'),
  })
  const distinct = (row: { startsAt: string; ofAgent: boolean; book: string | null }) =>
    `${row.startsAt} ${row.ofAgent} ${row.book}`
  const histories = fc.uniqueArray(written, { selector: distinct, maxLength: 8 })
  const book = fc.constantFrom('version' as const, 'sms' as const, 'hardware' as const)
  const client = await office.owner.connect()
  try {
    await fc.assert(
      fc.asyncProperty(histories, book, moment, async (rows, of, at) => {
        const discounts = rows.map(({ startsAt, ofAgent, book, basisPoints, ends, withdrawnAt }) => ({
          ...{ startsAt, book, withdrawnAt },
          levelId: ofAgent ? null : 2,
          agentId: ofAgent ? agent.id : null,
          basisPoints: ofAgent && ends ? null : basisPoints,
        }))
        await client.query('begin')
        // Beside those that a fresh database has.
        const fresh = { levelId: 2, agentId: null, book: null, basisPoints: 7_000, withdrawnAt: null }
        for (const row of discounts)
          await client.query(
            `insert into discounts (level_id, agent_id, book, basis_points, starts_at, withdrawn_at, created_by,
               created_by_name, created_at) values ($1, $2, $3, $4, $5, $6, 0, '', now())`,
            [row.levelId, row.agentId, row.book, row.basisPoints, row.startsAt, row.withdrawnAt],
          )
        const { rows: found } = await client.query('select discount_at($1, 2, $2, $3) as share', [
          agent.id,
          of,
          at,
        ])
        await client.query('rollback')
        const all = [{ ...fresh, startsAt: '2020-01-01T00:00:00.000Z' }, ...discounts]
        assert.equal(found[0].share, discountFor(all, of, { agentId: agent.id, levelId: 2 }, at).basisPoints)
      }),
      { numRuns: 60 },
    )
  } finally {
    client.release()
  }
})

const CHANGES: [what: string, text: string][] = [
  ['a price is changed', `update prices set cents = 1 where book = 'version'`],
  ['a price is moved', `update prices set starts_at = now() where book = 'version'`],
  ['a price is deleted', `delete from prices where book = 'version'`],
  [
    'one that something was sold at is withdrawn',
    `update prices set withdrawn_at = now() where book = 'version' and item = 12 and part = 'year'`,
  ],
  ['a discount is changed', 'update discounts set basis_points = 1'],
  ['a discount is deleted', 'delete from discounts'],
]
for (const [what, text] of CHANGES)
  test(`the database refuses it where ${what}, also to its owner`, async () => {
    await makeOrder(office, {
      agentId: agent.id,
      createdBy: agent.accountId,
      merchantId: null,
      paidAt: new Date().toISOString(),
    })
    await assert.rejects(office.owner.query(text), /never|not withdrawn/)
  })

const BUYERS = 64
const PRICE = { book: 'version', item: 12, part: 'year' } as const

test('64 buyers while a price changes: every order at the price that was shown, or refused', async () => {
  const shops = await makeMerchants(office, agent.id, BUYERS, () => ({}))
  const had = await tokensOf(office, agent.id)
  const change = (async () => {
    for (const cents of [30_800, 28_800, 31_800, 29_800]) await writePrice(sql, { ...PRICE, cents })
  })()
  const bought = await Promise.all(
    shops.map(async merchantId => {
      const quote = await me.purchases.quote({
        ...{ merchantId, versionId: 12, scope: 'head', branchIds: [], term: 'year' },
        ...{ periods: 1, shops: 1, remark: '' },
      })
      const done = await me.purchases.confirm({ orderNo: quote.orderNo })
      assert.equal(done.totalCents, quote.totalCents)
      return quote
    }),
  )
  await change
  const { rows } = await sql(
    `select order_no, total_cents::int as total, unit_cents::int as unit from version_orders
     where order_no = any($1) and status = 'paid'`,
    [bought.map(({ orderNo }) => orderNo)],
  )
  assert.equal(rows.length, BUYERS)
  for (const { order_no, total, unit } of rows) {
    const quote = bought.find(({ orderNo }) => orderNo === order_no)
    assert.deepEqual([total, unit], [quote?.totalCents, quote?.unitCents])
    assert.equal(total, Math.round(unit * 0.6))
  }
  const paid = rows.reduce((sum, { total }) => sum + total, 0)
  assert.equal(had - (await tokensOf(office, agent.id)), paid)
  await office.verifyLedger()
})

test('64 buyers without a quote: every order at the price that the page showed, or refused', async () => {
  const shops = await makeMerchants(office, agent.id, BUYERS, () => ({}))
  const showing = async (merchantId: number) => {
    const { rows } = await me.sms.packages({ merchantId })
    return rows.find(({ id }) => id === 1)?.totalCents ?? 0
  }
  const prices = [2_100, 1_900, 2_200, 2_000]
  const change = (async () => {
    for (const cents of prices) await writePrice(sql, { book: 'sms', item: 1, part: 'pack', cents })
  })()
  const outcomes = await Promise.all(
    shops.map(async merchantId => {
      const totalCents = await showing(merchantId)
      const refused = await refusalOf(me.sms.buy({ merchantId, packageId: 1, totalCents }))
      return { totalCents, refused }
    }),
  )
  await change
  for (const { refused } of outcomes)
    assert.ok(['accepted', 'PRICE_CHANGED', 'BUSY'].includes(refused), refused)
  const { rows } = await sql(
    `select total_cents::int as total, original_cents::int as original from sms_orders where merchant_id = any($1)`,
    [shops],
  )
  const shown = outcomes.filter(({ refused }) => refused === 'accepted').map(({ totalCents }) => totalCents)
  assert.deepEqual(rows.map(({ total }) => total).sort(), shown.sort())
  for (const { total, original } of rows) assert.equal(total, Math.round(original * 0.6))
  await office.verifyLedger()
})

test('whatever is written down, no order has a price that was not shown', async () => {
  const shop = await makeMerchant(office, agent.id)
  const campaign = fc.record({
    share: fc.integer({ min: 1, max: 10_000 }),
    first: fc.constantFrom(null, 'shop', 'agent'),
  })
  const step = fc.oneof(
    fc.record({ price: fc.integer({ min: 1, max: 5_000 }) }),
    fc.record({ minimum: fc.integer({ min: 0, max: 3_000 }) }),
    fc.record({ campaign }),
    fc.constant({ buy: true as const }),
    fc.constant({ buyOld: true as const }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async steps => {
      const look = async () => (await me.sms.packages({ merchantId: shop })).rows.find(({ id }) => id === 2)
      let shown = await look()
      for (const one of steps) {
        if ('price' in one) await writePrice(sql, { book: 'sms', item: 2, part: 'pack', cents: one.price })
        else if ('minimum' in one)
          await writePrice(sql, { book: 'sms', item: 2, part: 'pack', kind: 'minimum', cents: one.minimum })
        else if ('campaign' in one)
          await sql(
            `insert into price_campaigns (name, book, items, basis_points, first_of, starts_at, ends_at, created_by,
               created_by_name, created_at)
             values ('活动' || $1::int, 'sms', '{2}', $1::int, $2, date_trunc('milliseconds', clock_timestamp()), now() + interval '1 hour', 0, '', now())`,
            [one.campaign.share, one.campaign.first],
          )
        else {
          if ('buy' in one) shown = await look()
          const now = await look()
          const totalCents = shown?.totalCents ?? 0
          const asked = { merchantId: shop, packageId: 2, totalCents }
          if (now?.totalCents !== totalCents)
            assert.equal(await refusalOf(me.sms.buy(asked)), 'PRICE_CHANGED')
          else {
            const { orderNo } = await me.sms.buy(asked)
            const { rows } = await sql(
              'select total_cents::int as total, offer from sms_orders where order_no = $1',
              [orderNo],
            )
            assert.deepEqual(rows[0], { total: totalCents, offer: shown?.offer ?? '' })
          }
        }
      }
    }),
    { numRuns: 15 },
  )
  await office.verifyLedger()
})

test('a first purchase is one: two quotes of it are not both paid', async () => {
  const buyer = await makeAgent(office, { tokens: 10_000, levelId: 3 })
  const them = office.as(await office.login(buyer.loginName))
  await sql(
    `insert into price_campaigns (name, book, items, cents, part, first_of, starts_at, created_by, created_by_name, created_at)
     values ('代理商首购价', 'version', '{78}', 100, 'year', 'agent', date_trunc('milliseconds', clock_timestamp()), 0, '', now())`,
    [],
  )
  const shops = await makeMerchants(office, buyer.id, 3, () => ({}))
  const quoteOf = (merchantId: number) =>
    them.purchases.quote({
      ...{ merchantId, versionId: 78, scope: 'head', branchIds: [], term: 'year' },
      ...{ periods: 1, shops: 1, remark: '' },
    })
  const quotes = [await quoteOf(shops[0] as number), await quoteOf(shops[1] as number)]
  assert.deepEqual(
    quotes.map(({ totalCents, offer }) => [totalCents, offer]),
    [
      [100, '代理商首购价'],
      [100, '代理商首购价'],
    ],
  )
  const codes = await Promise.all(quotes.map(({ orderNo }) => refusalOf(them.purchases.confirm({ orderNo }))))
  assert.deepEqual(codes.sort(), ['QUOTE_STALE', 'accepted'])
  const second = await quoteOf(shops[2] as number)
  assert.deepEqual([second.totalCents, second.offer], [29_880, undefined])
  await office.verifyLedger()
})
