import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before } from 'node:test'
import { addMonths } from '#kit/time.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, makeMerchants } from '#test/make.ts'
import { makeChain, shopState, tokensOf } from '#test/make-purchases.ts'
import { rowsOfAllTables } from '#test/rows.ts'
import { LIMITS } from './rules.ts'

let office: Office
let agent: MadeAgent
let cookie: string
let me: Client
let other: MadeAgent

before(async () => {
  office = await openOffice()
  // Level 3 pays 60 %.
  agent = await makeAgent(office, { tokens: 200_000, levelId: 3 })
  other = await makeAgent(office, { tokens: 1_000 })
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
})
after(() => office.stop())

type Form = Parameters<Client['purchases']['bulkQuote']>[0]
const form = (merchantIds: number[], changes: Partial<Form> = {}): Form => ({
  merchantIds,
  term: 'year',
  periods: 1,
  remark: '',
  ...changes,
})
/** What instances of the program tell each other every five seconds, whatever else they do. */
const HEARTBEAT = 'SELECT pg_notify($1, $2)'
const EXPIRES = `${new Date().getUTCFullYear() + 1}-03-10T02:30:00.000Z`
const plus = (months: number) => addMonths(EXPIRES, months).toISOString()
const shopOf = (columns: Record<string, unknown> = {}) =>
  makeMerchant(office, agent.id, { expires_at: EXPIRES, ...columns })

test('every shop is renewed with its own version, and each that cannot be tells why', async () => {
  const { head, branches } = await makeChain(office, agent.id, 2, { expires_at: EXPIRES })
  const shops = {
    advanced: await shopOf({ shops_bought: 2 }),
    pack: await shopOf({ version_id: 78 }),
    old: await shopOf({ version_id: 4 }),
    closed: await shopOf({ status: 'disabled' }),
    forever: await shopOf({ version_id: 1, expires_at: null }),
    lifetime: await shopOf({ version_id: 1 }),
    theirs: await makeMerchant(office, other.id),
  }
  const branch = branches[0] as number
  const ids = [shops.advanced, head, branch, ...Object.values(shops)]
  const quote = await me.purchases.bulkQuote(form(ids, { periods: 2, remark: '年底' }))
  const shown = quote.lines.map(line => [line.merchantId, line.refusal?.code ?? line.originalCents])
  assert.deepEqual(shown, [
    [shops.advanced, 119_200],
    [head, 79_600],
    [branch, 79_600],
    [shops.pack, 99_600],
    [shops.old, 59_600],
    [shops.closed, 'MERCHANT_DISABLED'],
    [shops.forever, 'ALREADY_PERMANENT'],
    [shops.lifetime, 'TERM_NOT_SOLD'],
    [shops.theirs, 'SHOP_UNKNOWN'],
  ])
  assert.deepEqual([quote.payable, quote.refused, quote.originalCents], [5, 4, 437_600])
  assert.equal(quote.totalCents, 437_600 * 0.6)
  assert.equal(quote.balanceAfterCents, quote.balanceBeforeCents - quote.totalCents)
  assert.equal(quote.lines[5]?.refusal?.message, '请启用后再进行操作')
  assert.equal(quote.lines[8]?.shopName, '')

  const tokens = await tokensOf(office, agent.id)
  const key = randomUUID()
  const done = await me.purchases.bulkConfirm({ batchNo: quote.batchNo }, { context: { key } })
  assert.deepEqual([done.paid, done.refused, done.totalCents], [5, 0, quote.totalCents])
  assert.equal(await tokensOf(office, agent.id), tokens - quote.totalCents)
  for (const id of [shops.advanced, head, shops.pack, shops.old])
    assert.equal((await shopState(office, id)).expires, plus(24))
  assert.equal((await shopState(office, head)).shops, 3)
  assert.equal((await shopState(office, shops.closed)).expires, EXPIRES)
  const { rows } = await office.owner.query(
    `select o.purchase_code, o.remark, o.status, t.kind, t.description from version_orders o
       join ledger_transfers t on t.document = o.order_no where o.batch_no = $1 order by o.id`,
    [quote.batchNo],
  )
  assert.deepEqual(
    rows.map(row => [row.purchase_code, row.remark, row.status, row.kind]),
    [1, 1, 0, 1, 6].map(code => [code, '年底', 'paid', 'version-renew']),
  )
  assert.equal(rows[2].description, '续费 分店1 连锁版')

  assert.deepEqual(await me.purchases.bulkConfirm({ batchNo: quote.batchNo }, { context: { key } }), done)
  assert.equal(await refusalOf(me.purchases.bulkConfirm({ batchNo: quote.batchNo })), 'QUOTE_USED')
  assert.equal(await tokensOf(office, agent.id), tokens - quote.totalCents)
  await office.verifyLedger()
})

