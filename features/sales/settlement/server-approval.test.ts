import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { agePayment, renewShop } from '#test/make-settlement.ts'
import { rowsOfAllTables } from '#test/rows.ts'

let office: Office
let agent: MadeAgent
let operator: Client
let staff: Client
let me: Client
let shop: number

before(async () => {
  office = await openOffice()
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office, { tokens: 10_000, levelId: 3 })
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id)
  await operator.settlement.setUndoSettings({ approvalCents: 100 })
})

const balance = async () => (await me.ledger.wallet()).tokenCents
const undo = (by: Client, orderNo: string) =>
  by.settlement.undo({ kind: 'version', orderNo, reason: '客户退款' })
const pendingOf = async (by: Client) =>
  (await by.settlement.undoRequests({ state: 'pending', size: 100 })).rows.find(
    row => row.agentId === agent.id,
  )
async function requested(): Promise<{ id: number; orderNo: string; totalCents: number }> {
  const { orderNo, totalCents } = await renewShop(me, shop)
  assert.equal((await undo(me, orderNo)).state, 'pending')
  const row = await pendingOf(staff)
  assert.ok(row)
  return { id: row.id, orderNo, totalCents }
}

test('above the operator’s amount an undo waits; another account approves it and it is done', async () => {
  const { id, orderNo, totalCents } = await requested()
  assert.equal(await balance(), 1_000_000 - totalCents)
  const [bill] = (await me.settlement.bills({})).rows
  assert.deepEqual([bill?.status, bill?.undoPending], ['paid', true])
  assert.deepEqual(bill?.undo, { refusal: '该订单的撤销正在等待审批，请勿重复提交' })
  const shown = await staff.settlement.requestPreview({ id })
  assert.deepEqual(
    [shown.reason, shown.totalCents, shown.previews[0]?.tokensBackCents, shown.previews[0]?.refusal],
    ['客户退款', totalCents, totalCents, null],
  )
  const answer = await staff.settlement.approveUndo({ id, decision: '同意' })
  assert.equal(answer.state, 'undone')
  assert.equal(await balance(), 1_000_000)
  const [seen] = (await me.settlement.undoRequests({})).rows
  assert.deepEqual(
    [seen?.orderNo, seen?.state, seen?.decision, seen?.decidedByName],
    [orderNo, 'approved', '同意', '姓名'],
  )
  assert.equal(await refusalOf(undo(me, orderNo)), 'UNDO_DONE')
  await office.verifyLedger()
})

test('at or below the amount, or without one, nothing waits', async () => {
  const { orderNo, totalCents } = await renewShop(me, shop)
  await operator.settlement.setUndoSettings({ approvalCents: totalCents })
  assert.equal((await me.settlement.undoPreview({ kind: 'version', orderNo })).needsApproval, false)
  assert.equal((await undo(me, orderNo)).state, 'undone')
  await operator.settlement.setUndoSettings({ approvalCents: null })
  const second = await renewShop(me, shop)
  assert.equal((await undo(me, second.orderNo)).state, 'undone')
  assert.equal(await pendingOf(staff), undefined)
})

test('a rejection tells why; the order stays, and can be asked for again', async () => {
  const { id, orderNo, totalCents } = await requested()
  assert.equal(await refusalOf(staff.settlement.rejectUndo({ id, decision: ' ' })), 'DECISION_REQUIRED')
  await staff.settlement.rejectUndo({ id, decision: '客户仍在使用' })
  assert.equal(await balance(), 1_000_000 - totalCents)
  const [seen] = (await me.settlement.undoRequests({})).rows
  assert.deepEqual([seen?.state, seen?.decision], ['rejected', '客户仍在使用'])
  await assert.rejects(staff.settlement.approveUndo({ id, decision: '' }), {
    code: 'REQUEST_DECIDED',
    message: /^已由.+处理：/,
  })
  assert.equal((await undo(me, orderNo)).state, 'pending')
})

test('whoever asked cannot approve, even with the permission; a colleague of the same office can', async () => {
  const { orderNo } = await renewShop(me, shop)
  assert.equal((await undo(staff, orderNo)).state, 'pending')
  const row = await pendingOf(staff)
  assert.ok(row)
  assert.equal(row.agentId, agent.id)
  assert.equal(await refusalOf(staff.settlement.approveUndo({ id: row.id, decision: '' })), 'REQUEST_OWN')
  assert.equal(await refusalOf(staff.settlement.rejectUndo({ id: row.id, decision: '否' })), 'REQUEST_OWN')
  assert.equal(await refusalOf(me.settlement.approveUndo({ id: row.id, decision: '' })), 'FORBIDDEN')
  await operator.settlement.approveUndo({ id: row.id, decision: '' })
  assert.equal(await balance(), 1_000_000)
})

