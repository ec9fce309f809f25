import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, newMerchantForm } from '#test/make.ts'

let office: Office
let agent: MadeAgent
let staff: Client
let partner: Client
const reason = '客户退款'

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 100_000, sms: 100 })
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  partner = office.as(await office.login(agent.loginName))
})
after(() => office.stop())

async function soldOrder(
  shopName = '退款面馆',
): Promise<{ orderNo: string; id: number; totalCents: number }> {
  const quote = await partner.selling.quote(newMerchantForm({ shopName }))
  const { id } = await partner.selling.add({ orderNo: quote.orderNo })
  return { orderNo: quote.orderNo, id, totalCents: quote.totalCents }
}
const tokens = async () => (await partner.ledger.wallet()).tokenCents

test('a paid order is found by its number, its shop’s id, account or name; others are not', async () => {
  const sold = await soldOrder('找得到的店')
  await partner.selling.quote(newMerchantForm({ shopName: '找得到的店' }))
  const found = async (search: string) =>
    (await staff.aftersales.cancelFind({ search })).rows.map(row => row.orderNo)
  for (const search of [sold.orderNo, sold.orderNo.slice(-8), String(sold.id), '找得到'])
    assert.deepEqual(await found(search), [sold.orderNo], search)
  assert.deepEqual(await found('99999999'), [])
  assert.equal(await refusalOf(staff.aftersales.cancelFind({})), 'ORDER_SEARCH_REQUIRED')
  assert.equal(await refusalOf(staff.aftersales.cancelFind({ search: '店' })), 'SEARCH_TOO_SHORT')
})

test('cancelling gives the tokens back to the agent, once, and is told in log and list', async () => {
  const before = await tokens()
  const sold = await soldOrder()
  const { preview } = await staff.aftersales.cancelPreview({ orderNo: sold.orderNo })
  assert.deepEqual(
    [preview?.tokensBackCents, preview?.needsApproval, preview?.lines[0]?.refusal],
    [sold.totalCents, false, null],
  )
  const answer = await staff.aftersales.cancel({ orderNo: sold.orderNo, reason })
  assert.deepEqual(answer, { state: 'undone', tokensBackCents: sold.totalCents })
  assert.equal(await tokens(), before)
  assert.equal(
    await refusalOf(staff.aftersales.cancel({ orderNo: sold.orderNo, reason })),
    'UNDO_DONE',
    'a second press',
  )
  const { rows } = await office.owner.query(
    'select title, subject, merchant_id::int from operation_logs order by id desc limit 1',
  )
  assert.deepEqual(rows[0], { title: '撤销订单', subject: `退款面馆 (${sold.id})`, merchant_id: sold.id })
  const [action] = (await staff.aftersales.cancelActions({})).rows
  assert.deepEqual([action?.kind, action?.merchantId, action?.reason], ['cancel', sold.id, reason])
  assert.deepEqual((await staff.aftersales.cancelFind({ search: sold.orderNo })).rows, [])
  await office.verifyLedger()
})

test('the same key twice cancels once and answers the same', async () => {
  const sold = await soldOrder()
  const context = { key: 'cancel-key-0123456789' }
  const input = { orderNo: sold.orderNo, reason }
  const first = await staff.aftersales.cancel(input, { context })
  assert.deepEqual(await staff.aftersales.cancel(input, { context }), first)
  await office.verifyLedger()
})

test('after 15 days, without a reason or without such an order it is refused', async () => {
  const sold = await soldOrder()
  const refused = (orderNo: string, why = reason) =>
    refusalOf(staff.aftersales.cancel({ orderNo, reason: why }))
  assert.equal(await refused(sold.orderNo, ' '), 'INPUT_INVALID')
  assert.equal(await refused(sold.orderNo, '长'.repeat(51)), 'INPUT_INVALID')
  assert.equal(await refused('1'.repeat(22)), 'NOT_FOUND')
  assert.deepEqual(await staff.aftersales.cancelPreview({ orderNo: '1'.repeat(22) }), { preview: null })
  await office.owner.query(
    `update version_orders set paid_at = now() - interval '15 days 1 minute' where order_no = $1`,
    [sold.orderNo],
  )
  const { preview } = await staff.aftersales.cancelPreview({ orderNo: sold.orderNo })
  assert.equal(preview?.lines[0]?.refusal?.code, 'UNDO_TOO_LATE')
  assert.equal(await refused(sold.orderNo), 'UNDO_TOO_LATE')
  await office.verifyLedger()
})

test('above the operator’s amount it waits for a second person, and no token moves', async () => {
  const sold = await soldOrder()
  const before = await tokens()
  const operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
  await operator.settlement.setUndoSettings({ approvalCents: 0 })
  const { preview } = await staff.aftersales.cancelPreview({ orderNo: sold.orderNo })
  assert.equal(preview?.needsApproval, true)
  const answer = await staff.aftersales.cancel({ orderNo: sold.orderNo, reason })
  assert.equal(answer.state, 'pending')
  assert.equal(await tokens(), before)
  assert.equal((await staff.aftersales.cancelPreview({ orderNo: sold.orderNo })).preview?.isPending, true)
  assert.equal(await refusalOf(staff.aftersales.cancel({ orderNo: sold.orderNo, reason })), 'UNDO_PENDING')
  await office.verifyLedger()
})