test('a head pays for its places that no branch has taken; a branch that takes one makes its line stale', async () => {
  const taken = await makeChain(office, agent.id, 2, { expires_at: EXPIRES, shops_bought: 3 })
  const open = await makeChain(office, agent.id, 1, { expires_at: EXPIRES, shops_bought: 4 })
  const quote = await me.purchases.bulkQuote(form([taken.head, open.head]))
  assert.deepEqual(
    quote.lines.map(line => line.originalCents),
    [39_800, 3 * 39_800],
  )
  await makeMerchant(office, agent.id, { version_id: 3, store_kind: 'branch', head_id: open.head })
  const done = await me.purchases.bulkConfirm({ batchNo: quote.batchNo })
  assert.deepEqual(
    done.receipts.map(receipt => receipt.refusal?.code ?? receipt.totalCents),
    [23_880, 'QUOTE_STALE'],
  )
})

test('a new batch stands beside those that were not paid, and takes the place of that of its own page alone', async () => {
  const [one, two] = [await shopOf(), await shopOf()] as [number, number]
  const paid = await me.purchases.bulkQuote(form([one]))
  await me.purchases.bulkConfirm({ batchNo: paid.batchNo })
  const single = await me.purchases.quote({
    ...{ merchantId: one, versionId: 12, scope: 'head', branchIds: [], term: 'year' },
    ...{ periods: 1, shops: 1, remark: '' },
  })
  const staff = office.as(await office.login(other.loginName))
  const theirs = await staff.purchases.bulkQuote(form([await makeMerchant(office, other.id)]))
  const first = await me.purchases.bulkQuote(form([one, two]))
  const beside = await me.purchases.bulkQuote(form([two]))
  // Another's, and one that is paid, are nobody's to replace.
  for (const { batchNo } of [theirs, paid]) await me.purchases.bulkQuote(form([two], { replaces: batchNo }))
  const second = await me.purchases.bulkQuote(form([two], { replaces: first.batchNo }))
  const { rows } = await office.owner.query(
    `select batch_no, status, count(*)::int as orders from version_orders
     where batch_no = any($1) or order_no = $2 group by 1, 2`,
    [[paid, theirs, first, beside, second].map(({ batchNo }) => batchNo), single.orderNo],
  )
  const found = new Map(rows.map(row => [row.batch_no, `${row.status} ${row.orders}`]))
  assert.equal(found.get(paid.batchNo), 'paid 1')
  assert.equal(found.get(null), 'quoted 1')
  assert.equal(found.get(theirs.batchNo), 'quoted 1')
  assert.equal(found.get(second.batchNo), 'quoted 1')
  assert.equal(found.get(beside.batchNo), 'quoted 1')
  assert.equal(found.get(first.batchNo), undefined)
  assert.equal(await refusalOf(me.purchases.bulkConfirm({ batchNo: first.batchNo })), 'QUOTE_UNKNOWN')
  assert.equal((await me.purchases.bulkConfirm({ batchNo: beside.batchNo })).paid, 1)
})

