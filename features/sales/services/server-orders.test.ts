// The list of value-added orders, its totals and file, and the undo of an order.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import readXlsx from 'read-excel-file/node'
import { UNDO_REFUSALS } from '#features/sales/orders/rules.ts'
import { addMonths } from '#kit/time.ts'
import { acting } from '#test/acting.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { previewServiceUndo, undoServiceOrder } from './server-undo.ts'

const SEAT = 11
const MEMBERS = 21
const SCAN = 31

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
  agent = await makeAgent(office, { tokens: 5_000 })
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
  shop = await makeMerchant(office, agent.id, { shop_name: '蓝湾面馆' })
})

async function buy(serviceId: number, count = 1, merchantId = shop): Promise<string> {
  const unit = { [SEAT]: 10_000, [MEMBERS]: 29_800, [SCAN]: 39_800 }[serviceId] ?? 0
  const isSeat = serviceId === SEAT
  const answer = await me.services.buy({
    merchantId,
    items: [{ serviceId, quantity: isSeat ? count : 1, years: isSeat ? 1 : count }],
    totalCents: unit * count,
  })
  return answer.orders[0]?.orderNo as string
}

const undo = (orderNo: string) => acting(office, cookie, ctx => undoServiceOrder(ctx, orderNo, '买错了'))
const preview = (orderNo: string) => acting(office, cookie, ctx => previewServiceUndo(ctx, orderNo))
const held = async () =>
  (
    await office.owner.query(
      'select service_id as id, quantity, expires_at from merchant_services where merchant_id = $1 order by 1',
      [shop],
    )
  ).rows

test('the search finds a shop, an order number whole and short, a service and a shop name', async () => {
  const other = await makeMerchant(office, agent.id, { shop_name: '别家' })
  const seat = await buy(SEAT)
  const scan = await buy(SCAN, 1, other)
  const found = async (search: string) => (await me.services.orders({ search })).rows.map(row => row.orderNo)
  assert.deepEqual(await found(String(shop)), [seat])
  assert.deepEqual(await found(scan), [scan])
  assert.deepEqual(await found(scan.slice(-8)), [scan])
  assert.deepEqual(await found('操作员'), [seat])
  assert.deepEqual(await found('扫码点餐'), [scan])
  assert.deepEqual(await found('蓝湾'), [seat])
  assert.deepEqual(await found('没有这样的'), [])
  assert.deepEqual(await found('12345678'), [])
})

test('filters and their totals: state, service, days; what was recalled is told apart', async () => {
  await buy(SEAT, 2)
  const scan = await buy(SCAN)
  await undo(scan)
  const all = await me.services.orders({})
  assert.deepEqual([all.total, all.totalCents, all.recalledCents], [2, 59_800, 39_800])
  const recalled = await me.services.orders({ state: 'recalled' })
  assert.deepEqual([recalled.total, recalled.rows[0]?.orderNo], [1, scan])
  assert.equal((await me.services.orders({ state: 'completed' })).totalCents, 20_000)
  assert.equal((await me.services.orders({ serviceId: SCAN })).total, 1)
  await office.owner.query(
    `update service_orders set created_at = '2026-01-05T15:59:59Z' where order_no = $1`,
    [scan],
  )
  assert.equal((await me.services.orders({ from: '2026-01-05', to: '2026-01-05' })).total, 1)
  assert.equal((await me.services.orders({ from: '2026-01-06', to: '2026-01-06' })).total, 0)
  const { rows } = await me.services.options()
  assert.ok(rows.some(row => row.id === SCAN && row.groupName === '点餐预约'))
  assert.ok(!rows.some(row => row.name === '操作员'))
})

test('pages follow each other without gap or repeat', async () => {
  for (let i = 0; i < 12; i++) await buy(SEAT)
  const first = await me.services.orders({ page: 1, size: 10 })
  const second = await me.services.orders({ page: 2, size: 10 })
  assert.deepEqual([first.rows.length, second.rows.length, first.total], [10, 2, 12])
  const ids = [...first.rows, ...second.rows].map(row => row.id)
  assert.deepEqual(
    ids,
    [...ids].sort((a, b) => b - a),
  )
  assert.equal(new Set(ids).size, 12)
})

test('the file holds what is filtered, in the chosen columns', async () => {
  const seat = await buy(SEAT, 2)
  await buy(SCAN)
  const answer = await office.app.http.inject({
    url: '/api/services/orders.xlsx?search=操作员&columns=orderNo,serviceName,quantity,totalCents,state',
    headers: { cookie },
  })
  assert.equal(answer.statusCode, 200)
  const sheets = (await readXlsx(answer.rawPayload)) as unknown as { data?: unknown[][] }[]
  const rows = sheets[0]?.data ?? (sheets as unknown as unknown[][])
  assert.deepEqual(rows, [
    ['订单号', '服务类型', '数量（个或年）', '总价（代币）', '支付状态'],
    [seat, '操作员账号', 2, 200, '已完成'],
  ])
})

