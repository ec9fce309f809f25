import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import type { ORPCError } from '@orpc/client'
import { UNDO_REFUSALS } from '#features/sales/orders/rules.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { shopState } from '#test/make-purchases.ts'
import { agePayment, renewShop, useSms } from '#test/make-settlement.ts'
import { rowsOfAllTables } from '#test/rows.ts'

const DAY = 86_400_000

let office: Office
let agent: MadeAgent
let me: Client
let shop: number

before(async () => {
  office = await openOffice()
})
after(() => office.stop())
beforeEach(async () => {
  // Level 3 pays 60 %.
  agent = await makeAgent(office, { tokens: 10_000, sms: 500, levelId: 3 })
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id)
})

const wallet = () => me.ledger.wallet()
const undo = (kind: 'version' | 'batch' | 'service' | 'sms', orderNo: string, reason = '客户退款') =>
  me.settlement.undo({ kind, orderNo, reason })
const messageIn = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: ORPCError<string, unknown>) => error.message,
  )

test('a renewal is shown before it is undone, then gives back its tokens and takes its days', async () => {
  const was = await shopState(office, shop)
  const { orderNo, totalCents } = await renewShop(me, shop)
  assert.equal(totalCents > 0, true)
  assert.equal((await wallet()).tokenCents, 1_000_000 - totalCents)
  const preview = await me.settlement.undoPreview({ kind: 'version', orderNo })
  assert.deepEqual(
    [preview.tokensBackCents, preview.needsApproval, preview.isPending],
    [totalCents, false, false],
  )
  const [line] = preview.previews
  assert.equal(line?.tokensBackCents, totalCents)
  assert.ok(line?.shops[0] && [365, 366].includes(line.shops[0].daysRemoved ?? 0))
  assert.equal(line?.refusal, null)
  const done = await undo('version', orderNo)
  assert.equal(done.state, 'undone')
  assert.deepEqual(await shopState(office, shop), was)
  assert.equal((await wallet()).tokenCents, 1_000_000)
  const [row] = (await me.settlement.bills({})).rows
  assert.deepEqual([row?.orderNo, row?.status], [orderNo, 'recycled'])
  await office.verifyLedger()
})

test('a new shop gives back tokens and the SMS credit that it still holds; what it used stays used', async () => {
  const { orderNo, totalCents } = await me.selling.quote(newMerchantForm({ smsCount: 100 }))
  const { id } = await me.selling.add({ orderNo })
  await useSms(office, agent.id, id, 30)
  assert.equal((await wallet()).sms, 400)
  const { previews } = await undo('version', orderNo)
  assert.deepEqual(
    [previews[0]?.tokensBackCents, previews[0]?.smsBack, previews[0]?.smsSpent],
    [totalCents, 70, 30],
  )
  assert.deepEqual(await wallet(), { tokenCents: 1_000_000, sms: 470 })
  assert.equal((await shopState(office, id)).status, 'disabled')
  await office.verifyLedger()
})

test('a value-added service and an SMS package are undone alike', async () => {
  const bought = await me.services.buy({
    merchantId: shop,
    items: [{ serviceId: 11, quantity: 1, years: 1 }],
    totalCents: 6_000,
  })
  const service = bought.orders[0]?.orderNo ?? ''
  const offers = await me.sms.packages({ merchantId: shop })
  const pack = offers.rows[0]
  assert.ok(pack)
  const sms = await me.sms.buy({ merchantId: shop, packageId: pack.id, totalCents: pack.totalCents })
  assert.equal((await wallet()).tokenCents, 1_000_000 - 6_000 - pack.totalCents)
  assert.equal((await undo('service', service)).previews[0]?.tokensBackCents, 6_000)
  assert.equal((await undo('sms', sms.orderNo)).previews[0]?.tokensBackCents, pack.totalCents)
  assert.equal((await wallet()).tokenCents, 1_000_000)
  assert.equal(await refusalOf(undo('service', service)), 'UNDO_DONE')
  assert.equal(await refusalOf(undo('sms', sms.orderNo)), 'UNDO_DONE')
  await office.verifyLedger()
})

