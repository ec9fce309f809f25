// The platform of mini programs over the office's own database: tokens renewed once over two programs, and what it tells kept once.
import assert from 'node:assert/strict'
import test, { after, afterEach, before } from 'node:test'
import { NO_PROVIDERS } from '#app/providers.ts'
import type { MiniProgramPlatform, PlatformEvent } from '#kit/ports/mini-programs.ts'
import type { WechatOpenSimulator } from '#providers/wechat-open/simulator.ts'
import { messageOf, xmlOf } from '#providers/wechat-open/simulator-messages.ts'
import { type Beside, type Office, openBeside } from '#test/app.ts'
import { openProgramOffice, type ProgramOffice } from '#test/program-platform.ts'
import { platformOf } from './server-platform.ts'
import { credentialStoreOf } from './server-store.ts'

const TOKEN_MS = 7_200_000
let on: ProgramOffice
let asked: ProgramOffice['asked']
let simulator: WechatOpenSimulator
let office: Office
let beside: Beside
let platform: MiniProgramPlatform

before(async () => {
  on = await openProgramOffice()
  ;({ simulator, office, asked } = on)
  beside = await openBeside(office, { providers: office.app.services.providers })
  platform = platformOf(office.app.services) ?? assert.fail('no platform')
})
after(async () => {
  await beside.stop()
  await on.stop()
})
afterEach(() => {
  simulator.control.faults.length = 0
  for (const name of Object.keys(asked)) delete asked[name]
})

async function program() {
  const account = simulator.addAccount({ principalName: '上海示例餐饮有限公司' })
  await platform.authorize(simulator.authorize(account.appid))
  await platform.of(account.appid).info()
  await simulator.settle()
  return account
}
const events = async (appid: string) => {
  const { rows } = await office.owner.query<{
    kind: string
    times: number
    sealed: Buffer
    happened_at: Date
  }>('select * from platform_events where appid = $1 order by happened_at, kind', [appid])
  return rows
}

test('a ticket that the platform pushes makes tokens, and is encrypted where it lies', async () => {
  assert.equal((await platform.templates()).length, 4)
  const { rows } = await office.owner.query<{ key: string; sealed: Buffer; holder: string | null }>(
    'select * from platform_credentials order by key',
  )
  assert.deepEqual(
    rows.map(({ key, holder }) => [key, holder]),
    [
      ['component', null],
      ['ticket', null],
    ],
  )
  const ticket = simulator.book().tickets.at(-1)?.ticket ?? assert.fail('no ticket')
  for (const { sealed } of rows) assert.ok(!sealed.includes(ticket))
  const kept = rows.find(({ key }) => key === 'ticket')?.sealed ?? assert.fail('no row')
  assert.match(office.app.services.secrets.decrypt(kept), new RegExp(ticket))
})

test('200 calls of two programs at a token’s expiry make one renewal', async () => {
  const { appid } = await program()
  simulator.control.moveClock(TOKEN_MS)
  await simulator.settle()
  for (const name of Object.keys(asked)) delete asked[name]
  simulator.control.faults.push({
    ...{ match: 'api_authorizer_token', times: 1, effect: { kind: 'latency', ms: 200 } },
  })
  const other = platformOf(beside.app.services) ?? assert.fail('no platform')
  assert.notEqual(other, platform)
  await Promise.all(Array.from({ length: 200 }, (_, at) => (at % 2 ? platform : other).of(appid).info()))
  assert.deepEqual(asked, { api_component_token: 1, api_authorizer_token: 1, getaccountbasicinfo: 200 })
})

test('a renewal whose answer was lost is made again by the other program', async () => {
  const { appid } = await program()
  simulator.control.moveClock(TOKEN_MS)
  simulator.control.faults.push({
    ...{ match: 'api_authorizer_token', times: 2, effect: { kind: 'reset-after' } },
  })
  await assert.rejects(platform.of(appid).info())
  await platformOf(beside.app.services)?.of(appid).info()
  await platform.of(appid).info()
  assert.equal(asked.api_authorizer_token, 3)
})