test('an undo gives back tokens, pieces and term, once', async () => {
  await buy(SEAT, 2)
  const second = await buy(SEAT, 3)
  const shown = await preview(second)
  assert.deepEqual(
    [shown.tokensBackCents, shown.refusal, shown.shops[0]?.versionNow, shown.shops[0]?.versionThen],
    [30_000, null, '操作员账号 5 个', '操作员账号 2 个'],
  )
  assert.equal((await undo(second)).tokensBackCents, 30_000)
  assert.deepEqual(await held(), [{ id: SEAT, quantity: 2, expires_at: null }])
  assert.equal((await me.ledger.wallet()).tokenCents, 500_000 - 20_000)
  const [first] = (await me.services.orders({})).rows.filter(row => row.orderNo !== second)
  assert.deepEqual(first?.undo, { refusal: null })
  const row = (await me.services.orders({ search: second })).rows[0]
  assert.equal(row?.state, 'recalled')
  assert.deepEqual(row?.undo, { refusal: UNDO_REFUSALS.UNDO_DONE })
  assert.ok(row?.undoneAt)
  assert.equal(await refusalOf(undo(second)), 'UNDO_DONE')
  await office.verifyLedger()
})

test('the undo of a first purchase takes the service away, that of a renewal gives the old end back', async () => {
  const first = await buy(MEMBERS)
  const shown = await preview(first)
  const now = new Date()
  const year = (addMonths(now, 12).getTime() - now.getTime()) / 86_400_000
  assert.deepEqual([shown.shops[0]?.versionThen, shown.shops[0]?.daysRemoved], ['未开通', year])
  await undo(first)
  assert.deepEqual(await held(), [])
  const end = new Date(Math.trunc(Date.now() / 1_000) * 1_000 + 10 * 86_400_000)
  await office.owner.query(
    'insert into merchant_services (agent_id, merchant_id, service_id, quantity, expires_at) values ($1, $2, $3, 1, $4)',
    [agent.id, shop, MEMBERS, end.toISOString()],
  )
  const renewal = await buy(MEMBERS, 2)
  await undo(renewal)
  assert.equal((await held())[0].expires_at.toISOString(), end.toISOString())
  await office.verifyLedger()
})

test('a hundred undos at once give one', async () => {
  const orderNo = await buy(SEAT, 2)
  const codes = await Promise.all(Array.from({ length: 100 }, () => refusalOf(undo(orderNo))))
  assert.equal(codes.filter(code => code === 'accepted').length, 1)
  assert.ok(codes.every(code => ['accepted', 'UNDO_DONE', 'BUSY'].includes(code) || code.includes('Refusal')))
  assert.equal((await me.ledger.wallet()).tokenCents, 500_000)
  await office.verifyLedger()
})

test('what cannot be undone says why: unknown, too late, not the last, moved', async () => {
  assert.equal(await refusalOf(undo('1'.repeat(22))), 'UNDO_UNKNOWN')
  const first = await buy(SEAT, 1)
  const last = await buy(SEAT, 2)
  await buy(SCAN)
  assert.equal((await preview(first)).refusal?.message, UNDO_REFUSALS.UNDO_NOT_LAST)
  assert.equal(await refusalOf(undo(first)), 'UNDO_NOT_LAST')
  assert.equal((await preview(last)).refusal, null, 'an order of another service does not stand in the way')
  await undo(last)
  assert.equal((await preview(first)).refusal, null, 'a later order that was undone does not count')
  await office.owner.query(
    `update service_orders set paid_at = now() - interval '16 days' where order_no = $1`,
    [first],
  )
  assert.equal(await refusalOf(undo(first)), 'UNDO_TOO_LATE')
  assert.equal(
    (
      await acting(office, cookie, ctx =>
        previewServiceUndo(ctx, first, new Date(Date.now() - 2 * 86_400_000).toISOString()),
      )
    ).refusal,
    null,
    'asked for in time, approved later',
  )
  const moved = await buy(MEMBERS)
  const heir = await makeAgent(office)
  await office.owner.query('update merchants set agent_id = $2 where id = $1', [shop, heir.id])
  assert.equal(await refusalOf(undo(moved)), 'UNDO_MOVED')
  await office.verifyLedger()
})

test('an order of another agent, made while the shop was away, comes later too', async () => {
  const first = await buy(SEAT, 1)
  const other = await makeAgent(office, { tokens: 5_000 })
  const them = office.as(await office.login(other.loginName))
  const move = (to: MadeAgent) =>
    office.owner.query('update merchants set agent_id = $2 where id = $1', [shop, to.id])
  await move(other)
  const items = [{ serviceId: SEAT, quantity: 1, years: 1 }]
  const bought = await them.services.buy({ merchantId: shop, items, totalCents: 10_000 })
  await move(agent)
  assert.equal((await preview(first)).refusal?.code, 'UNDO_NOT_LAST')
  assert.equal(await refusalOf(undo(first)), 'UNDO_NOT_LAST')
  await office.owner.query(`update service_orders set state = 'recalled' where order_no = $1`, [
    bought.orders[0]?.orderNo,
  ])
  assert.equal((await preview(first)).refusal, null)
})
