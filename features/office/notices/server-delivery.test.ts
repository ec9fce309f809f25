import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { actAsSystem } from '#server/system.ts'
import { type Office, openBeside, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent } from '#test/make.ts'
import { openPage, openWire, type Page, type PageOptions } from '#test/sockets.ts'
import { CONFIRM_EVENT, MISSED_MAX, REGISTER_EVENT } from './rules.ts'
import { redeliverNotices } from './server-delivery.ts'
import { type Notice, notify } from './server-notify.ts'

let office: Office
let agent: MadeAgent
let cookie: string
let pages: Page[]

before(async () => {
  office = await openOffice({ listen: true })
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office)
  cookie = await office.login(agent.loginName)
  pages = []
})
test.afterEach(() => {
  for (const page of pages) page.close()
})

async function open(options: Partial<PageOptions> = {}): Promise<Page> {
  const page = await openPage({ url: office.url, cookie, ...options })
  pages.push(page)
  return page
}

const about = (title: string) => ({
  topic: 'PaymentStatus_Notify' as const,
  title,
  body: '内容',
  args: { queryId: 'Q1' },
})

const tell = (title: string, more: Partial<Notice> = {}, from = office.app.services) =>
  actAsSystem(from, 'test', ctx => notify(ctx, { ...about(title), agentId: agent.id, ...more } as Notice))

async function rowsOf(accountId = agent.accountId) {
  const { rows } = await office.owner.query(
    'select id, title, confirmed_at, repeats, read_at from notices where account_id = $1 order by id',
    [accountId],
  )
  return rows as {
    id: string
    title: string
    confirmed_at: Date | null
    repeats: number
    read_at: Date | null
  }[]
}

/** A socket that was closed is known to be closed a moment later. */
async function isLetInAgain(): Promise<boolean> {
  for (let i = 0; i < 200; i++) {
    const wire = await openWire({ url: office.url, cookie })
    wire?.destroy()
    if (wire) return true
    await pause(25)
  }
  return false
}

/** As if the wait were over. */
const makeDue = () =>
  office.owner.query(`update notices set repeat_at = now() - interval '1 second' where account_id = $1`, [
    agent.accountId,
  ])

async function untilConfirmed(): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if ((await rowsOf()).every(row => row.confirmed_at !== null)) return
    await pause(25)
  }
  assert.fail('the notices were not confirmed')
}

test('a notice reaches an open page with the names of the documents', async () => {
  const page = await open()
  await tell('支付成功', { link: '/admin/account/msgRecharge' })
  const [message] = await page.hears(1)
  assert.equal(message?.topicName, 'PaymentStatus_Notify')
  assert.deepEqual(message?.argsObj, { queryId: 'Q1' })
  assert.equal(message?.title, '支付成功')
  assert.equal(message?.link, '/admin/account/msgRecharge')
  assert.match(message?.createdAt ?? '', /^\d{4}-.*Z$/)
})

test('all tabs of an account hear of it, and each may confirm it', async () => {
  const [first, second] = [await open(), await open()]
  await tell('两个标签页')
  const [one] = await first.hears(1)
  const [two] = await second.hears(1)
  assert.equal(one?.traceId, two?.traceId)
  assert.equal(await first.confirm(one?.traceId as string), true)
  assert.equal(await second.confirm(one?.traceId as string), true)
  await untilConfirmed()
})

test('a notice of a transaction that failed reaches nobody', async () => {
  const page = await open()
  const failing = actAsSystem(office.app.services, 'test', async ctx => {
    await notify(ctx, { ...about('不该出现'), agentId: agent.id })
    throw new Error('undone')
  })
  await assert.rejects(failing, /undone/)
  await tell('应该出现')
  const heard = await page.hears(1)
  assert.deepEqual(
    heard.map(({ title }) => title),
    ['应该出现'],
  )
})

test('without a session, with an ended one or from a foreign page no socket opens', async () => {
  await assert.rejects(openPage({ url: office.url }))
  await assert.rejects(openPage({ url: office.url, cookie: 'session=nonsense' }))
  await assert.rejects(openPage({ url: office.url, cookie, origin: 'http://evil.example' }))
  await assert.rejects(openPage({ url: office.url, cookie, origin: null }))
  await office.as(cookie).signIn.logout()
  await assert.rejects(openPage({ url: office.url, cookie }))
})

test('who a page claims to be is not believed', async () => {
  const other = await makeAgent(office)
  const otherPage = await open({ cookie: await office.login(other.loginName) })
  const claim = { UserId: `FeedBack_${agent.accountId}`, AppType: 'PcWeb', IsMaster: true, ClientId: 'c1' }
  assert.equal(await otherPage.socket.timeout(5_000).emitWithAck(REGISTER_EVENT, claim), true)
  await tell('只给本人')
  await tell('给对方', { agentId: other.id })
  const heard = await otherPage.hears(1)
  assert.deepEqual(
    heard.map(({ title }) => title),
    ['给对方'],
  )
})

