// What the platform sends: read, whichever way it comes; believed only where it is signed, for us, and for this mini program.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after, afterEach, before, describe } from 'node:test'
import type { CredentialStore, MiniProgramPlatform, PlatformEvent } from '#kit/ports/mini-programs.ts'
import { CallbackRejected, type ProviderRefused } from '#kit/ports/providers.ts'
import { memoryStore } from '#test/credential-store.ts'
import { ANSWERED_WITHIN_MS } from '#test/patience.ts'
import type { Effect } from '../simulator.ts'
import { makeWechatOpen } from './client.ts'
import {
  makeWechatOpenKeys,
  startWechatOpenSimulator,
  type WechatOpenSimulator,
  wechatOpenSettings,
} from './simulator.ts'
import { messageOf, xmlOf } from './simulator-messages.ts'

const keys = makeWechatOpenKeys()
const REVIEW_MS = 60_000
let simulator: WechatOpenSimulator
let platform: MiniProgramPlatform
let listener: Server
let events: PlatformEvent[] = []
let rejections: unknown[] = []
/** How many messages are answered as if we were down. */
let downFor = 0
before(async () => {
  simulator = await startWechatOpenSimulator(keys, { reviewMs: REVIEW_MS, callbackScale: 0 })
  platform = clientOver(memoryStore())
  listener = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '/', 'http://ours')
    const appid = url.pathname === '/platform' ? null : url.pathname.slice(1)
    try {
      if (downFor-- > 0) throw new Error('down')
      events.push(
        await platform.readCallback(Object.fromEntries(url.searchParams), Buffer.concat(chunks), appid),
      )
      response.end('success')
    } catch (error) {
      rejections.push(error)
      response.statusCode = 500
      response.end('fail')
    }
  })
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  const ours = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  simulator.setEventUrls({ platform: `${ours}/platform`, program: appid => `${ours}/${appid}` })
  await simulator.settle()
  const ticket = events[0]
  assert.ok(ticket?.kind === 'ticket')
  await platform.keepTicket(ticket.ticket, ticket.at)
  events = []
})
after(async () => {
  await simulator.stop()
  await new Promise(resolve => listener.close(resolve))
})
afterEach(() => {
  simulator.control.faults.length = 0
  events = []
  rejections = []
  downFor = 0
})

const clientOver = (store: CredentialStore) =>
  makeWechatOpen(
    wechatOpenSettings(keys, simulator.url),
    { fetch, now: () => simulator.control.now(), nonce: () => 'n', timeoutMs: ANSWERED_WITHIN_MS },
    store,
  )
const fault = (match: string, effect: Effect, times = 1) =>
  simulator.control.faults.push({ match, times, effect })
const eventsOf = <K extends PlatformEvent['kind']>(kind: K) =>
  events.filter((one): one is PlatformEvent & { kind: K } => one.kind === kind)
async function program() {
  const account = simulator.addAccount({ principalName: '上海示例餐饮有限公司', viaApi: true })
  await platform.authorize(simulator.authorize(account.appid))
  await simulator.settle()
  return account
}
const rejected = (promise: Promise<unknown>, reason = 'content') =>
  assert.rejects(promise, (error: unknown) => error instanceof CallbackRejected && error.reason === reason)

const HALF_A_DAY_MS = 12 * 60 * 60_000

test('tickets come every ten minutes', async () => {
  simulator.control.moveClock(10 * 60_000)
  await simulator.settle()
  assert.equal(eventsOf('ticket').length, 1)
})

test('where none have come, or none for half a day, whoever needs a token has them sent, once for all programs', async () => {
  const store = memoryStore()
  const [one, other] = [clientOver(store), clientOver(store)]
  const noTicket = (error: ProviderRefused) => error.code === '61006'
  for (const asking of [one, other, one]) await assert.rejects(asking.templates(), noTicket)
  await simulator.settle()
  const [ticket, ...more] = eventsOf('ticket')
  assert.deepEqual(more, [])
  await one.keepTicket(ticket?.ticket ?? '', ticket?.at ?? '')
  assert.equal((await other.templates()).length, 4)

  events = []
  const at = simulator.control.now().getTime() - HALF_A_DAY_MS
  simulator.book().tickets.unshift({ ticket: 'ticket@@@old', at })
  const late = clientOver(memoryStore())
  await late.keepTicket('ticket@@@old', new Date(at).toISOString())
  await assert.rejects(late.templates(), (error: ProviderRefused) => error.code === '61005')
  await simulator.settle()
  assert.equal(eventsOf('ticket').length, 1)
})

