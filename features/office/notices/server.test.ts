import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { actAsSystem } from '#server/system.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { credit, type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { EXPIRING_DAYS, LOW_SMS, LOW_TOKENS, NEVER_WARNED, thresholdsOf, UNREAD_COUNTED } from './rules.ts'
import { warnAccounts } from './server-alerts.ts'
import { type Notice, notify } from './server-notify.ts'

const USUAL = thresholdsOf(LOW_TOKENS.initial, LOW_SMS.initial, EXPIRING_DAYS.initial)

let office: Office
let agent: MadeAgent
let me: Client

before(async () => {
  office = await openOffice()
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office, { tokens: 600, sms: 600 })
  me = office.as(await office.login(agent.loginName))
})

const tell = (title: string, more: Partial<Notice> = {}) =>
  actAsSystem(office.app.services, 'test', ctx =>
    notify(ctx, {
      topic: 'PaymentStatus_Notify',
      title,
      body: '内容',
      agentId: agent.id,
      ...more,
    } as Notice),
  )

const titles = async (input: Parameters<Client['notices']['list']>[0] = {}, by = me) =>
  (await by.notices.list(input)).rows.map(({ title }) => title)

/** Takes tokens from an agent. */
const spend = (agentId: number, tokens: number) =>
  office.owner.query('select ledger_post($1::jsonb)', [
    JSON.stringify([
      {
        kind: 'recharge-refund',
        asset: 'token',
        amount: tokens * 100,
        from: { kind: 'agent', id: agentId },
        to: { kind: 'vendor', book: 'issued' },
        document: `SPENT${agentId}-${Date.now()}`,
        payMethod: 'balance',
        agentId,
        actorId: 1,
        actorName: '测试',
        description: '扣回',
      },
    ]),
  ])

const DAY_MS = 86_400_000
/** A day that is worked on, and one that is not. */
const TUESDAY = '2026-11-24'
const SATURDAY = '2026-11-28'
const morningOf = (day: string) => new Date(`${day}T10:00:00+08:00`)
const warn = (day = TUESDAY) => warnAccounts(office.app.services, morningOf(day))
const inDays = (days: number, of = TUESDAY) => new Date(morningOf(of).getTime() + days * DAY_MS).toISOString()
const topics = (off: string[]) =>
  (['PaymentStatus_Notify', 'Balance_Notify', 'Expiring_Notify'] as const).map(topic => ({
    topic,
    enabled: !off.includes(topic),
  }))

test('the list shows the newest first, by topic and by what was not read', async () => {
  await tell('一')
  await tell('二', { topic: 'Campaign_Notify' })
  await tell('三')
  assert.deepEqual(await titles(), ['三', '二', '一'])
  assert.deepEqual(await titles({ topic: 'Campaign_Notify' }), ['二'])
  const [third] = (await me.notices.list({})).rows
  await me.notices.read({ traceId: third?.traceId as string })
  assert.deepEqual(await titles({ unread: true }), ['二', '一'])
  assert.equal((await me.notices.list({ unread: true })).total, 2)
})

test('reading counts down, again is the same, and all at once leaves none', async () => {
  for (const title of ['一', '二', '三']) await tell(title)
  assert.deepEqual(await me.notices.unread(), { count: 3 })
  const [newest] = (await me.notices.list({})).rows
  const traceId = newest?.traceId as string
  assert.deepEqual(await me.notices.read({ traceId }), { count: 1 })
  assert.deepEqual(await me.notices.read({ traceId }), { count: 0 })
  assert.deepEqual(await me.notices.unread(), { count: 2 })
  assert.deepEqual(await me.notices.read({ traceId: null }), { count: 2 })
  assert.deepEqual(await me.notices.unread(), { count: 0 })
  assert.ok((await me.notices.list({})).rows.every(row => row.readAt !== null))
})

test('notices of one thing stand behind the newest, and are read with it', async () => {
  const order = { link: '/admin/order/2026112800000000000001' } as const
  await tell('已付款', order)
  await tell('余额不足', { topic: 'Balance_Notify', link: '/admin/detail/personalDetails' })
  await tell('被撤销', { ...order, topic: 'OrderUndone_Notify' })
  await tell('余额不足', { link: '/admin/detail/personalDetails' })
  await tell('没有页面')
  await tell('没有页面')
  const { rows } = await me.notices.list({})
  const shown = rows.map(({ title, others, behind }) => [title, others, behind !== null])
  assert.deepEqual(shown, [
    ['没有页面', 0, false],
    ['没有页面', 0, false],
    ['余额不足', 0, false],
    ['被撤销', 1, false],
    ['余额不足', 0, false],
    ['已付款', 0, true],
  ])
  const undone = rows[3] as (typeof rows)[number]
  assert.equal(rows[5]?.behind, undone.id)
  assert.deepEqual(await me.notices.read({ traceId: undone.traceId, ofThing: true }), { count: 2 })
  assert.deepEqual(
    (await me.notices.list({})).rows.filter(({ unread }) => unread).map(({ title }) => title),
    ['没有页面', '没有页面', '余额不足', '余额不足'],
  )
})