test('a bulk renewal is undone line by line; what cannot be undone says why and the rest is done', async () => {
  const shops = [shop, await makeMerchant(office, agent.id), await makeMerchant(office, agent.id)]
  const { batchNo, totalCents } = await me.purchases.bulkQuote({
    merchantIds: shops,
    term: 'year',
    periods: 1,
    remark: '',
  })
  await me.purchases.bulkConfirm({ batchNo })
  // A later order stands in the way of the first shop's line.
  const later = await renewShop(me, shop)
  const preview = await me.settlement.undoPreview({ kind: 'batch', orderNo: batchNo })
  assert.deepEqual(
    preview.previews.map(line => line.refusal?.code ?? null),
    ['UNDO_NOT_LAST', null, null],
  )
  assert.equal(preview.tokensBackCents, (totalCents / 3) * 2)
  const { state, previews } = await undo('batch', batchNo)
  assert.equal(state, 'undone')
  assert.deepEqual(
    previews.map(line => line.refusal?.message ?? null),
    [UNDO_REFUSALS.UNDO_NOT_LAST, null, null],
  )
  assert.equal((await wallet()).tokenCents, 1_000_000 - totalCents / 3 - later.totalCents)
  await undo('version', later.orderNo)
  await undo('batch', batchNo)
  assert.equal((await wallet()).tokenCents, 1_000_000)
  assert.equal(await refusalOf(undo('batch', batchNo)), 'UNDO_DONE')
  await office.verifyLedger()
})

test('an order can be undone for 15 days and not a moment longer, whatever its kind', async () => {
  const young = await renewShop(me, shop)
  await agePayment(office, 'version_orders', young.orderNo, 14.99)
  const old = await renewShop(me, await makeMerchant(office, agent.id))
  await agePayment(office, 'version_orders', old.orderNo, 15.01)
  const bought = await me.services.buy({
    merchantId: shop,
    items: [{ serviceId: 11, quantity: 1, years: 1 }],
    totalCents: 6_000,
  })
  const service = bought.orders[0]?.orderNo ?? ''
  await agePayment(office, 'service_orders', service, 16)
  const sms = await me.sms.buy({ merchantId: shop, packageId: 1, totalCents: 1_200 })
  await agePayment(office, 'sms_orders', sms.orderNo, 16)
  const before = await wallet()
  assert.equal(await refusalOf(undo('version', old.orderNo)), 'UNDO_TOO_LATE')
  assert.equal(await messageIn(undo('version', old.orderNo)), '订单支付已超过15天，不能撤销')
  assert.equal(await refusalOf(undo('service', service)), 'UNDO_TOO_LATE')
  assert.equal(await refusalOf(undo('sms', sms.orderNo)), 'UNDO_TOO_LATE')
  assert.deepEqual(await wallet(), before)
  const { previews } = await me.settlement.undoPreview({ kind: 'version', orderNo: old.orderNo })
  assert.equal(previews[0]?.refusal?.code, 'UNDO_TOO_LATE')
  assert.equal((await undo('version', young.orderNo)).state, 'undone')
})

test('of a hundred undos at once one is done', async () => {
  const { orderNo, totalCents } = await renewShop(me, shop)
  const answers = await Promise.all(Array.from({ length: 100 }, () => refusalOf(undo('version', orderNo))))
  assert.equal(answers.filter(answer => answer === 'accepted').length, 1)
  assert.ok(
    answers.every(answer => ['accepted', 'UNDO_DONE', 'BUSY'].includes(answer)),
    `${new Set(answers)}`,
  )
  assert.equal((await wallet()).tokenCents, 1_000_000)
  const { rows } = await office.owner.query(
    `select amount::int from ledger_transfers where document = $1 and kind = 'undo'`,
    [orderNo],
  )
  assert.deepEqual(rows, [{ amount: totalCents }])
  await office.verifyLedger()
})