test('an authorisation, its change and its end are told', async () => {
  const { appid } = await program()
  simulator.authorize(appid, [18])
  await fetch(`${simulator.url}/__sim/unauthorize`, { method: 'POST', body: JSON.stringify({ appid }) })
  await simulator.settle()
  assert.equal(eventsOf('authorized')[0]?.appid, appid)
  const changed = eventsOf('authorizationChanged')[0]
  assert.equal(changed?.appid, appid)
  assert.equal(eventsOf('unauthorized')[0]?.appid, appid)
  assert.match(changed?.authCode ?? '', /^queryauthcode/)
})

test('reviews of name and category are told to the mini program’s own address', async () => {
  const account = await program()
  const due = { status: 1, reason: '', dueAt: 0 } as const
  account.nameAudits.push({ id: 1, name: '好名字', ...due }, { id: 2, name: '要驳回', ...due })
  account.categories.push({ first: 220, second: 223, ...due })
  await simulator.settle()
  const [passed, refused] = eventsOf('nameReviewed').toSorted((a, b) => (a.name < b.name ? -1 : 1))
  assert.deepEqual([passed?.name, passed?.state, passed?.reason], ['好名字', 'passed', null])
  assert.deepEqual([refused?.state, refused?.reason], ['refused', '内容不符合微信小程序运营规范'])
  const reviewed = eventsOf('categoryReviewed')[0]
  assert.deepEqual([reviewed?.appid, reviewed?.state], [account.appid, 'passed'])
  assert.deepEqual(reviewed?.category, { first: 220, second: 223 })
})

test('audits are told: passed, refused with what the reviewer saw, delayed', async () => {
  const account = await program()
  const code = { templateId: 1, version: '1.0.0', description: '', pages: [], used: [] }
  const verdicts = ['pass', 'refuse', 'delay'] as const
  for (const [id, verdict] of verdicts.entries()) {
    simulator.book().verdicts.push({ verdict, reason: verdict === 'pass' ? '' : `因为${verdict}` })
    account.audits.push({
      ...{ id, status: 2, reason: '', screenshots: [], code, submittedAt: 0, dueAt: 0 },
      ...{ spedUp: false, released: false, words: '' },
    })
    await simulator.settle()
  }
  assert.equal(eventsOf('auditPassed')[0]?.appid, account.appid)
  const refused = eventsOf('auditRefused')[0]
  assert.equal(refused?.reason, '因为refuse')
  assert.equal((await platform.of(account.appid).picture(refused?.screenshots[0] ?? '')).length > 100, true)
  assert.equal(eventsOf('auditDelayed')[0]?.reason, '因为delay')
})

test('a registration is told with what was asked', async () => {
  const companyCode = '91310000MA1FL0001X'
  await platform.register({
    ...{ companyName: '上海告知餐饮有限公司', companyCode, codeKind: 1, legalPersonWechat: 'legal_person' },
    ...{ legalPersonName: '张三', servicePhone: '' },
  })
  const task = simulator.book().registrations.at(-1)
  Object.assign(task ?? {}, { state: 'checking', dueAt: 0 })
  await simulator.settle()
  const told = eventsOf('registered')[0]
  assert.equal(told?.status, '0')
  assert.deepEqual(told?.registration, {
    ...{ companyName: '上海告知餐饮有限公司', companyCode, codeKind: 1, legalPersonWechat: 'legal_person' },
    legalPersonName: '张三',
  })
  assert.equal((await platform.authorize(told?.authCode ?? '')).appid, told?.appid)
})