test('the store writes where nobody else has written, and one holds a claim until it lets go or its time ends', async () => {
  const [one, other] = [office.app.services, beside.app.services].map(credentialStoreOf)
  assert.ok(one && other)
  assert.equal(await one.read('k'), null)
  assert.equal(await one.claim('k', 'first', 60_000), true)
  assert.equal(await one.read('k'), null)
  assert.equal(await other.claim('k', 'second', 60_000), false)
  await other.release('k', 'second')
  assert.equal(await other.claim('k', 'second', 60_000), false)
  await one.release('k', 'first')
  assert.equal(await other.claim('k', 'second', 0), true)
  assert.equal(await one.claim('k', 'first', 60_000), true)

  assert.equal(await one.write('k', 'a', 0), true)
  assert.equal(await other.write('k', 'b', 0), false)
  assert.deepEqual(await other.read('k'), { text: 'a', version: 1 })
  const racing = await Promise.all([one, other, one, other].map((store, at) => store.write('k', `${at}`, 1)))
  assert.equal(racing.filter(Boolean).length, 1)
  const { version = 0 } = (await one.read('k')) ?? {}
  await one.remove('k')
  assert.equal(await one.read('k'), null)
  assert.equal(await one.write('k', 'late', version), false)
  assert.equal(await one.write('k', 'new', 0), true)
  assert.ok(((await one.read('k'))?.version ?? 0) > version)
  await assert.rejects(one.write('nobody', 'x', 3))
  assert.equal(await one.read('nobody'), null)
})

test('what is told is kept once, however often it comes, and can be read', async () => {
  const { appid } = simulator.addAccount({ principalName: '上海示例餐饮有限公司' })
  simulator.control.faults.push({ match: 'authorized', times: 1, effect: { kind: 'callback-duplicate' } })
  const code = simulator.authorize(appid)
  await simulator.settle()
  const [row, ...more] = await events(appid)
  assert.deepEqual([row?.kind, row?.times, more.length], ['authorized', 2, 0])
  assert.ok(!row?.sealed.includes(code))
  const event = JSON.parse(
    office.app.services.secrets.decrypt(row?.sealed ?? Buffer.alloc(0)),
  ) as PlatformEvent
  assert.ok(event.kind === 'authorized' && event.authCode === code)
  assert.equal(row?.happened_at.toISOString(), event.at)
})

test('a message for a mini program comes to its own address, and to no other', async () => {
  const [one, other] = [await program(), await program()]
  const text = xmlOf({
    ...{ ToUserName: one.userName, FromUserName: 'o1', CreateTime: 1_767_225_600 },
    ...{ MsgType: 'event', Event: 'weapp_audit_success', SuccTime: 1 },
  })
  const post = async (appid: string, secrets = on.keys) => {
    const { query, body } = messageOf(secrets, text, one.userName, Date.now())
    const url = `${office.url}/callbacks/wechat-open/${appid}?${new URLSearchParams(query)}`
    const answer = await fetch(url, { method: 'POST', body })
    return [answer.status, await answer.text()]
  }
  assert.deepEqual(await post(one.appid), [200, 'success'])
  assert.deepEqual(await post(other.appid), [400, ''])
  assert.deepEqual(await post('wx1'), [400, ''])
  assert.deepEqual(await post(one.appid, { ...on.keys, token: 'forged' }), [401, ''])
  assert.deepEqual(
    (await events(one.appid)).map(({ kind }) => kind),
    ['auditPassed', 'authorized'],
  )
  assert.deepEqual(
    (await events(other.appid)).map(({ kind }) => kind),
    ['authorized'],
  )
})

test('where it cannot be asked whose a message is, it is not taken and comes again', async () => {
  const account = simulator.addAccount({ principalName: '上海示例餐饮有限公司' })
  await platform.authorize(simulator.authorize(account.appid))
  account.nameAudits.push({ id: 1, name: '好名字', status: 1, reason: '', dueAt: 0 })
  simulator.control.faults.push({
    ...{ match: 'api_get_authorizer_info', times: 1, effect: { kind: 'status', status: 502 } },
  })
  await simulator.settle()
  assert.deepEqual((await events(account.appid)).map(({ kind, times }) => [kind, times]).toSorted(), [
    ['authorized', 1],
    ['nameReviewed', 1],
  ])
})

test('where no platform is connected, there is nothing to call', async () => {
  const without = await openBeside(office, { providers: NO_PROVIDERS })
  try {
    assert.equal(platformOf(without.app.services), null)
    const answer = await fetch(`${without.url}/callbacks/wechat-open`, { method: 'POST', body: '<xml/>' })
    assert.equal(answer.status, 404)
  } finally {
    await without.stop()
  }
})