test('the same key answers the same, and gives back once', async () => {
  const { orderNo } = await renewShop(me, shop)
  const key = `undo-twice-${shop}-key`
  const input = { kind: 'version', orderNo, reason: '重复' } as const
  const first = await me.settlement.undo(input, { context: { key } })
  assert.deepEqual(await me.settlement.undo(input, { context: { key } }), first)
  assert.equal((await wallet()).tokenCents, 1_000_000)
})

test('a reason is required and short; a refusal writes nothing', async () => {
  const { orderNo } = await renewShop(me, shop)
  const before = await rowsOfAllTables(office)
  assert.equal(await messageIn(undo('version', orderNo, '')), '请输入撤销原因')
  assert.equal(await refusalOf(undo('version', orderNo, '  ')), 'UNDO_REASON_REQUIRED')
  assert.equal(await refusalOf(undo('version', orderNo, '长'.repeat(51))), 'UNDO_REASON_TOO_LONG')
  assert.equal(await refusalOf(undo('version', '9'.repeat(22))), 'UNDO_UNKNOWN')
  assert.equal(await refusalOf(undo('batch', '9'.repeat(22))), 'UNDO_UNKNOWN')
  assert.equal(await refusalOf(undo('service', orderNo)), 'UNDO_UNKNOWN')
  assert.deepEqual(await rowsOfAllTables(office), before)
})

test('a quote that was never paid, and an order whose shop moved on, cannot be undone', async () => {
  const quote = await me.selling.quote(newMerchantForm())
  assert.equal(await refusalOf(undo('version', quote.orderNo)), 'UNDO_NOT_PAID')
  const { orderNo } = await renewShop(me, shop)
  const other = await makeAgent(office)
  await office.owner.query('update merchants set agent_id = $2 where id = $1', [shop, other.id])
  assert.equal(await refusalOf(undo('version', orderNo)), 'UNDO_MOVED')
})

test('an undo needs its permission, and another agent does not find the order', async () => {
  const { orderNo } = await renewShop(me, shop)
  const other = await makeAgent(office, { tokens: 100 })
  const theirs = office.as(await office.login(other.loginName))
  const input = { kind: 'version', orderNo, reason: '试' } as const
  assert.equal(await refusalOf(theirs.settlement.undo(input)), 'UNDO_UNKNOWN')
  assert.equal(await refusalOf(theirs.settlement.undoPreview({ kind: 'version', orderNo })), 'UNDO_UNKNOWN')
  const sub = await makeAccount(office, agent.id, { nodeIds: [42] })
  const subClient = office.as(await office.login(sub.loginName))
  assert.equal(await refusalOf(subClient.settlement.undo(input)), 'FORBIDDEN')
  assert.equal((await subClient.settlement.bills({})).total, 1)
})

test('vendor staff undo an agent’s order; the tokens go back to the agent', async () => {
  const { orderNo } = await renewShop(me, shop)
  const staff = await makeAgent(office, { staff: true })
  const desk = office.as(await office.login(staff.loginName))
  await desk.settlement.undo({ kind: 'version', orderNo, reason: '代为撤销' })
  assert.equal((await wallet()).tokenCents, 1_000_000)
  const { rows } = await office.owner.query<{ subject: string; merchant_id: string; changes: unknown }>(
    `select subject, merchant_id, changes from operation_logs where title = '撤销订单' and agent_id = $1`,
    [staff.id],
  )
  assert.equal(rows[0]?.subject, `测试店铺 (${shop})`)
  assert.equal(Number(rows[0]?.merchant_id), shop)
  assert.ok(JSON.stringify(rows[0]?.changes).includes('代为撤销'))
})

test('days that staff gave since the purchase stay when the purchase is undone', async () => {
  const was = await shopState(office, shop)
  const { orderNo } = await renewShop(me, shop)
  await office.owner.query(`update merchants set expires_at = expires_at + interval '7 days' where id = $1`, [
    shop,
  ])
  const { previews } = await undo('version', orderNo)
  const now = await shopState(office, shop)
  assert.equal(Date.parse(now.expires ?? '') - Date.parse(was.expires ?? ''), 7 * DAY)
  assert.equal(previews[0]?.notes.length, 1)
})