describe('the ways by which a message comes', () => {
  const authorized = async () => {
    const { appid } = simulator.addAccount({ principalName: '上海示例餐饮有限公司' })
    simulator.authorize(appid)
    await simulator.settle()
    return eventsOf('authorized').filter(event => event.appid === appid)
  }
  test('twice: it is the same event', async () => {
    fault('authorized', { kind: 'callback-duplicate' })
    const [one, again] = await authorized()
    assert.ok(one && again)
    assert.equal(one.eventId, again.eventId)
    const [other] = await authorized()
    assert.notEqual(other?.eventId, one.eventId)
  })
  test('again, where it was not answered', async () => {
    downFor = 2
    assert.equal((await authorized()).length, 1)
    assert.equal(rejections.length, 2)
  })
  test('never', async () => {
    fault('authorized', { kind: 'callback-drop' })
    assert.deepEqual(await authorized(), [])
  })
  test('late', async () => {
    fault('authorized', { kind: 'callback-delay', ms: 20 })
    assert.equal((await authorized()).length, 1)
  })
  test('after a later one', async () => {
    fault('authorized', { kind: 'callback-reorder' })
    assert.deepEqual(await authorized(), [])
    await authorized()
    assert.equal(eventsOf('authorized').length, 2)
  })
  test('forged', async () => {
    fault('authorized', { kind: 'wrong-signature' })
    assert.deepEqual(await authorized(), [])
    assert.equal(rejections.length, 3)
    for (const error of rejections)
      assert.ok(error instanceof CallbackRejected && error.reason === 'signature')
  })
})

describe('a message that is not believed', () => {
  const event = (more: object = {}) =>
    xmlOf({
      AppId: keys.appid,
      CreateTime: 1_767_225_600,
      InfoType: 'unauthorized',
      AuthorizerAppid: 'wx1',
      ...more,
    })
  const read = (
    text: string,
    { secrets = keys, query = {}, appid = null as string | null, to = '' } = {},
  ) => {
    const message = messageOf(secrets, text, to, Date.now())
    return platform.readCallback({ ...message.query, ...query }, Buffer.from(message.body), appid)
  }
  test('as it should be, it is', async () => {
    const told = await read(event())
    assert.deepEqual(
      { ...told, eventId: '' },
      { kind: 'unauthorized', appid: 'wx1', eventId: '', at: '2026-01-01T00:00:00.000Z' },
    )
  })
  test('signed with another token, or over another time or nonce', async () => {
    await rejected(read(event(), { secrets: { ...keys, token: 'other' } }), 'signature')
    await rejected(read(event(), { query: { timestamp: '1' } }), 'signature')
    await rejected(read(event(), { query: { nonce: '1' } }), 'signature')
    await rejected(read(event(), { query: { msg_signature: '' } }), 'signature')
  })
  test('of another third party, outside or inside', async () => {
    await rejected(read(event(), { secrets: { ...keys, appid: 'wx00000000000000' } }))
    await rejected(read(event({ AppId: 'wx00000000000000' })))
  })
  test('without what it must say', async () => {
    await rejected(read(event({ AuthorizerAppid: '' })))
    await rejected(read(event({ CreateTime: 0 })))
    await rejected(read('<xml><Event>x</Event></xml>'))
    await rejected(read('no XML'))
    await rejected(platform.readCallback({}, Buffer.from('no XML'), null))
  })
  test('brought to the address of another mini program, or of one that is none of ours', async () => {
    const [one, other] = [await program(), await program()]
    const text = xmlOf({
      ...{ ToUserName: one.userName, FromUserName: 'o1', CreateTime: 1_767_225_600 },
      ...{ MsgType: 'event', Event: 'weapp_audit_success', SuccTime: 1 },
    })
    const to = one.userName
    assert.equal((await read(text, { appid: one.appid, to })).kind, 'auditPassed')
    await rejected(read(text, { appid: other.appid, to }))
    await rejected(read(text, { appid: 'wx1', to }))
    const stranger = text.replace('weapp_audit_success', 'new_event')
    const told = await read(stranger, { appid: one.appid, to })
    assert.ok(told.kind === 'other' && told.name === 'new_event')
    const wrong = text.replace('weapp_audit_success', 'wxa_nickname_audit')
    await rejected(read(wrong, { appid: one.appid, to }))
  })
})
