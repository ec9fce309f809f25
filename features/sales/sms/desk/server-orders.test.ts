// The list of SMS orders, its totals and file, and the undo of a package.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import readXlsx from 'read-excel-file/node'
import { previewSmsUndo, undoSmsOrder } from '#features/sales/sms/server-undo.ts'
import { acting } from '#test/acting.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { waitsFor } from '#test/locks.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'

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

const PRICES = { 1: 2_000, 3: 8_000 } as const
async function buy(packageId: keyof typeof PRICES = 1, merchantId = shop): Promise<string> {
  return (await me.sms.buy({ merchantId, packageId, totalCents: PRICES[packageId] })).orderNo
}
const undo = (orderNo: string) => acting(office, cookie, ctx => undoSmsOrder(ctx, orderNo, '买错了'))
const preview = (orderNo: string) => acting(office, cookie, ctx => previewSmsUndo(ctx, orderNo))
const creditOf = async () => (await me.sms.recallable({ merchantId: shop })).credit

test('the search finds a shop, its name, and an order number whole and short', async () => {
  const other = await makeMerchant(office, agent.id, { shop_name: '别家' })
  const mine = await buy()
  const theirs = await buy(3, other)
  const found = async (search: string) => (await me.smsDesk.orders({ search })).rows.map(row => row.orderNo)
  assert.deepEqual(await found(String(shop)), [mine])
  assert.deepEqual(await found('蓝湾'), [mine])
  assert.deepEqual(await found(theirs), [theirs])
  assert.deepEqual(await found(theirs.slice(-8)), [theirs])
  assert.deepEqual(await found('没有这家'), [])
})

test('filters and their totals: kind, status, payment method, days', async () => {
  const first = await buy()
  await buy(3)
  await me.sms.recall({ merchantId: shop, pieces: 100 })
  await undo(first)
  const all = await me.smsDesk.orders({})
  assert.deepEqual(
    [all.total, all.totalCents, all.totalPieces, all.recycledCents, all.recycledPieces, all.recalledPieces],
    [3, 10_000, 1_200, 2_000, 200, 100],
  )
  assert.equal((await me.smsDesk.orders({ kind: 'package' })).total, 2)
  assert.deepEqual(
    (await me.smsDesk.orders({ status: 'recycled' })).rows.map(row => row.orderNo),
    [first],
  )
  assert.equal((await me.smsDesk.orders({ payMethod: 'balance' })).total, 3)
  assert.equal((await me.smsDesk.orders({ payMethod: 'wechat' })).total, 0)
  await office.owner.query(`update sms_orders set created_at = '2026-01-05T16:00:00Z' where order_no = $1`, [
    first,
  ])
  assert.equal((await me.smsDesk.orders({ from: '2026-01-05', to: '2026-01-05' })).total, 0)
  assert.equal((await me.smsDesk.orders({ from: '2026-01-06', to: '2026-01-06' })).total, 1)
})

test('the file holds what is filtered, in the chosen columns', async () => {
  const orderNo = await buy()
  await me.sms.recall({ merchantId: shop, pieces: 1 })
  const answer = await office.app.http.inject({
    url: '/api/sms/orders.xlsx?kind=package&columns=orderNo,kind,smsBefore,pieces,smsAfter,totalCents,rechargeFen,status',
    headers: { cookie },
  })
  assert.equal(answer.statusCode, 200)
  const sheets = (await readXlsx(answer.rawPayload)) as unknown as { data?: unknown[][] }[]
  assert.deepEqual(sheets[0]?.data ?? sheets, [
    ['订单号', '类型', '操作前条数', '短信条数', '操作后条数', '金额（代币）', '充值金额（元）', '状态'],
    [orderNo, '短信包', 0, 200, 200, 20, null, '已完成'],
  ])
})

test('an undo gives the tokens back and takes the pieces, once', async () => {
  await buy(3)
  const orderNo = await buy()
  const shown = await preview(orderNo)
  assert.deepEqual([shown.tokensBackCents, shown.smsBack, shown.refusal], [2_000, 0, null])
  assert.deepEqual(shown.notes, ['商户短信余额将由 1,200 条变为 1,000 条'])
  await undo(orderNo)
  assert.equal(await creditOf(), 1_000)
  assert.deepEqual(await me.ledger.wallet(), { tokenCents: 500_000 - 8_000, sms: 0 })
  const row = (await me.smsDesk.orders({ search: orderNo })).rows[0]
  assert.equal(row?.status, 'recycled')
  assert.equal(await refusalOf(undo(orderNo)), 'UNDO_DONE')
  await office.verifyLedger()
})

