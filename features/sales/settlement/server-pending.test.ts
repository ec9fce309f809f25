import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { renewShop } from '#test/make-settlement.ts'
import { jobs } from './jobs.ts'

const WHOLE = 1_000_000

let office: Office
let agent: MadeAgent
let operator: Client
let staff: Client
let me: Client

before(async () => {
  office = await openOffice()
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office, { tokens: WHOLE / 100, levelId: 3 })
  me = office.as(await office.login(agent.loginName))
})

type Batch = { batchNo: string; totalCents: number; lines: string[] }

/** Three shops renewed together, the amount above each line and below their sum. */
async function renewed(): Promise<Batch> {
  const shops = [1, 2, 3].map(() => makeMerchant(office, agent.id))
  const { batchNo, totalCents } = await me.purchases.bulkQuote({
    merchantIds: await Promise.all(shops),
    term: 'year',
    periods: 1,
    remark: '',
  })
  await me.purchases.bulkConfirm({ batchNo })
  await operator.settlement.setUndoSettings({ approvalCents: Math.floor((totalCents / 3) * 1.5) })
  const { rows } = await office.owner.query<{ order_no: string }>(
    'select order_no from version_orders where batch_no = $1 order by id',
    [batchNo],
  )
  return { batchNo, totalCents, lines: rows.map(row => row.order_no) }
}

const balance = async () => (await me.ledger.wallet()).tokenCents
const undo = (kind: 'version' | 'batch', orderNo: string, by = me) =>
  by.settlement.undo({ kind, orderNo, reason: '客户退款' })
const requestsOf = async () => (await me.settlement.undoRequests({ size: 100 })).rows
async function requestOf(orderNo: string) {
  const row = (await requestsOf()).find(one => one.orderNo === orderNo && one.state === 'pending')
  assert.ok(row, `no request for ${orderNo}`)
  return row
}
const age = (id: number, days: number) =>
  office.owner.query(
    'update undo_requests set requested_at = requested_at - make_interval(secs => $2) where id = $1',
    [id, days * 86_400],
  )
async function clean(): Promise<void> {
  for (const job of jobs) await job.run(office.owner, office.app.services)
}

test('line by line, a batch needs the same second person as the whole', async () => {
  const { batchNo, totalCents, lines } = await renewed()
  const [first = '', second = ''] = lines
  assert.equal((await me.settlement.undoPreview({ kind: 'version', orderNo: first })).needsApproval, true)
  assert.equal((await undo('version', first)).state, 'pending')
  assert.equal((await undo('version', second)).state, 'pending')
  assert.equal(await balance(), WHOLE - totalCents)
  const { id } = await requestOf(first)
  await staff.settlement.approveUndo({ id, decision: '' })
  assert.equal(await balance(), WHOLE - totalCents + totalCents / 3)
  // What was undone counts on: the rest is no smaller for it.
  assert.equal((await undo('version', lines[2] ?? '')).state, 'pending')
  assert.equal((await me.settlement.undoPreview({ kind: 'batch', orderNo: batchNo })).needsApproval, true)
  await office.verifyLedger()
})

test('while a batch waits none of its lines is undone, and while a line waits the batch is not', async () => {
  const whole = await renewed()
  assert.equal((await undo('batch', whole.batchNo)).state, 'pending')
  for (const line of whole.lines) {
    assert.equal((await me.settlement.undoPreview({ kind: 'version', orderNo: line })).isPending, true)
    assert.equal(await refusalOf(undo('version', line)), 'UNDO_PENDING')
  }
  const apart = await renewed()
  const [line = ''] = apart.lines
  await undo('version', line)
  // Nor does a higher amount let it pass.
  await operator.settlement.setUndoSettings({ approvalCents: null })
  assert.equal((await me.settlement.undoPreview({ kind: 'batch', orderNo: apart.batchNo })).isPending, true)
  assert.equal(await refusalOf(undo('batch', apart.batchNo)), 'UNDO_PENDING')
  assert.equal((await undo('version', apart.lines[1] ?? '')).state, 'undone')
  await office.verifyLedger()
})

