import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import readXlsx from 'read-excel-file/node'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { makeOrder } from '#test/make-orders.ts'
import { UNDO_REFUSALS } from './rules.ts'

let office: Office
let agent: MadeAgent
let other: MadeAgent
let me: Client
let staff: Client
let cookie: string
let noodles: number
let market: number

const DAY = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString()
const dayOf = (instant: string) =>
  new Date(new Date(instant).getTime() + 8 * 3_600_000).toISOString().slice(0, 10)

const made: Record<string, string> = {}

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 10_000 })
  other = await makeAgent(office, { tokens: 10_000 })
  const vendor = await makeAgent(office, { staff: true })
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
  staff = office.as(await office.login(vendor.loginName))
  noodles = await makeMerchant(office, agent.id, {
    shop_name: '深圳老张面馆',
    account: '18800001111',
    manager_id: agent.accountId,
  })
  market = await makeMerchant(office, agent.id, { shop_name: '幸福超市', account: '18800002222' })
  const theirs = await makeMerchant(office, other.id, { shop_name: '深圳老张面馆二店' })
  const by = { agentId: agent.id, createdBy: agent.accountId }
  made.old = await makeOrder(office, { ...by, merchantId: noodles, paidAt: daysAgo(40), totalCents: 100 })
  made.renewed = await makeOrder(office, {
    ...by,
    merchantId: noodles,
    paidAt: daysAgo(3),
    salesType: 'renew',
    versionId: 3,
    totalCents: 2_000,
    originalCents: 3_000,
  })
  made.recycled = await makeOrder(office, {
    ...by,
    merchantId: market,
    paidAt: daysAgo(2),
    status: 'recycled',
    salesType: 'upgrade',
    totalCents: 50_000,
  })
  made.quoted = await makeOrder(office, {
    ...by,
    createdBy: 77,
    merchantId: null,
    status: 'quoted',
    paidAt: null,
    totalCents: 70_000,
  })
  made.gift = await makeOrder(office, {
    ...by,
    merchantId: market,
    paidAt: daysAgo(1),
    payMethod: 'gift',
    totalCents: 0,
  })
  made.theirs = await makeOrder(office, {
    agentId: other.id,
    createdBy: other.accountId,
    merchantId: theirs,
    paidAt: daysAgo(1),
    totalCents: 9_000,
  })
})
after(() => office.stop())

type Filters = Parameters<Client['orders']['list']>[0]
const names = (orderNos: string[]) =>
  orderNos.map(no => Object.entries(made).find(([, orderNo]) => orderNo === no)?.[0] ?? no)
const listed = async (filters: Filters, client = me) =>
  names((await client.orders.list({ size: 100, ...filters })).rows.map(row => row.orderNo))

test('an agent sees its own orders, newest first; vendor staff see everyone’s', async () => {
  assert.deepEqual(await listed({}), ['gift', 'recycled', 'renewed', 'old'])
  assert.equal((await listed({}, staff)).length, 5)
  assert.deepEqual(await listed({ agentId: other.id }, staff), ['theirs'])
  assert.deepEqual(await listed({ agentId: other.id }), [])
})

test('a row tells the order, its shop, who looks after it and who made it', async () => {
  const { rows } = await me.orders.list({ search: made.renewed as string })
  const { id, createdAt, paidAt, registeredAt, ...row } = rows[0] as (typeof rows)[number]
  assert.ok(id > 0 && createdAt && paidAt && registeredAt)
  assert.deepEqual(row, {
    orderNo: made.renewed,
    agentId: agent.id,
    agentName: `代理商${agent.id}`,
    merchantId: noodles,
    shopName: '深圳老张面馆',
    account: '18800001111',
    managerName: '姓名',
    content: '续费 连锁版',
    versionName: '连锁版',
    duration: '1 年',
    salesType: 'renew',
    status: 'paid',
    payMethod: 'balance',
    originalCents: 3_000,
    totalCents: 2_000,
    actorName: '姓名',
    remark: '',
    undo: { refusal: null },
  })
})

test('a row tells whether it can be undone, and why not; of a quote there is nothing to undo', async () => {
  const { rows } = await me.orders.list({ size: 100 })
  const offerOf = (name: string) => rows.find(({ orderNo }) => orderNo === made[name])?.undo
  assert.deepEqual(offerOf('renewed'), { refusal: null })
  assert.deepEqual(offerOf('recycled'), { refusal: UNDO_REFUSALS.UNDO_DONE })
  assert.deepEqual(offerOf('old'), { refusal: UNDO_REFUSALS.UNDO_TOO_LATE })
  const quotes = await me.orders.list({ status: 'quoted' })
  assert.deepEqual(
    quotes.rows.map(({ undo }) => undo),
    [null],
  )
})

