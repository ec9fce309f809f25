// What the vendor's staff do with work orders, two at once among them, and what waits for them (D3 §7).
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent } from '#test/make.ts'
import type { StaffStep } from './rules.ts'

let office: Office
let staffAgent: MadeAgent
let staff: Client
let other: Client
let otherId: number
let agent: MadeAgent
let me: Client

before(async () => {
  office = await openOffice()
  staffAgent = await makeAgent(office, { operator: true })
  staff = office.as(await office.login(staffAgent.loginName))
  const colleague = await makeAccount(office, staffAgent.id, { isOwner: true })
  otherId = colleague.accountId
  await office.owner.query(`update accounts set name = '袁娜' where id = $1`, [otherId])
  other = office.as(await office.login(colleague.loginName))
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
})

type Asked = Parameters<Client['workOrders']['create']>[0]
const ASKED = { kind: 'fault', urgency: 'urgent', title: '打印机离线', text: '换了网线也不行' } as const
const ask = async (more: Partial<Asked> = {}) => (await me.workOrders.create({ ...ASKED, ...more })).id
const shown = async (id: number, by = me) => by.workOrders.details({ id })
const stateOf = async (id: number) => (await shown(id)).order.state
const take = async (id: number, step: StaffStep, more: { text?: string; by?: Client } = {}) => {
  const { by = staff, text } = more
  const { revision } = (await shown(id, by)).order
  return by.workOrders.step({ id, step, revision, ...(text && { text }) })
}
/** A work order that the staff have brought into this state. */
const askedAs = async (...steps: StaffStep[]) => {
  const id = await ask()
  for (const step of steps) await take(id, step, { text: step === 'ask' ? '请提供小票照片' : '' })
  return id
}
const noticesOf = async (accountId: number): Promise<{ title: string; body: string; link: string }[]> =>
  (
    await office.owner.query(
      `select title, body, link from notices where account_id = $1 and topic = 'WorkOrder_Notify' order by id`,
      [accountId],
    )
  ).rows