test('so many batches may wait to be confirmed, and what is too many is told with the way out', async () => {
  const agency = await makeAgent(office, { tokens: 10_000 })
  const client = office.as(await office.login(agency.loginName))
  const id = await makeMerchant(office, agency.id, { expires_at: EXPIRES })
  const { batchNo } = await client.purchases.bulkQuote(form([id]))
  for (let open = 1; open < LIMITS.openBatches; open++) await client.purchases.bulkQuote(form([id]))
  await assert.rejects(client.purchases.bulkQuote(form([id])), {
    code: 'BATCHES_OPEN',
    message: /已有50份.*作废/,
  })
  await client.purchases.bulkQuote(form([id], { replaces: batchNo }))
})

test('a month is no term of chains and packs', async () => {
  const ids = [await shopOf(), await shopOf({ version_id: 3 }), await shopOf({ version_id: 78 })]
  const quote = await me.purchases.bulkQuote(form(ids, { term: 'month', periods: 3 }))
  assert.deepEqual(
    quote.lines.map(line => line.refusal?.code ?? line.totalCents),
    [9_000, 'TERM_NOT_SOLD', 'TERM_NOT_SOLD'],
  )
})

test('a form that is wrong as a whole is refused as a whole and writes nothing', async () => {
  const id = await shopOf()
  const many = Array.from({ length: 501 }, (_, i) => 10_000_000 + i)
  const cases: [Form, string][] = [
    [form([]), 'SHOPS_REQUIRED'],
    [form(many), 'SHOPS_TOO_MANY_AT_ONCE'],
    [form([id], { periods: 6 }), 'YEARS_OUT_OF_RANGE'],
    [form([id], { term: 'month', periods: 13 }), 'MONTHS_OUT_OF_RANGE'],
    [form([id], { remark: '长'.repeat(51) }), 'REMARK_TOO_LONG'],
    [form([await makeMerchant(office, other.id), 99_999_999]), 'SHOP_UNKNOWN'],
  ]
  const before = await rowsOfAllTables(office)
  for (const [asked, code] of cases)
    assert.equal(await refusalOf(me.purchases.bulkQuote(asked)), code, JSON.stringify(asked).slice(0, 80))
  assert.deepEqual(await rowsOfAllTables(office), before)
})

test('shops that changed since are refused in their receipt, and the others are paid', async () => {
  const [kept, closed, moved, gone] = [await shopOf(), await shopOf(), await shopOf(), await shopOf()]
  const ids = [kept, closed, moved, gone] as number[]
  const quote = await me.purchases.bulkQuote(form(ids))
  await me.merchants.disable({ id: closed as number })
  await office.owner.query(`update merchants set expires_at = expires_at + interval '1 day' where id = $1`, [
    moved,
  ])
  await office.owner.query('update merchants set agent_id = $2 where id = $1', [gone, other.id])
  const done = await me.purchases.bulkConfirm({ batchNo: quote.batchNo })
  assert.deepEqual(
    done.receipts.map(receipt => [
      receipt.merchantId,
      receipt.refusal?.code ?? null,
      receipt.orderNo !== null,
      receipt.totalCents,
    ]),
    [
      [kept, null, true, 17_880],
      [closed, 'MERCHANT_DISABLED', false, 0],
      [moved, 'QUOTE_STALE', false, 0],
      [gone, 'SHOP_UNKNOWN', false, 0],
    ],
  )
  assert.deepEqual([done.paid, done.refused, done.totalCents], [1, 3, 17_880])
  assert.equal((await shopState(office, kept as number)).expires, plus(12))
  assert.equal((await shopState(office, closed as number)).expires, EXPIRES)
  await office.verifyLedger()
})

test('a batch keeps the prices that it showed; one of which nothing is left is refused', async () => {
  const ids = [await shopOf(), await shopOf()]
  const quote = await me.purchases.bulkQuote(form(ids))
  await office.owner.query('update agents set level_id = 1 where id = $1', [agent.id])
  for (const id of ids) await me.merchants.disable({ id })
  assert.equal(await refusalOf(me.purchases.bulkConfirm({ batchNo: quote.batchNo })), 'NOTHING_PAYABLE')
  await me.merchants.enable({ id: ids[0] as number })
  const done = await me.purchases.bulkConfirm({ batchNo: quote.batchNo })
  assert.deepEqual([done.paid, done.totalCents], [1, quote.lines[0]?.totalCents])
  await office.owner.query('update agents set level_id = 3 where id = $1', [agent.id])
})