test('what was read in the list is not brought again', async () => {
  await tell('读过')
  await me.notices.read({ traceId: null })
  const { rows } = await office.owner.query('select confirmed_at from notices where account_id = $1', [
    agent.accountId,
  ])
  assert.notEqual(rows[0].confirmed_at, null)
})

test('the badge stops counting', async () => {
  await office.owner.query(
    `insert into notices (trace_id, agent_id, account_id, topic, title, body, args, created_at, repeat_at)
     select 'trace-' || i, $2, $1, 'Balance_Notify', '', '', '{}', now(), now() from generate_series(1, 130) i`,
    [agent.accountId, agent.id],
  )
  assert.deepEqual(await me.notices.unread(), { count: UNREAD_COUNTED })
})

test('a colleague’s notices are neither listed, counted nor read', async () => {
  const colleague = await makeAccount(office, agent.id)
  const they = office.as(await office.login(colleague.loginName))
  await tell('给所有人')
  await tell('给一人', { agentId: undefined, accountIds: [agent.accountId] } as never)
  assert.deepEqual(await titles({}, they), ['给所有人'])
  const [mine] = (await me.notices.list({})).rows
  assert.equal(await refusalOf(they.notices.read({ traceId: mine?.traceId as string })), 'NOT_FOUND')
  await they.notices.read({ traceId: null })
  assert.deepEqual(await me.notices.unread(), { count: 2 })
})

test('staff of the vendor see their own notices alone', async () => {
  await tell('代理商的')
  const staff = await makeAgent(office, { staff: true })
  const they = office.as(await office.login(staff.loginName))
  assert.deepEqual(await titles({}, they), [])
  const [mine] = (await me.notices.list({})).rows
  assert.equal(await refusalOf(they.notices.read({ traceId: mine?.traceId as string })), 'NOT_FOUND')
})

test('a topic that is switched off is not told, and the centre keeps it as read', async () => {
  const thresholds = USUAL
  await me.notices.setPreferences({ topics: topics(['PaymentStatus_Notify']), thresholds })
  assert.equal(await tell('不想听', { onceKey: 'k' }), 0)
  assert.equal(await tell('想听', { topic: 'Balance_Notify' }), 1)
  const kept = await me.notices.preferences()
  assert.equal(kept.topics.find(({ topic }) => topic === 'PaymentStatus_Notify')?.enabled, false)
  assert.equal(kept.topics.find(({ topic }) => topic === 'Campaign_Notify')?.enabled, true)
  assert.deepEqual([await titles(), await me.notices.unread()], [['想听', '不想听'], { count: 1 }])
  const { rows } = await office.owner.query(
    `select read_at is not null and confirmed_at is not null as silent from notices where account_id = $1 order by id`,
    [agent.accountId],
  )
  assert.deepEqual(
    rows.map(({ silent }) => silent),
    [true, false],
  )
  await me.notices.setPreferences({ topics: topics([]), thresholds })
  assert.equal(await tell('不想听', { onceKey: 'k' }), 0, 'what the centre has is not told later')
  assert.equal(await tell('又想听'), 1)
})

test('what others do with an agent’s money cannot be switched off', async () => {
  const off = (topic: 'Credit_Notify' | 'Undo_Notify') =>
    me.notices.setPreferences({ topics: [{ topic, enabled: false }], thresholds: USUAL })
  assert.equal(await refusalOf(off('Credit_Notify')), 'TOPIC_ALWAYS_TOLD')
  await off('Undo_Notify')
  assert.equal(await tell('审批', { topic: 'Undo_Notify' }), 0)
  assert.equal(await tell('到账', { topic: 'Credit_Notify' }), 1)
})

test('whoever does it need not be told, a colleague is', async () => {
  const colleague = await makeAccount(office, agent.id, { isOwner: true })
  const they = office.as(await office.login(colleague.loginName))
  await actAsSystem(office.app.services, 'test', ctx => {
    const acting = { ...ctx, actor: { ...ctx.actor, accountId: agent.accountId } }
    return notify(acting, {
      agentId: agent.id,
      topic: 'Credit_Notify',
      title: '到账',
      body: '',
      exceptActor: true,
    })
  })
  assert.deepEqual([await titles(), await titles({}, they)], [[], ['到账']])
})