const FILTERS: [Filters, string[]][] = [
  [{ status: 'quoted' }, ['quoted']],
  [{ status: 'recycled' }, ['recycled']],
  [{ salesType: 'renew' }, ['renewed']],
  [{ salesType: 'upgrade' }, ['recycled']],
  [{ versionId: 3 }, ['renewed']],
  [{ payMethod: 'gift' }, ['gift']],
  [{ payMethod: 'alipay' }, []],
  [{ actorId: 77 }, []],
  [{ actorId: 77, status: 'quoted' }, ['quoted']],
  [{ paidFrom: dayOf(daysAgo(3)) }, ['gift', 'recycled', 'renewed']],
  [{ paidFrom: dayOf(daysAgo(3)), paidTo: dayOf(daysAgo(2)) }, ['recycled', 'renewed']],
  [{ paidTo: dayOf(daysAgo(10)) }, ['old']],
  [{ paidFrom: dayOf(daysAgo(60)), salesType: 'new', status: 'paid' }, ['gift', 'old']],
]
for (const [filters, expected] of FILTERS)
  test(`filters ${JSON.stringify(filters).replaceAll(/\d{4}-\d\d-\d\d/g, 'day')}`, async () => {
    assert.deepEqual(await listed(filters), expected)
  })

test('a search finds an order by its number, whole or its end, and by its shop’s id, account and name', async () => {
  assert.deepEqual(await listed({ search: made.old as string }), ['old'])
  assert.deepEqual(await listed({ search: (made.old as string).slice(-8) }), ['old'])
  assert.deepEqual(await listed({ search: String(noodles) }), ['renewed', 'old'])
  assert.deepEqual(await listed({ search: '18800002222' }), ['gift', 'recycled'])
  assert.deepEqual(await listed({ search: '面馆' }), ['renewed', 'old'])
  assert.deepEqual(await listed({ search: '面' }), ['renewed', 'old'])
  assert.deepEqual(await listed({ search: '面馆', salesType: 'renew' }), ['renewed'])
  for (const nothing of ['没有这家店', '99999999', '1'.repeat(22), '%', '1'.repeat(40)])
    assert.deepEqual(await listed({ search: nothing }), [], nothing)
})

test('staff find every agent’s orders by the same search, and one agent’s by one character', async () => {
  assert.deepEqual(await listed({ search: '老张面馆' }, staff), ['theirs', 'renewed', 'old'].sort(byAge))
  assert.deepEqual(await listed({ search: (made.theirs as string).slice(-8) }, staff), ['theirs'])
  assert.deepEqual(await listed({ search: '18800001111' }, staff), ['renewed', 'old'])
  assert.deepEqual(await listed({ search: (made.theirs as string).slice(-8) }), [])
  assert.equal(await refusalOf(staff.orders.list({ search: '面' })), 'SEARCH_TOO_SHORT')
  assert.deepEqual(await listed({ search: '面', agentId: other.id }, staff), ['theirs'])
})
const ORDER = ['quoted', 'gift', 'theirs', 'recycled', 'renewed', 'old']
const byAge = (a: string, b: string) => ORDER.indexOf(a) - ORDER.indexOf(b)

test('the totals count what is filtered and add up what was paid and not taken back', async () => {
  const all = await me.orders.list({})
  assert.deepEqual([all.total, all.totalCapped, all.settledCents, all.shopsCapped], [4, false, 2_100, false])
  const one = await me.orders.list({ salesType: 'renew' })
  assert.deepEqual([one.total, one.settledCents], [1, 2_000])
  assert.equal((await staff.orders.list({})).settledCents, 11_100)
})

test('the shop of an order that went to another agent is not shown to the one who sold it', async () => {
  const shop = await makeMerchant(office, other.id, { shop_name: '已转走的店' })
  const orderNo = await makeOrder(office, {
    agentId: agent.id,
    createdBy: agent.accountId,
    merchantId: shop,
    paidAt: daysAgo(90),
  })
  const [row] = (await me.orders.list({ search: orderNo })).rows
  assert.deepEqual([row?.merchantId, row?.shopName, row?.account], [shop, null, null])
  assert.equal((await staff.orders.list({ search: orderNo })).rows[0]?.shopName, '已转走的店')
  await office.owner.query('delete from version_orders where order_no = $1', [orderNo])
})

test('the remark is changed by its agent alone, and keeps its rules', async () => {
  const orderNo = made.old as string
  const refused = (remark: string) => refusalOf(me.orders.setRemark({ orderNo, remark }))
  assert.equal(await refused('  '), 'REMARK_REQUIRED')
  assert.equal(await refused('长'.repeat(51)), 'REMARK_TOO_LONG')
  assert.deepEqual(await me.orders.setRemark({ orderNo, remark: '长'.repeat(50) }), {
    orderNo,
    remark: '长'.repeat(50),
  })
  await me.orders.setRemark({ orderNo, remark: '已开票' })
  const [row] = (await me.orders.list({ search: orderNo })).rows
  assert.equal(row?.remark, '已开票')
  assert.equal(
    await refusalOf(me.orders.setRemark({ orderNo: made.theirs as string, remark: '改' })),
    'NOT_FOUND',
  )
  const { rows: logs } = await office.owner.query(
    'select subject, merchant_id::int, changes from operation_logs order by id desc limit 1',
  )
  assert.deepEqual(logs[0], {
    subject: `版本订单 ${orderNo}`,
    merchant_id: noodles,
    changes: [{ name: '备注', before: '长'.repeat(50), after: '已开票' }],
  })
})

