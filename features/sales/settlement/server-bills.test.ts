import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import readXlsx from 'read-excel-file/node'
import { formatDay } from '#kit/time.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { agePayment, renewShop } from '#test/make-settlement.ts'
import { call } from '#test/walk.ts'

let office: Office
let agent: MadeAgent
let cookie: string
let me: Client
let desk: Client
let shop: number
let added: string
let renewed: string
let undone: string

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 10_000, levelId: 3 })
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
  desk = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  const quote = await me.selling.quote(newMerchantForm({ shopName: '深圳蓝天面馆', personName: '赵云' }))
  shop = (await me.selling.add({ orderNo: quote.orderNo })).id
  added = quote.orderNo
  await agePayment(office, 'version_orders', added, 20)
  renewed = (await renewShop(me, shop)).orderNo
  undone = (await renewShop(me, await makeMerchant(office, agent.id, { shop_name: '长沙糖水铺' }))).orderNo
  await me.settlement.undo({ kind: 'version', orderNo: undone, reason: '试' })
  await me.selling.quote(newMerchantForm())
})
after(() => office.stop())

const numbers = async (by: Client, input: Parameters<Client['settlement']['bills']>[0]) =>
  (await by.settlement.bills(input)).rows.map(row => row.orderNo)

test('paid and undone orders are listed, the last paid first; quotes are not', async () => {
  const list = await me.settlement.bills({})
  assert.deepEqual(
    list.rows.map(row => [row.orderNo, row.status, row.salesType]),
    [
      [undone, 'recycled', 'renew'],
      [renewed, 'paid', 'renew'],
      [added, 'paid', 'new'],
    ],
  )
  const [, row] = list.rows
  assert.equal(row?.shopName, '深圳蓝天面馆')
  assert.equal(row?.personName, '赵云')
  assert.equal(row?.merchantId, shop)
  assert.ok(row && row.originalCents > row.totalCents, 'receivable before discount, settlement after it')
  assert.equal(typeof row.levelName, 'string')
})

test('the strip counts what is filtered: receivable, settlement, and what of it went back', async () => {
  const list = await me.settlement.bills({})
  const sum = (of: (row: (typeof list.rows)[number]) => number) =>
    list.rows.reduce((total, row) => total + of(row), 0)
  assert.deepEqual(
    [list.total, list.totalCapped, list.originalCents, list.totalCents, list.refundedCents],
    [3, false, sum(row => row.originalCents), sum(row => row.totalCents), list.rows[0]?.totalCents],
  )
  const second = await me.settlement.bills({ salesType: 'new' })
  assert.deepEqual([second.total, second.refundedCents], [1, 0])
})

test('sales type, status and days of payment filter', async () => {
  const today = formatDay(new Date())
  assert.deepEqual(await numbers(me, { salesType: 'renew' }), [undone, renewed])
  assert.deepEqual(await numbers(me, { status: 'recycled' }), [undone])
  assert.deepEqual(await numbers(me, { status: 'paid', salesType: 'new' }), [added])
  assert.deepEqual(await numbers(me, { paidFrom: today }), [undone, renewed])
  assert.deepEqual(await numbers(me, { paidTo: formatDay(new Date(Date.now() - 86_400_000)) }), [added])
})

test('the search finds order numbers, shops, people and accounts, and nothing of another agent', async () => {
  const account = (await me.settlement.bills({ salesType: 'new' })).rows[0]?.account ?? ''
  for (const search of [added, added.slice(-8)]) assert.deepEqual(await numbers(me, { search }), [added])
  for (const search of [String(shop), account, '赵云', '蓝天'])
    assert.deepEqual(await numbers(me, { search }), [renewed, added], search)
  assert.deepEqual(await numbers(desk, { search: '蓝天面馆' }), [renewed, added])
  assert.deepEqual(await numbers(me, { search: '没有这家店' }), [])
  const other = office.as(await office.login((await makeAgent(office)).loginName))
  for (const search of [added, added.slice(-8), String(shop), '赵云'])
    assert.deepEqual(await numbers(other, { search }), [])
  assert.equal(await refusalOf(desk.settlement.bills({ search: '赵' })), 'SEARCH_TOO_SHORT')
})

test('staff see every agent’s bills with the agent, and filter by it', async () => {
  const other = await makeAgent(office, { tokens: 1_000 })
  const theirs = office.as(await office.login(other.loginName))
  const { orderNo } = await renewShop(theirs, await makeMerchant(office, other.id))
  assert.equal((await numbers(desk, {})).length, 4)
  assert.deepEqual(await numbers(desk, { agentId: other.id }), [orderNo])
  assert.deepEqual(await numbers(me, { agentId: other.id }), [])
  assert.equal((await desk.settlement.bills({ agentId: other.id })).rows[0]?.agentName, `代理商${other.id}`)
})

test('a shop that moved to another agent keeps its bill, without telling about the shop', async () => {
  const moved = await makeMerchant(office, agent.id, { shop_name: '转走的店' })
  const { orderNo } = await renewShop(me, moved)
  const other = await makeAgent(office)
  await office.owner.query('update merchants set agent_id = $2 where id = $1', [moved, other.id])
  const [row] = (await me.settlement.bills({})).rows
  assert.deepEqual([row?.orderNo, row?.shopName, row?.account], [orderNo, null, null])
})

test('the file holds what is filtered, in the list’s order', async () => {
  const path = '/settlement/bills.xlsx'
  const answer = await call(office.app, cookie, { method: 'GET', path }, { search: '蓝天' })
  assert.equal(answer.status, 200)
  const sheets = (await readXlsx(answer.bytes)) as unknown as { data: unknown[][] }[]
  const [head, ...rows] = sheets[0]?.data ?? []
  const heads = ['订单号', '商户ID', '店铺名称', '销售类型', '状态']
  assert.deepEqual(
    rows.map(row => heads.map(wanted => row[head?.indexOf(wanted) ?? -1])),
    [
      [renewed, shop, '深圳蓝天面馆', '续费', '已完成'],
      [added, shop, '深圳蓝天面馆', '新增', '已完成'],
    ],
  )
})

test('the file of bills does not ask of each row whether an undo waits', async () => {
  await office.owner.query('alter table undo_requests rename to undo_requests_away')
  try {
    const answer = await call(office.app, cookie, { method: 'GET', path: '/settlement/bills.xlsx' }, {})
    assert.equal(answer.status, 200)
  } finally {
    await office.owner.query('alter table undo_requests_away rename to undo_requests')
  }
})