test('thresholds that make no sense are refused at their field and change nothing', async () => {
  const set = (thresholds: Partial<typeof USUAL>) =>
    me.notices.setPreferences({ topics: [], thresholds: { ...USUAL, ...thresholds } })
  assert.equal(await refusalOf(set({ sms: 0 })), 'THRESHOLD_INVALID')
  assert.equal(await refusalOf(set({ tokenCents: -1 })), 'THRESHOLD_INVALID')
  assert.equal(await refusalOf(set({ expiringDays: 91 })), 'EXPIRING_DAYS_TOO_MANY')
  assert.equal(await refusalOf(set({ sms: 1_000_000_001 })), 'THRESHOLD_TOO_LARGE')
  assert.deepEqual((await me.notices.preferences()).thresholds, USUAL)
})

test('sub-users are warned of nothing unless they choose to be', async () => {
  const clerk = await makeAccount(office, agent.id)
  const they = office.as(await office.login(clerk.loginName))
  assert.deepEqual((await they.notices.preferences()).thresholds, NEVER_WARNED)
})

describe('a low balance', () => {
  let poor: MadeAgent
  let they: Client
  beforeEach(async () => {
    poor = await makeAgent(office, { tokens: 499, sms: 499 })
    they = office.as(await office.login(poor.loginName))
    await warn()
  })

  /** As if what was told so far had been told so many days earlier. */
  const daysPass = async (days: number) => {
    await office.owner.query(
      `update notices set created_at = created_at - make_interval(days => $2),
         once_key = split_part(once_key, ' ', 1) || ' ' || (split_part(once_key, ' ', 2)::date - $2::int)
       where account_id = $1`,
      [poor.accountId, days],
    )
  }
  const told = async () => (await titles({}, they)).sort()

  test('is told once', async () => {
    assert.deepEqual(await told(), ['代币余额不足', '短信余额不足'])
    assert.match((await they.notices.list({})).rows.map(({ body }) => body).join(), /499\.00 代币.*|499 条/)
    await warn()
    assert.equal((await told()).length, 2)
    assert.deepEqual(await titles(), [], 'whoever has enough hears nothing')
  })

  test('is not told again while it stays low, but after a week', async () => {
    await daysPass(1)
    await warn()
    await spend(poor.id, 100)
    await warn()
    assert.equal((await told()).length, 2)
    await daysPass(5)
    await warn()
    assert.equal((await told()).length, 2)
    await daysPass(1)
    await warn()
    assert.equal((await told()).length, 4)
  })

  test('is told again once it had risen above and fell', async () => {
    await daysPass(1)
    await credit(office, poor.id, 'token', 10_000)
    await warn()
    assert.equal((await told()).length, 2)
    await spend(poor.id, 100)
    await warn()
    assert.deepEqual(await told(), ['代币余额不足', '代币余额不足', '短信余额不足'])
  })
})

test('each account’s own thresholds decide', async () => {
  await me.notices.setPreferences({
    topics: [],
    thresholds: { tokenCents: 100_000, sms: null, expiringDays: null },
  })
  await warn()
  assert.deepEqual(await titles(), ['代币余额不足'])
  await credit(office, agent.id, 'token', 100_000)
})

test('a sub-user who may not see the wallet is not told of it', async () => {
  const blind = await makeAccount(office, agent.id, { nodeIds: [27] })
  const they = office.as(await office.login(blind.loginName))
  await they.notices.setPreferences({
    topics: [],
    thresholds: { tokenCents: 100_000, sms: 100_000, expiringDays: 30 },
  })
  await makeMerchant(office, agent.id, { expires_at: inDays(20) })
  await warn()
  assert.deepEqual(await titles({}, they), [])
})

test('shops whose term ends soon are told with their number', async () => {
  await makeMerchant(office, agent.id, { expires_at: inDays(2) })
  await makeMerchant(office, agent.id, { expires_at: inDays(6) })
  await makeMerchant(office, agent.id, { expires_at: inDays(20) })
  await makeMerchant(office, agent.id, { expires_at: inDays(-3) })
  await warn()
  const { rows } = await me.notices.list({ topic: 'Expiring_Notify' })
  assert.deepEqual(
    rows.map(({ body }) => body),
    ['7 天内有 2 家商户到期，请及时续费。'],
  )
})

test('on a day off an owner is told of a low balance, and of shops that end on the next day that is worked on', async () => {
  const poor = await makeAgent(office, { tokens: 499, sms: 600 })
  const they = office.as(await office.login(poor.loginName))
  await makeMerchant(office, poor.id, { expires_at: inDays(4, SATURDAY) })
  await warn(SATURDAY)
  assert.deepEqual(await titles({}, they), ['代币余额不足'])
  await warn('2026-11-30')
  assert.deepEqual((await titles({}, they)).toSorted(), ['代币余额不足', '商户即将到期'])
})
