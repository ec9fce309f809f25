// Whoever is touched by an undo or by credit that others move is told of it, once, and nobody else is.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { renewShop } from '#test/make-settlement.ts'

let office: Office
let vendor: MadeAgent
let staff: Client
let agent: MadeAgent
let me: Client
let stranger: Client

before(async () => {
  office = await openOffice()
  const operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
  await operator.settlement.setUndoSettings({ approvalCents: 100 })
  stranger = office.as(await office.login((await makeAgent(office)).loginName))
})
after(async () => {
  await office.verifyLedger()
  await office.stop()
})
beforeEach(async () => {
  vendor = await makeAgent(office, { staff: true })
  staff = office.as(await office.login(vendor.loginName))
  agent = await makeAgent(office, { tokens: 10_000 })
  me = office.as(await office.login(agent.loginName))
})

const told = async (who: Client) =>
  (await who.notices.list({})).rows.map(({ topic, title, body, link }) => ({ topic, title, body, link }))
/** The order that the notice opens, as whoever is told of it sees it. */
const opened = async (who: Client, link: string | undefined) =>
  (await who.orderDetails.find({ orderNo: link?.replace('/admin/order/', '') ?? '' })).kind
const titles = async (who: Client) => (await told(who)).map(({ title }) => title)
const as = async (agentId: number, nodeIds?: number[]) =>
  office.as(await office.login((await makeAccount(office, agentId, nodeIds && { nodeIds })).loginName))

async function paid(): Promise<string> {
  return (await renewShop(me, await makeMerchant(office, agent.id))).orderNo
}
async function requested(by: Client): Promise<{ id: number; orderNo: string }> {
  const orderNo = await paid()
  await by.settlement.undo({ kind: 'version', orderNo, reason: '客户退款' })
  const { rows } = await staff.settlement.undoRequests({ state: 'pending', size: 100 })
  const row = rows.find(request => request.orderNo === orderNo)
  assert.ok(row)
  return { id: row.id, orderNo }
}

test('whoever may approve is told of a request to undo, with who asks, how much and why', async () => {
  const colleague = await as(vendor.id)
  const clerk = await as(vendor.id, [27])
  const { orderNo } = await requested(me)
  const [notice] = await told(staff)
  assert.deepEqual(
    [notice?.topic, notice?.title, notice?.link],
    ['Undo_Notify', '撤销申请待审批', '/admin/detail/billingDetails?view=requests&state=pending'],
  )
  assert.match(
    notice?.body ?? '',
    new RegExp(`代理商${agent.id} .* 申请撤销版本订单 ${orderNo}，退回 .* 代币。原因：客户退款`),
  )
  assert.deepEqual(await titles(colleague), [], 'without a role, nothing may be approved')
  for (const other of [me, stranger, clerk]) assert.deepEqual(await titles(other), [])
  assert.equal(
    await refusalOf(me.settlement.undo({ kind: 'version', orderNo, reason: '再试一次' })),
    'UNDO_PENDING',
  )
  assert.equal((await titles(staff)).length, 1)
})

test('whoever asks for an undo is not asked to approve it', async () => {
  const colleague = await makeAgent(office, { staff: true })
  const they = office.as(await office.login(colleague.loginName))
  await requested(staff)
  assert.deepEqual(await titles(staff), [])
  assert.deepEqual(await titles(they), ['撤销申请待审批'])
})

test('whoever asked is told that it was approved, once; its colleagues and the approver are not', async () => {
  const { id, orderNo } = await requested(me)
  const colleague = await as(agent.id)
  const approver = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  await approver.settlement.approveUndo({ id, decision: '同意' })
  assert.equal(await refusalOf(approver.settlement.approveUndo({ id, decision: '同意' })), 'REQUEST_DECIDED')
  const [notice, ...others] = await told(me)
  assert.deepEqual([notice?.title, notice?.link, others], ['撤销申请已通过', `/admin/order/${orderNo}`, []])
  assert.match(notice?.body ?? '', /退回 [\d,.]+ 代币。审批意见：同意/)
  for (const other of [colleague, approver, stranger]) assert.deepEqual(await titles(other), [])
})