describe('the staff', () => {
  test('of two at once the second is told who was first', async () => {
    const id = await ask()
    const { revision } = (await shown(id, staff)).order
    const codes = await Promise.all([
      refusalOf(staff.workOrders.step({ id, step: 'accept', revision })),
      refusalOf(other.workOrders.step({ id, step: 'accept', revision })),
    ])
    assert.equal(codes.filter(code => code === 'CHANGED_MEANWHILE').length, 1)
    await take(id, 'start', { by: other })
    const told = await staff.workOrders
      .assign({ id, accountId: null, revision })
      .catch((error: Error) => error.message)
    assert.equal(told, '袁娜刚刚已处理，请查看后再操作')
  })

  test('of two answers at once the second keeps nothing', async () => {
    const id = await ask()
    const codes = await Promise.all([
      refusalOf(staff.workOrders.answer({ id, text: '请重启', revision: 0 })),
      refusalOf(other.workOrders.answer({ id, text: '请检查电源', revision: 0 })),
    ])
    assert.deepEqual(codes.toSorted(), ['CHANGED_MEANWHILE', 'accepted'])
    assert.equal((await shown(id)).messages.length, 2)
  })

  test('a partner who closes and a colleague who finishes at once: one of them is refused', async () => {
    const id = await askedAs('start')
    const { revision } = (await shown(id, staff)).order
    const codes = await Promise.all([
      refusalOf(me.workOrders.close({ id })),
      refusalOf(staff.workOrders.step({ id, step: 'finish', revision })),
    ])
    // What is done can still be closed; what is closed cannot be done.
    assert.equal(codes[0], 'accepted')
    assert.ok(codes[1] === 'accepted' || codes[1] === 'CHANGED_MEANWHILE', String(codes[1]))
    assert.equal(await stateOf(id), 'closed')
  })

  test('charge somebody, who alone is told from then on', async () => {
    const id = await ask()
    const { rows } = await staff.workOrders.people()
    assert.ok(rows.some(row => row.id === otherId && row.name === '袁娜'))
    await staff.workOrders.assign({ id, accountId: otherId, revision: 0 })
    assert.deepEqual((await noticesOf(otherId)).at(-1)?.title, '工单已分配给您')
    const before = (await noticesOf(staffAgent.accountId)).length
    await me.workOrders.say({ id, text: '还在等' })
    assert.equal((await noticesOf(staffAgent.accountId)).length, before)
    assert.equal((await noticesOf(otherId)).at(-1)?.body, '打印机离线：还在等')
    assert.deepEqual(
      (await other.workOrders.all({ mine: true, agentId: agent.id })).rows.map(row => row.id),
      [id],
    )
    assert.equal((await staff.workOrders.all({ mine: true, agentId: agent.id })).total, 0)
    const [event] = (await shown(id)).events
    assert.deepEqual(event?.changes, [{ name: '负责人', before: '', after: '袁娜' }])
    assert.equal(
      await refusalOf(staff.workOrders.assign({ id, accountId: agent.accountId, revision: 1 })),
      'PERSON_UNKNOWN',
    )
  })

  test('say by when, and see what is overdue first', async () => {
    const late = await ask({ title: '逾期的' })
    const soon = await ask({ title: '明天的' })
    const done = await askedAs('start', 'finish')
    await office.owner.query(
      `update work_orders set due_at = now() - interval '1 hour', pressing_at = now() - interval '1 hour' where id = $1`,
      [late],
    )
    const due = new Date(Date.now() + 3_600_000).toISOString()
    await staff.workOrders.setDue({ id: soon, dueAt: due, revision: 0 })
    assert.equal(
      await refusalOf(staff.workOrders.setDue({ id: soon, dueAt: new Date(0).toISOString(), revision: 1 })),
      'DUE_PAST',
    )
    assert.deepEqual(
      (await staff.workOrders.all({ agentId: agent.id })).rows.map(({ id }) => id),
      [late, soon, done],
    )
    const overdue = await staff.workOrders.all({ agentId: agent.id, overdue: true })
    assert.deepEqual([overdue.total, overdue.rows[0]?.id], [1, late])
    const { rows } = await staff.workOrders.allCounts({ agentId: agent.id })
    assert.deepEqual(
      rows.filter(({ count }) => count > 0),
      [
        { state: 'new', count: 2 },
        { state: 'done', count: 1 },
      ],
    )
  })

  test('leave notes that the partner never reads, past neither wall', async () => {
    const id = await ask()
    await staff.workOrders.note({ id, text: '老客户，优先处理' })
    assert.ok((await shown(id, staff)).messages.some(({ side }) => side === 'note'))
    assert.ok(!JSON.stringify(await shown(id)).includes('老客户'))
    const walls = office.app.services.walls
    try {
      walls.explicitScope = false
      assert.ok(!JSON.stringify(await shown(id)).includes('老客户'))
    } finally {
      walls.explicitScope = true
    }
    assert.equal((await me.workOrders.list({ search: '老客户' })).total, 0)
  })

  test('find what waits in the inbox: nobody’s, one’s own, and what others let become overdue', async () => {
    const id = await ask({ title: '收件箱里的' })
    const kindsFor = async (by: Client) =>
      (await by.inbox.list({ whose: 'all', size: 100, order: 'desc' })).rows
        .filter(row => row.title === '收件箱里的')
        .map(({ kind }) => kind)
    assert.deepEqual(await kindsFor(staff), ['受理工单'])
    await staff.workOrders.assign({ id, accountId: otherId, revision: 0 })
    assert.deepEqual([await kindsFor(staff), await kindsFor(other)], [[], ['我负责的工单']])
    await office.owner.query(`update work_orders set due_at = now() - interval '1 hour' where id = $1`, [id])
    assert.deepEqual([await kindsFor(staff), await kindsFor(other)], [['逾期工单'], ['我负责的工单']])
    await me.workOrders.close({ id })
    assert.deepEqual([await kindsFor(staff), await kindsFor(other)], [[], []])
  })
})