test("another's notice cannot be confirmed", async () => {
  const page = await open()
  const other = await makeAgent(office)
  const otherPage = await open({ cookie: await office.login(other.loginName) })
  await tell('不能代为确认')
  const [message] = await page.hears(1)
  await otherPage.confirm(message?.traceId as string)
  await tell('对方自己的', { agentId: other.id })
  const [own] = await otherPage.hears(1)
  await otherPage.confirm(own?.traceId as string)
  for (let i = 0; i < 200 && (await rowsOf(other.accountId))[0]?.confirmed_at === null; i++) await pause(25)
  assert.notEqual((await rowsOf(other.accountId))[0]?.confirmed_at, null, 'their own is confirmed')
  assert.equal((await rowsOf())[0]?.confirmed_at, null, 'mine is not')
})

test('a confirmation is not lost when the notice is just being brought again', async () => {
  const page = await open()
  await tell('正在重发')
  const [message] = await page.hears(1)
  const bringing = await office.owner.connect()
  try {
    await bringing.query('begin')
    await bringing.query('update notices set repeats = repeats + 1 where account_id = $1', [agent.accountId])
    await page.confirm(message?.traceId as string)
    await pause(200)
    await bringing.query('commit')
  } finally {
    bringing.release()
  }
  await untilConfirmed()
})

test('nonsense in a confirmation is refused and harms nobody', async () => {
  const page = await open()
  const say = (...args: unknown[]) => page.socket.timeout(5_000).emitWithAck(CONFIRM_EVENT, ...args)
  assert.equal(await say({ $ne: '' }, true), false)
  assert.equal(await say('x'.repeat(65), true), false)
  assert.equal(await say('abcdefgh', 'true'), false)
  await tell('仍然送达')
  await page.hears(1)
})

test('a page that connects is sent what it missed, the oldest first, and not what was confirmed', async () => {
  await tell('第一条')
  await tell('第二条')
  await tell('已确认')
  await office.owner.query(
    `update notices set confirmed_at = now() where account_id = $1 and title = '已确认'`,
    [agent.accountId],
  )
  const page = await open({ confirms: true })
  const heard = await page.hears(2)
  assert.deepEqual(
    heard.map(({ title }) => title),
    ['第一条', '第二条'],
  )
  await untilConfirmed()
  const again = await open()
  await tell('第三条')
  assert.deepEqual(
    (await again.hears(1)).map(({ title }) => title),
    ['第三条'],
  )
})

test('of many missed notices the newest come, and none that is a week old', async () => {
  await office.owner.query(
    `insert into notices (trace_id, agent_id, account_id, topic, title, body, args, created_at, repeat_at)
     select 'trace-' || i, $2::bigint, $1::bigint, 'Balance_Notify', '第' || i || '条', '', '{}',
       case when i <= 5 then now() - interval '8 days' else now() end, now() from generate_series(1, 70) i`,
    [agent.accountId, agent.id],
  )
  const page = await open()
  const heard = await page.hears(MISSED_MAX)
  assert.equal(heard[0]?.title, `第${70 - MISSED_MAX + 1}条`)
  assert.equal(heard.at(-1)?.title, '第70条')
})

test('an unconfirmed notice goes out again until it is confirmed, each time later', async () => {
  await tell('请确认')
  const page = await open()
  const [message] = await page.hears(1)
  await redeliverNotices(office.app.services)
  assert.equal((await rowsOf())[0]?.repeats, 0, 'its wait is not over')
  await makeDue()
  await redeliverNotices(office.app.services)
  await page.isBrought(2)
  await makeDue()
  await redeliverNotices(office.app.services)
  await page.isBrought(3)
  assert.deepEqual(new Set(page.deliveries), new Set([message?.traceId]))
  const { rows } = await office.owner.query(
    `select round(extract(epoch from repeat_at - now()))::int as wait from notices where account_id = $1`,
    [agent.accountId],
  )
  assert.ok(rows[0].wait > 40, `waits ${rows[0].wait} s after the second time, at most 40 after the first`)
  await page.confirm(message?.traceId as string)
  await untilConfirmed()
  await makeDue()
  await redeliverNotices(office.app.services)
  await tell('下一条')
  await page.hears(2)
  assert.equal(page.deliveries.length, 4, 'what was confirmed did not come again')
})

test('what belongs to accounts that are not connected is left alone', async () => {
  await tell('无人在线')
  await makeDue()
  await redeliverNotices(office.app.services)
  assert.equal((await rowsOf())[0]?.repeats, 0)
})

test('a page is cut off when its session ends, and others stay', async () => {
  const second = await office.login(agent.loginName)
  const [page, stays] = [await open(), await open({ cookie: second })]
  await office.as(cookie).signIn.logout()
  assert.equal(await page.cutOff(), 'io server disconnect')
  await tell('还在')
  await stays.hears(1)
  assert.equal(page.heard.length, 0)
})