test('a batch and its lines asked for at once wait in one way only', async () => {
  const { batchNo, lines, totalCents } = await renewed()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      refusalOf(i % 2 ? undo('batch', batchNo) : undo('version', lines[i % 3] ?? '')),
    ),
  )
  assert.ok(answers.every(answer => ['accepted', 'UNDO_PENDING', 'BUSY'].includes(answer)))
  const kinds = new Set((await requestsOf()).map(row => row.kind))
  assert.equal(kinds.size, 1)
  assert.equal(await balance(), WHOLE - totalCents)
})

async function single(): Promise<{ orderNo: string; totalCents: number; id: number }> {
  await operator.settlement.setUndoSettings({ approvalCents: 100 })
  const { orderNo, totalCents } = await renewShop(me, await makeMerchant(office, agent.id))
  assert.equal((await undo('version', orderNo)).state, 'pending')
  return { orderNo, totalCents, id: (await requestOf(orderNo)).id }
}

test('a request ends after 15 days: it can be neither approved nor rejected, and stands in no one’s way', async () => {
  const { orderNo, totalCents, id } = await single()
  await age(id, 14.99)
  assert.equal(await refusalOf(undo('version', orderNo)), 'UNDO_PENDING')
  await age(id, 0.02)
  assert.equal(await refusalOf(staff.settlement.approveUndo({ id, decision: '' })), 'UNDO_REQUEST_EXPIRED')
  assert.equal(await refusalOf(staff.settlement.rejectUndo({ id, decision: '否' })), 'UNDO_REQUEST_EXPIRED')
  assert.equal(await balance(), WHOLE - totalCents)
  assert.equal((await me.settlement.bills({})).rows[0]?.undoPending, false)
  assert.equal((await me.settlement.undoPreview({ kind: 'version', orderNo })).isPending, false)
  assert.equal((await undo('version', orderNo)).state, 'pending')
  const old = (await requestsOf()).find(row => row.id === id)
  assert.deepEqual([old?.state, old?.decision], ['rejected', '已过期'])
  await staff.settlement.approveUndo({ id: (await requestOf(orderNo)).id, decision: '' })
  assert.equal(await balance(), WHOLE)
})

test('the hourly cleaning closes requests that ended, and those whose order was undone another way', async () => {
  const ended = await single()
  await age(ended.id, 15.01)
  const undone = await single()
  await operator.settlement.setUndoSettings({ approvalCents: null })
  await office.owner.query(`update undo_requests set state = 'approved' where id = $1`, [undone.id])
  await undo('version', undone.orderNo)
  await office.owner.query(`update undo_requests set state = 'pending' where id = $1`, [undone.id])
  const waiting = await single()
  await clean()
  const states = new Map((await requestsOf()).map(row => [row.id, [row.state, row.decision]]))
  assert.deepEqual(states.get(ended.id), ['rejected', '已过期'])
  assert.deepEqual(states.get(undone.id), ['rejected', '订单已撤销'])
  assert.deepEqual(states.get(waiting.id), ['pending', ''])
  const told = await me.notices.list({ topic: 'Undo_Notify' })
  assert.deepEqual(
    told.rows.map(({ title, body }) => [title, body]),
    [['撤销申请被驳回', `版本订单 ${ended.orderNo}。驳回原因：已过期`]],
  )
})

test('approving a batch closes what still waited for one of its lines', async () => {
  const { batchNo, lines, totalCents } = await renewed()
  await undo('batch', batchNo)
  const batch = await requestOf(batchNo)
  // As written before lines and batch knew of each other.
  await office.owner.query(
    `insert into undo_requests (agent_id, kind, order_no, total_cents, reason, state, requested_by, requested_by_name, requested_at)
     select agent_id, 'version', $2, 1, reason, state, requested_by, requested_by_name, requested_at from undo_requests where id = $1`,
    [batch.id, lines[0]],
  )
  await staff.settlement.approveUndo({ id: batch.id, decision: '' })
  assert.equal(await balance(), WHOLE)
  assert.ok(totalCents > 0)
  const line = (await requestsOf()).find(row => row.kind === 'version')
  assert.deepEqual([line?.state, line?.decision], ['rejected', '订单已撤销'])
})
