// An agent's own prices and what is left of its orders: the price of their time, nobody else's business.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import readXlsx from 'read-excel-file/node'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { renewShop } from '#test/make-settlement.ts'
import { call } from '#test/walk.ts'

let office: Office
let agent: MadeAgent
let cookie: string
let me: Client
let shop: number
before(async () => {
  office = await openOffice()
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office, { tokens: 10_000 })
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
  shop = await makeMerchant(office, agent.id)
})

const NONE = { yearFen: null, monthFen: null, lifetimeFen: null }
const set = (yearFen: number | null, merchantId: number | null = null, who = me) =>
  who.margins.setPrice({ versionId: 12, merchantId, ...NONE, yearFen })
const margins = async () =>
  (await me.margins.orders({})).rows.map(({ sellingFen, profitFen }) => [sellingFen, profitFen])

test('each order keeps the price of its time; what was sold before one was set has none', async () => {
  const { totalCents } = await renewShop(me, shop)
  assert.deepEqual(await margins(), [[null, null]])
  assert.equal((await me.dashboard.month()).profitFen, null)
  await set(40_000)
  await renewShop(me, shop)
  await set(50_000)
  await renewShop(me, shop)
  assert.deepEqual(await margins(), [
    [50_000, 50_000 - totalCents],
    [40_000, 40_000 - totalCents],
    [null, null],
  ])
  const profit = 90_000 - 2 * totalCents
  const { sellingFen, totalCents: charged, profitFen, unpriced } = await me.margins.orders({})
  assert.deepEqual([sellingFen, charged, profitFen, unpriced], [90_000, 2 * totalCents, profit, 1])
  assert.equal((await me.dashboard.month()).profitFen?.now.at(-1), profit)
  assert.equal((await me.margins.orders({ priced: true })).total, 2)
  assert.equal((await me.margins.orders({ priced: false })).total, 1)
})

test('years and shops are multiplied as the charge is, and months have a price of their own', async () => {
  await me.margins.setPrice({ versionId: 12, merchantId: null, ...NONE, yearFen: 40_000, monthFen: 6_000 })
  const sell = async (more: object) => {
    const { orderNo, totalCents } = await me.selling.quote(newMerchantForm(more))
    await me.selling.add({ orderNo })
    return totalCents
  }
  const years = await sell({ versionId: 12, term: 'year', periods: 3, shops: 2 })
  const months = await sell({ versionId: 12, term: 'month', periods: 5, shops: 1 })
  assert.deepEqual(await margins(), [
    [30_000, 30_000 - months],
    [240_000, 240_000 - years],
  ])
})

test('a shop’s own price goes before that of all, until it ends; an undone order counts no more', async () => {
  await set(40_000)
  await set(35_000, shop)
  const first = await renewShop(me, shop)
  const other = await makeMerchant(office, agent.id)
  await renewShop(me, other)
  await set(null, shop)
  await renewShop(me, shop)
  assert.deepEqual(
    (await margins()).map(([selling]) => selling),
    [40_000, 40_000, 35_000],
  )
  const { rows } = await me.margins.prices({})
  assert.deepEqual(
    rows.map(({ merchantId, yearFen, versionName }) => [merchantId, yearFen, versionName]),
    [[null, 40_000, '高级版']],
  )
  const last = (await me.margins.orders({})).rows[0]
  assert.ok(last)
  await me.settlement.undo({ kind: 'version', orderNo: last.orderNo, reason: '试' })
  assert.equal((await me.margins.orders({})).total, 2)
  assert.ok((await me.margins.orders({})).rows.some(({ orderNo }) => orderNo === first.orderNo))
})

test('an order keeps its price with it, also where the price came in between, or its end', async () => {
  await renewShop(me, shop)
  const price = (fen: number, from: string, until = 'null') =>
    office.owner.query(
      `insert into selling_prices (agent_id, version_id, year_fen, created_by, created_by_name, created_at, ended_at)
        select agent_id, version_id, $2, created_by, '', ${from}, ${until} from version_orders where agent_id = $1`,
      [agent.id, fen],
    )
  await price(20_000, `paid_at - interval '2 days'`, `paid_at - interval '1 day'`)
  assert.deepEqual((await margins())[0]?.[0], null)
  await price(30_000, 'paid_at')
  assert.deepEqual((await margins())[0]?.[0], 30_000)
  const kept = 'select selling_fen::int from version_orders where agent_id = $1'
  assert.deepEqual((await office.owner.query(kept, [agent.id])).rows, [{ selling_fen: 30_000 }])
  await office.owner.query(
    `update selling_prices set ended_at = created_at where agent_id = $1 and ended_at is null`,
    [agent.id],
  )
  assert.deepEqual((await margins())[0]?.[0], null)
})

test('nobody else sees prices or margins, neither another agent nor the vendor’s staff', async () => {
  await set(40_000)
  await renewShop(me, shop)
  for (const made of [await makeAgent(office), await makeAgent(office, { operator: true })]) {
    const who = office.as(await office.login(made.loginName))
    assert.equal((await who.margins.prices({})).total, 0)
    assert.equal((await who.margins.orders({})).total, 0)
    assert.equal((await who.dashboard.month()).profitFen, null)
    assert.equal(await refusalOf(set(40_000, shop, who)), 'PRICE_SHOP')
  }
  const { rows } = await office.owner.query<{ changes: unknown }>(
    `select changes from operation_logs where agent_id = $1 and title = '设置售价'`,
    [agent.id],
  )
  assert.ok(!JSON.stringify(rows).includes('400'), 'the log, which staff read, holds no amount')
})

test('a role without it sees no margin on the start page, and wrong prices are refused', async () => {
  await set(40_000)
  const { loginName } = await makeAccount(office, agent.id, { nodeIds: [27, 272] })
  const sub = office.as(await office.login(loginName))
  assert.equal((await sub.dashboard.month()).profitFen, null)
  assert.equal(await refusalOf(sub.margins.prices({})), 'FORBIDDEN')
  assert.equal(await refusalOf(set(0)), 'PRICE_WRONG')
  assert.equal(await refusalOf(set(null, shop)), 'PRICE_REQUIRED')
  assert.equal(await refusalOf(set(1, 99_999_999)), 'PRICE_SHOP')
  const unknown = me.margins.setPrice({ versionId: 9_999, merchantId: null, ...NONE, yearFen: 1 })
  assert.equal(await refusalOf(unknown), 'PRICE_VERSION')
})

test('the file holds the rows of the list', async () => {
  await set(40_000)
  const { totalCents } = await renewShop(me, shop)
  const answer = await call(office.app, cookie, { method: 'GET', path: '/margins/orders.xlsx' }, {})
  assert.equal(answer.status, 200)
  const sheets = (await readXlsx(answer.bytes)) as unknown as { data: unknown[][] }[]
  const [head = [], row = []] = sheets[0]?.data ?? []
  const of = (name: string) => row[head.indexOf(name)]
  assert.deepEqual([of('售价（元）'), of('毛利（元）')], [400, (40_000 - totalCents) / 100])
})