test('whoever asked is told why it was rejected', async () => {
  const { id, orderNo } = await requested(me)
  await staff.settlement.rejectUndo({ id, decision: '客户仍在使用' })
  assert.deepEqual(
    (await told(me)).map(({ title, body }) => [title, body]),
    [['撤销申请被驳回', `版本订单 ${orderNo}。驳回原因：客户仍在使用`]],
  )
})

test('an approval that fails tells nobody', async () => {
  const { id, orderNo } = await requested(me)
  await office.owner.query(`update version_orders set status = 'recycled' where order_no = $1`, [orderNo])
  assert.equal(await refusalOf(staff.settlement.approveUndo({ id, decision: '' })), 'UNDO_DONE')
  assert.deepEqual(await titles(me), [])
  await office.owner.query(`update version_orders set status = 'paid' where order_no = $1`, [orderNo])
})

test('an agent is told of an order that staff take back, at once or after approval, and not of its own undo', async () => {
  const { id, orderNo } = await requested(staff)
  assert.deepEqual(await titles(me), [])
  const approver = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  await approver.settlement.approveUndo({ id, decision: '' })
  assert.deepEqual(await titles(staff), ['撤销申请已通过'])
  const [notice, ...others] = await told(me)
  assert.deepEqual(
    [notice?.topic, notice?.title, notice?.link, others],
    ['OrderUndone_Notify', '订单被撤销', `/admin/order/${orderNo}`, []],
  )
  assert.equal(await opened(me, notice?.link), 'version')
  const operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
  await operator.settlement.setUndoSettings({ approvalCents: null })
  const second = await paid()
  await staff.aftersales.cancel({ orderNo: second, reason: '客户退款' })
  assert.equal((await titles(me)).length, 2)
  await me.settlement.undo({ kind: 'version', orderNo: await paid(), reason: '客户退款' })
  assert.equal((await titles(me)).length, 2)
  assert.deepEqual(await titles(stranger), [])
  await operator.settlement.setUndoSettings({ approvalCents: 100 })
})

test('credit is told to those of the agent that may see it, once, however often it is sent', async () => {
  const operator = await makeAgent(office, { operator: true })
  const they = office.as(await office.login(operator.loginName))
  const blind = await as(agent.id, [27])
  const send = (asset: 'token' | 'sms') =>
    they.ledger.credit(
      { agentId: agent.id, asset, amount: 12_300, reason: '活动返还' },
      { context: { key: `credit-once-of-${asset}-${agent.id}` } },
    )
  const { documentNo } = await send('token')
  await send('token')
  const sms = await send('sms')
  assert.deepEqual(await told(me), [
    {
      topic: 'Credit_Notify',
      title: '短信已到账',
      body: '运营充值 12,300 条。原因：活动返还',
      link: `/admin/order/${sms.documentNo}`,
    },
    {
      topic: 'Credit_Notify',
      title: '代币已到账',
      body: '运营充值 123.00 代币。原因：活动返还',
      link: `/admin/order/${documentNo}`,
    },
  ])
  for (const { link } of await told(me)) assert.equal(await opened(me, link), 'movement')
  for (const other of [blind, they, stranger]) assert.deepEqual(await titles(other), [])
})

test('an agent below is told what it was allocated; the one above and its other agents are not', async () => {
  const child = await makeAgent(office, { parentId: agent.id })
  const sibling = await makeAgent(office, { parentId: agent.id })
  const [receiver, other] = [
    office.as(await office.login(child.loginName)),
    office.as(await office.login(sibling.loginName)),
  ]
  const allocate = () =>
    me.settlement.allocate(
      { agentId: child.id, amountCents: 5_000, remark: '备货' },
      { context: { key: `allocate-once-${child.id}` } },
    )
  await allocate()
  await allocate()
  assert.deepEqual(
    (await told(receiver)).map(({ title, body }) => [title, body]),
    [['收到上级划拨', `代理商${agent.id} 划拨 50.00 代币。备注：备货`]],
  )
  assert.equal(await opened(receiver, (await told(receiver))[0]?.link), 'movement')
  for (const who of [me, other]) assert.deepEqual(await titles(who), [])
})