test('an order waits once: whoever asks again, alone or at once, is told so', async () => {
  const { orderNo } = await renewShop(me, shop)
  const answers = await Promise.all(Array.from({ length: 20 }, () => refusalOf(undo(me, orderNo))))
  assert.equal(answers.filter(answer => answer === 'accepted').length, 1)
  assert.ok(
    answers.every(answer => ['accepted', 'UNDO_PENDING', 'BUSY'].includes(answer)),
    `${answers}`,
  )
  assert.equal(await refusalOf(undo(staff, orderNo)), 'UNDO_PENDING')
  assert.equal((await me.settlement.undoPreview({ kind: 'version', orderNo })).isPending, true)
  // Nor does a higher amount let it pass by the one who is asked.
  await operator.settlement.setUndoSettings({ approvalCents: null })
  assert.equal(await refusalOf(undo(me, orderNo)), 'UNDO_PENDING')
})

test('of twenty approvals at once one undoes', async () => {
  const { id } = await requested()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      refusalOf((index % 2 ? staff : operator).settlement.approveUndo({ id, decision: '' })),
    ),
  )
  assert.equal(answers.filter(answer => answer === 'accepted').length, 1)
  assert.ok(
    answers.every(answer => ['accepted', 'REQUEST_DECIDED', 'BUSY'].includes(answer)),
    `${answers}`,
  )
  assert.equal(await balance(), 1_000_000)
  await office.verifyLedger()
})

test('the 15 days count to the day it was asked for', async () => {
  const { id, orderNo, totalCents } = await requested()
  await agePayment(office, 'version_orders', orderNo, 20)
  await office.owner.query(
    `update undo_requests set requested_at = requested_at - interval '6 days' where id = $1`,
    [id],
  )
  await staff.settlement.approveUndo({ id, decision: '' })
  assert.equal(await balance(), 1_000_000)
  const late = await requested()
  await agePayment(office, 'version_orders', late.orderNo, 20)
  assert.equal(await refusalOf(staff.settlement.approveUndo({ id: late.id, decision: '' })), 'UNDO_TOO_LATE')
  assert.equal(await balance(), 1_000_000 - totalCents)
})

test('approving checks every rule again, and a refusal leaves the request waiting', async () => {
  const { id } = await requested()
  const later = await renewShop(me, shop)
  const before = await rowsOfAllTables(office)
  assert.equal(await refusalOf(staff.settlement.approveUndo({ id, decision: '' })), 'UNDO_NOT_LAST')
  assert.deepEqual(await rowsOfAllTables(office), before)
  const shown = await staff.settlement.requestPreview({ id })
  assert.equal(shown.previews[0]?.refusal?.code, 'UNDO_NOT_LAST')
  await operator.settlement.setUndoSettings({ approvalCents: null })
  await undo(me, later.orderNo)
  await staff.settlement.approveUndo({ id, decision: '' })
  assert.equal(await balance(), 1_000_000)
})

test('an agent sees its own requests, staff see all and filter them, and only the operator sets the amount', async () => {
  await requested()
  const other = await makeAgent(office)
  const theirs = office.as(await office.login(other.loginName))
  assert.equal((await theirs.settlement.undoRequests({})).total, 0)
  assert.equal((await me.settlement.undoRequests({})).total, 1)
  const all = await staff.settlement.undoRequests({ size: 100 })
  assert.ok(all.total > 1)
  const ofAgent = await staff.settlement.undoRequests({ agentId: agent.id, state: 'pending' })
  assert.deepEqual(
    ofAgent.rows.map(row => row.agentId),
    [agent.id],
  )
  assert.equal(await refusalOf(staff.settlement.setUndoSettings({ approvalCents: null })), 'FORBIDDEN')
  assert.equal(await refusalOf(me.settlement.undoSettings()), 'FORBIDDEN')
  assert.equal(await refusalOf(operator.settlement.setUndoSettings({ approvalCents: -1 })), 'APPROVAL_AMOUNT')
  assert.deepEqual(await operator.settlement.undoSettings(), { approvalCents: 100 })
})

test('a sub-user with the node may ask, and its owner sees who asked', async () => {
  const sub = await makeAccount(office, agent.id, { nodeIds: [42, 421] })
  const subClient = office.as(await office.login(sub.loginName))
  const { orderNo } = await renewShop(me, shop)
  assert.equal((await undo(subClient, orderNo)).state, 'pending')
  const [row] = (await me.settlement.undoRequests({})).rows
  assert.equal(row?.requestedBy, sub.accountId)
})
