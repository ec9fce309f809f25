// Work orders through the router, with real locks, notices, row-level security and the job (D3 §7).
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import sharp from 'sharp'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { nodeId } from '#test/make-api-keys.ts'
import { type OrderState, STAFF_STEPS, type StaffStep } from './rules.ts'
import { expireDone } from './server-vendor.ts'
import { makeWorkOrder } from './walk.ts'

let office: Office
let staffAgent: MadeAgent
let staffCookie: string
let staff: Client
let other: Client
let otherId: number
let agent: MadeAgent
let cookie: string
let me: Client

before(async () => {
  office = await openOffice()
  staffAgent = await makeAgent(office, { operator: true })
  staffCookie = await office.login(staffAgent.loginName)
  staff = office.as(staffCookie)
  const colleague = await makeAccount(office, staffAgent.id, { isOwner: true })
  otherId = colleague.accountId
  await office.owner.query(`update accounts set name = '袁娜' where id = $1`, [otherId])
  other = office.as(await office.login(colleague.loginName))
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office)
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
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
const png = () =>
  sharp({ create: { width: 40, height: 40, channels: 3, background: '#c33' } })
    .png()
    .toBuffer()
async function upload(by: string): Promise<string> {
  const answer = await office.app.http.inject({
    method: 'POST',
    url: '/api/files?purpose=work-order',
    headers: { 'x-requested-with': 'partner-office', 'content-type': 'image/png', cookie: by },
    payload: await png(),
  })
  assert.equal(answer.statusCode, 200, answer.body)
  return (answer.json() as { id: string }).id
}

describe('a work order', () => {
  test('goes from the partner to the staff and back, with each change in its history', async () => {
    const shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
    const id = await ask({ merchantId: shop })
    const [row] = (await staff.workOrders.all({ search: '网线也不行' })).rows
    assert.deepEqual(
      [row?.id, row?.state, row?.shopName, row?.unread, row?.agentId],
      [id, 'new', '老张面馆', true, agent.id],
    )
    assert.deepEqual((await noticesOf(staffAgent.accountId)).at(-1), {
      ...{ title: '新的紧急工单', body: '打印机离线' },
      link: `/admin/help/workOrderList?workOrder=${id}`,
    })
    await staff.workOrders.read({ id })
    assert.equal((await shown(id)).messages[0]?.seen, true)
    await take(id, 'accept')
    await take(id, 'start')
    await take(id, 'ask', { text: '请提供小票照片' })
    assert.deepEqual((await noticesOf(agent.accountId)).map(({ title }) => title).slice(-3), [
      '您的工单已受理',
      '您的工单处理中',
      '您的工单待代理商补充',
    ])
    await me.workOrders.say({ id, text: '照片见附件' })
    assert.equal(await stateOf(id), 'working')
    await take(id, 'finish', { text: '已更换驱动' })
    const { order, messages, events } = await shown(id)
    assert.deepEqual(
      messages.map(({ side, text }) => `${side} ${text}`),
      ['partner 换了网线也不行', 'vendor 请提供小票照片', 'partner 照片见附件', 'vendor 已更换驱动'],
    )
    assert.deepEqual(
      events.toReversed().flatMap(({ changes }) => {
        const state = changes.find(({ name }) => name === '状态')
        return state ? [`${state.before} → ${state.after}`] : []
      }),
      [
        '待受理 → 已受理',
        '已受理 → 处理中',
        '处理中 → 待代理商补充',
        '待代理商补充 → 处理中',
        '处理中 → 已完成',
      ],
    )
    assert.equal(order.assigneeId, staffAgent.accountId)
    await me.workOrders.rate({ id, satisfaction: '4', text: '很快' })
    assert.equal((await noticesOf(staffAgent.accountId)).at(-1)?.title, '代理商评价了工单：4 分 满意')
    await me.workOrders.close({ id })
    assert.equal(await stateOf(id), 'closed')
    assert.equal(await refusalOf(me.workOrders.say({ id, text: '还有' })), 'ORDER_CLOSED')
    assert.equal(await refusalOf(me.workOrders.close({ id })), 'CLOSED_ALREADY')
  })

  test('each step is taken from its states alone', async () => {
    const ways: readonly (readonly [StaffStep[], OrderState, readonly StaffStep[]])[] = [
      [[], 'new', ['accept', 'start']],
      [['accept'], 'accepted', ['start', 'ask']],
      [['start'], 'working', ['ask', 'finish']],
      [['start', 'ask'], 'waiting', ['resume', 'finish']],
      [['start', 'finish'], 'done', []],
    ]
    for (const [steps, state, allowed] of ways)
      for (const step of Object.keys(STAFF_STEPS) as StaffStep[]) {
        const id = await askedAs(...steps)
        assert.equal(await stateOf(id), state)
        const code = await refusalOf(take(id, step, { text: '说明' }))
        assert.equal(code, allowed.includes(step) ? 'accepted' : 'STEP_IMPOSSIBLE', `${step} from ${state}`)
      }
    assert.equal(await refusalOf(take(await askedAs('start'), 'ask')), 'CONTENT_REQUIRED')
  })

  test('names what is wrong with a new one, and is about a shop of one’s own', async () => {
    const shop = await makeMerchant(office, (await makeAgent(office)).id)
    const cases: readonly (readonly [Partial<Asked>, string])[] = [
      [{ kind: null }, 'KIND_REQUIRED'],
      [{ title: ' ' }, 'TITLE_REQUIRED'],
      [{ text: '' }, 'CONTENT_REQUIRED'],
      [{ text: '长'.repeat(501) }, 'CONTENT_TOO_LONG'],
      [{ merchantId: shop }, 'SHOP_UNKNOWN'],
      [{ pictures: [crypto.randomUUID()] }, 'PICTURE_UNKNOWN'],
    ]
    for (const [change, code] of cases) assert.equal(await refusalOf(ask(change)), code)
    assert.equal(await refusalOf(staff.workOrders.create(ASKED)), 'VENDORS_OWN')
  })

  test('is due by its urgency, and the clock stands while the partner is waited for', async () => {
    const id = await ask({ urgency: 'critical' })
    const { order } = await shown(id)
    assert.equal(Date.parse(order.dueAt) - Date.parse(order.createdAt), 4 * 3_600_000)
    await take(id, 'start')
    await take(id, 'ask', { text: '请提供账号' })
    assert.equal((await shown(id)).order.pressingAt, null)
    await office.owner.query(
      `update work_orders set stopped_at = stopped_at - interval '2 hours' where id = $1`,
      [id],
    )
    await me.workOrders.say({ id, text: '10086' })
    const later = Date.parse((await shown(id)).order.dueAt) - Date.parse(order.dueAt)
    assert.ok(later >= 2 * 3_600_000 && later < 2 * 3_600_000 + 60_000, String(later))
  })
})

describe('what is done', () => {
  test('is opened anew by whoever is not satisfied, with a reason and a new due time', async () => {
    const id = await askedAs('start', 'finish')
    await me.workOrders.rate({ id, satisfaction: '2' })
    assert.equal(await refusalOf(me.workOrders.rate({ id, satisfaction: '5' })), 'RATED_ALREADY')
    assert.equal(await refusalOf(me.workOrders.reopen({ id, reason: ' ' })), 'REASON_REQUIRED')
    await me.workOrders.reopen({ id, reason: '又断线了' })
    const { order, messages } = await shown(id)
    assert.deepEqual(
      [order.state, order.satisfaction, order.doneAt, messages.at(-1)?.text],
      ['working', null, null, '又断线了'],
    )
    assert.equal(await refusalOf(me.workOrders.reopen({ id, reason: '再' })), 'NOT_DONE')
    await take(id, 'finish')
    await me.workOrders.rate({ id, satisfaction: '5' })
    assert.equal(await refusalOf(me.workOrders.reopen({ id, reason: '再' })), 'SATISFIED')
  })

  test('is closed by the program once nobody has opened it anew for some days', async () => {
    const old = await askedAs('start', 'finish')
    const young = await askedAs('start', 'finish')
    await office.owner.query(`update work_orders set done_at = now() - interval '8 days' where id = $1`, [
      old,
    ])
    assert.equal(await refusalOf(me.workOrders.reopen({ id: old, reason: '又断线了' })), 'REOPEN_LATE')
    assert.equal(await expireDone(office.app.services), 1)
    assert.deepEqual([await stateOf(old), await stateOf(young)], ['closed', 'done'])
    const [event] = (await shown(old)).events
    assert.deepEqual([event?.title, event?.createdByName], ['完成后已自动关闭', '系统'])
    assert.equal((await noticesOf(agent.accountId)).at(-1)?.title, '工单已自动关闭')
    assert.equal(await expireDone(office.app.services), 0)
    await me.workOrders.rate({ id: old, satisfaction: '3' })
  })
})

describe('whose it is', () => {
  test('a new one is taken back by its author alone', async () => {
    const colleague = await makeAccount(office, agent.id, { isOwner: true })
    const theirs = office.as(await office.login(colleague.loginName))
    const id = await ask()
    assert.equal(await refusalOf(theirs.workOrders.remove({ id })), 'NOT_AUTHOR')
    await me.workOrders.remove({ id })
    assert.equal(await refusalOf(shown(id)), 'NOT_FOUND')
    assert.equal(await refusalOf(shown(id, staff)), 'NOT_FOUND')
    assert.equal((await staff.workOrders.all({ agentId: agent.id })).total, 0)
    const { rows } = await office.owner.query('select deleted_by_name from work_orders where id = $1', [id])
    assert.equal(rows.length, 1)
    assert.equal(await refusalOf(me.workOrders.remove({ id: await askedAs('accept') })), 'ONLY_NEW')
  })

  test('another agency, also the one above, sees none of it', async () => {
    const id = await ask()
    const below = await makeAgent(office, { parentId: agent.id })
    const theirs = office.as(await office.login(below.loginName))
    const belows = (await theirs.workOrders.create(ASKED)).id
    for (const [by, theirId] of [
      [theirs, id],
      [me, belows],
    ] as const) {
      assert.equal(await refusalOf(shown(theirId, by)), 'NOT_FOUND')
      assert.equal(await refusalOf(by.workOrders.say({ id: theirId, text: '在吗' })), 'NOT_FOUND')
      assert.equal((await by.workOrders.list({})).total, 1)
    }
    assert.equal(await refusalOf(me.workOrders.all({})), 'FORBIDDEN')
  })

  test('a person who sees their own shops alone sees what is about these, and what they asked', async () => {
    const nodeIds = ['workOrders.list', 'workOrders.write'].map(nodeId)
    const seller = await makeAccount(office, agent.id, { nodeIds, dataScope: 'own' })
    const theirs = office.as(await office.login(seller.loginName))
    const shop = await makeMerchant(office, agent.id)
    const about = await ask({ merchantId: shop })
    await ask()
    const asked = (await theirs.workOrders.create(ASKED)).id
    assert.deepEqual(
      (await theirs.workOrders.list({})).rows.map(row => row.id),
      [asked],
    )
    await office.owner.query('update merchants set manager_id = $2 where id = $1', [shop, seller.accountId])
    assert.equal((await theirs.workOrders.list({})).total, 2)
    assert.equal((await shown(about, theirs)).messages.length, 1)
  })

  test('pictures of either side are seen by both, and belong to one message', async () => {
    const mine = await upload(cookie)
    const id = await ask({ pictures: [mine] })
    const theirs = await upload(staffCookie)
    await staff.workOrders.answer({ id, text: '按图操作', pictures: [theirs], revision: 0 })
    assert.deepEqual(
      (await shown(id)).messages.map(({ pictures }) => pictures),
      [[mine], [theirs]],
    )
    for (const [picture, by] of [
      [mine, staffCookie],
      [theirs, cookie],
    ] as const) {
      const url = `/api/files/${picture}`
      assert.equal((await office.app.http.inject({ url, headers: { cookie: by } })).statusCode, 200)
    }
    assert.equal(
      await refusalOf(me.workOrders.say({ id, text: '再看', pictures: [mine] })),
      'PICTURE_UNKNOWN',
    )
    const stranger = await office.login((await makeAgent(office)).loginName)
    const foreign = await office.app.http.inject({
      url: `/api/files/${theirs}`,
      headers: { cookie: stranger },
    })
    assert.equal(foreign.statusCode, 404)
  })

  test('both see who is there and types', async () => {
    const id = await ask()
    await other.workOrders.here({ id, typing: true })
    for (const by of [me, staff])
      assert.deepEqual((await by.workOrders.presence({ id })).people, [{ name: '袁娜', typing: true }])
    assert.deepEqual((await other.workOrders.presence({ id })).people, [])
  })

  test('an agency files so many a day', async () => {
    for (let i = 0; i < 50; i++) await makeWorkOrder(office, { agentId: agent.id })
    assert.equal(await refusalOf(ask()), 'ORDERS_TOO_MANY')
  })
})