test('the list says of each order whether it can be undone, and why not', async () => {
  const undos = async () => (await me.smsDesk.orders({})).rows.map(row => [row.name, row.undo])
  const orderNo = await buy()
  assert.deepEqual(await undos(), [['短信包200条', { refusal: null }]])
  await me.sms.recall({ merchantId: shop, pieces: 1 })
  assert.deepEqual(await undos(), [
    ['短信回收', null],
    ['短信包200条', { refusal: '短信已使用，不能撤销' }],
  ])
  await office.owner.query(`update sms_orders set paid_at = now() - interval '16 days' where order_no = $1`, [
    orderNo,
  ])
  assert.deepEqual((await undos())[1]?.[1], { refusal: '订单支付已超过15天，不能撤销' })
  const second = await buy()
  await undo(second)
  assert.deepEqual((await undos())[0]?.[1], { refusal: '该订单已撤销，请勿重复操作' })
})

test('what was used cannot be undone, and a refusal writes nothing', async () => {
  const orderNo = await buy()
  const { orderNo: recallNo } = await me.sms.recall({ merchantId: shop, pieces: 1 })
  const shown = await preview(orderNo)
  assert.deepEqual([shown.refusal?.message, shown.smsSpent], ['短信已使用，不能撤销', 1])
  assert.equal(await refusalOf(undo(orderNo)), 'SMS_SPENT')
  assert.equal(await creditOf(), 199)
  assert.equal((await me.smsDesk.orders({ search: orderNo })).rows[0]?.status, 'paid')
  assert.equal(await refusalOf(undo(recallNo)), 'SMS_RECALL_FINAL')
  await buy()
  assert.equal((await preview(orderNo)).refusal, null, 'the shop holds as many again')
})

test('an undo against a recall of the same pieces: one of them is done', async () => {
  for (let round = 0; round < 6; round++) {
    shop = await makeMerchant(office, agent.id)
    const orderNo = await buy()
    const codes = await Promise.all([
      refusalOf(undo(orderNo)),
      refusalOf(me.sms.recall({ merchantId: shop, pieces: 200 })),
    ])
    assert.equal(codes.filter(code => code === 'accepted').length, 1, String(codes))
    assert.equal(await creditOf(), 0)
  }
  await office.verifyLedger()
})

test('a hundred undos at once give one', async () => {
  const orderNo = await buy()
  const codes = await Promise.all(Array.from({ length: 100 }, () => refusalOf(undo(orderNo))))
  assert.equal(codes.filter(code => code === 'accepted').length, 1)
  assert.equal((await me.ledger.wallet()).tokenCents, 500_000)
  await office.verifyLedger()
})

test('unknown, too late and moved orders are refused', async () => {
  assert.equal(await refusalOf(undo('1'.repeat(22))), 'UNDO_UNKNOWN')
  const late = await buy()
  await office.owner.query(`update sms_orders set paid_at = now() - interval '16 days' where order_no = $1`, [
    late,
  ])
  assert.equal(await refusalOf(undo(late)), 'UNDO_TOO_LATE')
  const moved = await buy()
  const heir = await makeAgent(office)
  await office.owner.query('update merchants set agent_id = $2 where id = $1', [shop, heir.id])
  assert.equal(await refusalOf(undo(moved)), 'UNDO_MOVED')
})

test('an undo while the shop goes to another agent waits for it, and is refused', async () => {
  const orderNo = await buy()
  const heir = await makeAgent(office)
  const desk = await office.login((await makeAgent(office, { staff: true })).loginName)
  const mover = await office.owner.connect()
  try {
    await mover.query('begin')
    await mover.query('update merchants set agent_id = $2 where id = $1', [shop, heir.id])
    const undone = refusalOf(acting(office, desk, ctx => undoSmsOrder(ctx, orderNo, '买错了')))
    assert.ok(await waitsFor(mover, undone))
    await mover.query('commit')
    assert.equal(await undone, 'UNDO_MOVED')
  } finally {
    mover.release()
  }
  assert.equal((await me.ledger.wallet()).tokenCents, 500_000 - 2_000)
})