test('a page is cut off when its account is disabled', async () => {
  const page = await open()
  await office.owner.query('update accounts set enabled = false where id = $1', [agent.accountId])
  assert.equal(await page.cutOff(), 'io server disconnect')
})

test('one account opens no more than twenty sockets, and another once one is closed', async () => {
  for (let i = 0; i < 20; i++) await open()
  await assert.rejects(openPage({ url: office.url, cookie }))
  pages.pop()?.close()
  assert.ok(await isLetInAgain())
})

test('an account that opens many sockets at once gets no more than twenty, even if they say nothing', async () => {
  const wires = await Promise.all(Array.from({ length: 150 }, () => openWire({ url: office.url, cookie })))
  const open = wires.filter(wire => wire !== null)
  assert.equal(open.length, 20)
  for (const wire of open) wire.destroy()
  assert.ok(await isLetInAgain())
})

test('no socket is taken over by another that names its id', async () => {
  const page = await open()
  const sid = page.socket.io.engine.id
  const wire = await openWire({ url: office.url, query: `&sid=${sid}` })
  wire?.destroy()
  assert.equal(wire === null, true)
  await tell('原来的页面')
  await page.hears(1)
})

test('who says too much, or too much at once, is cut off', async () => {
  const chatty = await open()
  for (let i = 0; i < 300; i++) chatty.socket.emit(REGISTER_EVENT, i)
  await chatty.cutOff()
  const long = await open()
  long.socket.emit(REGISTER_EVENT, 'x'.repeat(10_000))
  await long.cutOff()
})

test('two instances bring notices to each other’s pages', async () => {
  const beside = await openBeside(office)
  try {
    const here = await open()
    const there = await open({ url: beside.url })
    // The instances hear of each other a moment after they start.
    for (let i = 0; i < 100 && there.heard.length === 0; i++) {
      await tell(`从第一个实例 ${i}`)
      await pause(50)
    }
    await there.hears(1)
    const before = here.heard.length
    await tell('从第二个实例', {}, beside.app.services)
    assert.equal((await here.hears(before + 1)).at(-1)?.title, '从第二个实例')
    const traceId = here.heard.at(-1)?.traceId as string
    for (const { traceId } of there.heard) await there.confirm(traceId)
    await there.confirm(traceId)
    await untilConfirmed()
    await tell('很长的内容', { body: '长'.repeat(4_000) })
    assert.equal((await there.hears(there.heard.length + 1)).at(-1)?.title, '很长的内容')
  } finally {
    await beside.stop()
  }
})

test('instances find each other again after their links to the database were cut', async () => {
  const beside = await openBeside(office)
  try {
    const there = await open({ url: beside.url })
    await office.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'partner-office-realtime' and datname = current_database()`,
    )
    for (let i = 0; i < 100 && there.heard.length === 0; i++) {
      await tell(`再次 ${i}`)
      await pause(100)
    }
    await there.hears(1)
  } finally {
    await beside.stop()
  }
})

test('after a restart pages are sent what they missed meanwhile', async () => {
  const first = await openBeside(office)
  const page = await open({ url: first.url })
  await first.stop()
  assert.equal(await page.cutOff(), 'transport close')
  await tell('停机期间')
  const second = await openBeside(office)
  try {
    const back = await open({ url: second.url })
    assert.equal((await back.hears(1))[0]?.title, '停机期间')
  } finally {
    await second.stop()
  }
})

test('staff and operators can be told, and only those who may see it', async () => {
  const staff = await makeAgent(office, { staff: true })
  const clerk = await makeAccount(office, staff.id, { nodeIds: [27] })
  const told = await actAsSystem(office.app.services, 'test', ctx =>
    notify(ctx, { ...about('新的咨询'), vendor: 'staff', holding: 'consultations.list' }),
  )
  assert.equal(told, 1)
  assert.equal((await rowsOf(staff.accountId)).length, 1)
  assert.equal((await rowsOf(clerk.accountId)).length, 0)
  const operator = await makeAgent(office, { operator: true })
  assert.equal(await tell('给运营', { agentId: undefined, vendor: 'operator' } as never), 1)
  assert.equal((await rowsOf(operator.accountId)).length, 1)
})

test('one key is told an account once, and a disabled account is told nothing', async () => {
  const disabled = await makeAccount(office, agent.id)
  await office.owner.query('update accounts set enabled = false where id = $1', [disabled.accountId])
  assert.equal(await tell('一次', { onceKey: 'k1' }), 1)
  assert.equal(await tell('两次', { onceKey: 'k1' }), 0)
  assert.equal((await rowsOf()).length, 1)
  assert.equal((await rowsOf(disabled.accountId)).length, 0)
})