test('a quote that can be confirmed no more is no order that waits', async () => {
  const by = { agentId: agent.id, createdBy: agent.accountId, merchantId: market, paidAt: null }
  const past = await makeOrder(office, { ...by, status: 'quoted', totalCents: 1 })
  const waiting = async () => (await me.orders.list({ status: 'quoted' })).rows.map(row => row.orderNo)
  assert.ok((await waiting()).includes(past))
  await office.owner.query(
    `update version_orders set created_at = now() - interval '25 hours' where order_no = $1`,
    [past],
  )
  assert.ok(!(await waiting()).includes(past))
  await office.owner.query('delete from version_orders where order_no = $1', [past])
})

test('a quote is discarded by its own agent alone, and nothing else is', async () => {
  const by = { agentId: agent.id, createdBy: agent.accountId, merchantId: market, paidAt: null }
  const orderNo = await makeOrder(office, { ...by, status: 'quoted', totalCents: 4_200 })
  const ofBatch = await makeOrder(office, { ...by, status: 'quoted' })
  await office.owner.query(`update version_orders set batch_no = 'B1' where order_no = $1`, [ofBatch])
  const refused = (no: string, client = me) => refusalOf(client.orders.discard({ orderNo: no }))
  assert.equal(await refused(made.old as string), 'DISCARD_NOT_QUOTED')
  assert.equal(await refused(made.recycled as string), 'DISCARD_NOT_QUOTED')
  assert.equal(await refused(ofBatch), 'DISCARD_OF_BATCH')
  assert.equal(await refused(made.theirs as string), 'NOT_FOUND')
  assert.equal(await refused(orderNo, staff), 'NOT_FOUND')
  assert.deepEqual(await me.orders.discard({ orderNo }), { orderNo })
  assert.equal(await refused(orderNo), 'NOT_FOUND')
  const { rows: logs } = await office.owner.query(
    'select title, subject, merchant_id::int, changes from operation_logs order by id desc limit 1',
  )
  assert.deepEqual(logs[0], {
    title: '作废待支付订单',
    subject: `版本订单 ${orderNo}`,
    merchant_id: market,
    changes: [
      { name: '订单内容', before: '新增商户 高级版', after: null },
      { name: '结算', before: '42.00 代币', after: null },
    ],
  })
  await office.owner.query('delete from version_orders where order_no = $1', [ofBatch])
})

test('the people of the operator filter are the agent’s own', async () => {
  assert.deepEqual((await me.orders.actors({})).rows, [{ id: agent.accountId, name: '姓名' }])
  assert.deepEqual((await me.orders.actors({ agentId: other.id })).rows, [])
  assert.deepEqual((await staff.orders.actors({ agentId: other.id })).rows, [
    { id: other.accountId, name: '姓名' },
  ])
})

test('the file holds exactly what is filtered', async () => {
  const file = async (query: string) => {
    const answer = await office.app.http.inject({
      url: `/api/orders/export.xlsx?${query}`,
      headers: { cookie },
    })
    assert.equal(answer.statusCode, 200, answer.body)
    const sheets = (await readXlsx(answer.rawPayload)) as unknown as { data?: unknown[][] }[]
    return (sheets[0]?.data ?? sheets) as unknown[][]
  }
  const [header, ...rows] = await file('search=面馆&salesType=renew')
  assert.equal(rows.length, 1)
  assert.deepEqual(
    header?.slice(0, 12).map((head, at) => [head, rows[0]?.[at]]),
    [
      ['店铺名称', '深圳老张面馆'],
      ['商户ID', noodles],
      ['账号', '18800001111'],
      ['订单号', made.renewed],
      ['销售类型', '续费'],
      ['订单内容', '续费 连锁版'],
      ['时限', '1 年'],
      ['软件版本', '连锁版'],
      ['结算（代币）', 20],
      ['原价（代币）', 30],
      ['订单状态', '已支付'],
      ['支付方式', '余额'],
    ],
  )
  assert.equal((await file('')).length, 5)
  assert.equal((await file('status=quoted')).length, 2)
  assert.equal((await file(`paidTo=${dayOf(daysAgo(10))}`)).length, 2)
})

// Last: whoever is made for it would be among the people of the filter.
test('who may see orders alone changes no remark', async () => {
  const { rows } = await office.owner.query<{ id: number }>(
    `select id::int from permission_nodes where key = 'orders.list'`,
  )
  const { loginName } = await makeAccount(office, agent.id, { nodeIds: rows.map(({ id }) => id) })
  const looker = office.as(await office.login(loginName))
  const orderNo = made.old as string
  assert.equal((await looker.orders.list({ search: orderNo })).rows.length, 1)
  assert.equal(await refusalOf(looker.orders.setRemark({ orderNo, remark: '改' })), 'FORBIDDEN')
})