test('who cannot pay all of it pays none, and is told what the whole lacks', async () => {
  const poor = await makeAgent(office, { tokens: 500 })
  const client = office.as(await office.login(poor.loginName))
  const ids = [await makeMerchant(office, poor.id), await makeMerchant(office, poor.id)]
  const quote = await client.purchases.bulkQuote(form(ids))
  assert.equal(quote.balanceAfterCents, 50_000 - 59_600)
  const before = await rowsOfAllTables(office)
  await assert.rejects(client.purchases.bulkConfirm({ batchNo: quote.batchNo }), {
    code: 'INSUFFICIENT',
    data: { asset: 'token', balance: 50_000, missing: 9_600 },
  })
  assert.deepEqual(await rowsOfAllTables(office), before)
})

test('a batch belongs to the account that asked for it, and its orders are paid together only', async () => {
  const quote = await me.purchases.bulkQuote(form([await shopOf()]))
  const them = office.as(await office.login(other.loginName))
  assert.equal(await refusalOf(them.purchases.bulkConfirm({ batchNo: quote.batchNo })), 'QUOTE_UNKNOWN')
  const { rows } = await office.owner.query('select order_no from version_orders where batch_no = $1', [
    quote.batchNo,
  ])
  assert.equal(await refusalOf(me.purchases.confirm({ orderNo: rows[0].order_no })), 'QUOTE_UNKNOWN')
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => refusalOf(me.purchases.bulkConfirm({ batchNo: quote.batchNo }))),
  )
  assert.equal(answers.filter(answer => answer === 'accepted').length, 1)
})

test('five hundred shops are quoted and paid with as few statements as three', async () => {
  const make = (count: number) =>
    makeMerchants(office, agent.id, count, n => ({
      expiresAt: new Date(Date.parse(EXPIRES) + n * 86_400_000).toISOString(),
    }))
  const statements = async (work: () => Promise<unknown>) => {
    let sent = 0
    const seen = new Map<object, unknown>()
    const { pool } = office.app.services.database
    const count = (client: object) => {
      const target = client as { query: (...given: unknown[]) => unknown }
      if (seen.has(client)) return
      const query = target.query
      seen.set(client, query)
      target.query = (...given: unknown[]) => {
        if (given[0] !== HEARTBEAT) sent += 1
        return query.apply(client, given)
      }
    }
    pool.on('acquire', count)
    await work()
    pool.off('acquire', count)
    for (const client of seen.keys()) Reflect.deleteProperty(client, 'query')
    return sent
  }
  const run = async (ids: number[]) => {
    let batchNo = ''
    const quoting = await statements(async () => {
      const quote = await me.purchases.bulkQuote(form(ids))
      batchNo = quote.batchNo
      assert.equal(quote.payable, ids.length)
    })
    const paying = await statements(async () => {
      const done = await me.purchases.bulkConfirm({ batchNo })
      assert.equal(done.paid, ids.length)
      assert.equal(done.totalCents, ids.length * 17_880)
    })
    return { quoting, paying }
  }
  // What is asked once per connection, or of a session every few seconds, is asked before: a slow machine would count it.
  const { services } = office.app
  const { actorOf } = services
  const actor = await actorOf(cookie.slice(cookie.indexOf('=') + 1))
  services.actorOf = async () => actor
  after(() => Object.assign(services, { actorOf }))
  await run(await make(4))
  const few = await run(await make(3))
  const ids = await make(500)
  assert.deepEqual(await run(ids), few)
  assert.ok(few.quoting > 5 && few.paying > 5 && few.paying < 20, JSON.stringify(few))
  const { rows } = await office.owner.query(
    `select count(*)::int as right from merchants m join version_order_effects e on e.merchant_id = m.id
     where m.id = any($1) and m.expires_at = e.expires_after and e.expires_after > e.expires_before + interval '364 days'`,
    [ids],
  )
  assert.equal(rows[0].right, 500)
  await office.verifyLedger()
})
