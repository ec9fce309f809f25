// SignalR's own client at the hub: is told, confirms and comes back; and what comes by hand is bounded.
import assert from 'node:assert/strict'
import test, { after, afterEach, before, beforeEach } from 'node:test'
import { HubConnectionState } from '@microsoft/signalr'
import { WebSocket } from 'ws'
import { TOPICS } from '#features/office/notices/rules.ts'
import { redeliverNotices } from '#features/office/notices/server-delivery.ts'
import { type Notice, notify } from '#features/office/notices/server-notify.ts'
import { actAsSystem } from '#server/system.ts'
import { type Office, openBeside, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'
import { until } from '#test/patience.ts'
import { openPage } from '#test/sockets.ts'
import type { CompatClient } from './client.ts'
import { HUB_ADDRESS, type HubClient, type HubOptions, openHubClient } from './hub.ts'
import { openCompatOffice, signedIn } from './office.ts'

const END = '\x1e'

let office: Office
let agent: MadeAgent
let other: MadeAgent
let client: CompatClient
let clients: HubClient[]
let wires: WebSocket[]

before(async () => {
  office = await openCompatOffice()
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office)
  other = await makeAgent(office)
  client = await signedIn(office, agent.loginName)
  clients = []
  wires = []
})
afterEach(async () => {
  for (const wire of wires) wire.terminate()
  await Promise.all(clients.map(({ hub }) => hub.stop()))
  await office.owner.query('delete from compat_closed_calls')
})

async function open(options: Partial<HubOptions> = {}): Promise<HubClient> {
  const opened = await openHubClient({ host: office.url, token: client.token, ...options })
  clients.push(opened)
  return opened
}

const tell = (title: string, more: Partial<Notice> = {}, from = office.app.services) =>
  actAsSystem(from, 'test', ctx =>
    notify(ctx, {
      topic: 'PaymentStatus_Notify',
      title,
      body: '内容',
      args: { queryId: 'Q1' },
      agentId: agent.id,
      ...more,
    } as Notice),
  )

async function confirmedOf(title: string, { accountId } = agent): Promise<boolean> {
  const { rows } = await office.owner.query(
    'select confirmed_at is not null as is_confirmed from notices where account_id = $1 and title = $2',
    [accountId, title],
  )
  return rows.length === 1 && rows[0].is_confirmed
}
const titlesOf = ({ told }: HubClient) => told.map(({ argsObj }) => argsObj.title)

test('it registers, is told by topic and object, and confirms by trace id', async () => {
  const heard = await open()
  assert.equal(await heard.register(`FeedBack_${agent.accountId}`), true)
  await tell('支付成功')
  await until(() => heard.told.length === 1)
  const [{ topicName, argsObj } = { topicName: '', argsObj: {} }] = heard.told
  assert.equal(topicName, 'PaymentStatus_Notify')
  const { traceId, createdAt, ...shown } = argsObj
  assert.deepEqual(shown, { queryId: 'Q1', title: '支付成功', body: '内容', link: '' })
  assert.match(createdAt, /^\d{4}-.*Z$/)
  assert.equal(await heard.confirm('nonsense!'), false)
  assert.equal(await confirmedOf('支付成功'), false)
  assert.equal(await heard.confirm(traceId), true)
  await until(() => confirmedOf('支付成功'))
})

test('it comes in with and without negotiation, by its own token or by the key of the calls', async () => {
  for (const skipNegotiation of [false, true])
    for (const byKey of [false, true]) await open({ skipNegotiation, byKey })
  await tell('四个连接')
  await until(() => clients.every(({ told }) => told.length === 1))
})

test('it is told the three topics of the documents alone', async () => {
  const heard = await open({ confirms: true })
  const topics = ['FeedBackUserSendMsg', 'Refresh_Signature_Notify', 'PaymentStatus_Notify'] as const
  for (const topic of ['Balance_Notify', ...topics, 'Credit_Notify'] as const) {
    assert.ok(TOPICS[topic])
    await tell(topic, { topic })
  }
  await until(() => heard.told.length === 3)
  assert.deepEqual(new Set(heard.told.map(({ topicName }) => topicName)), new Set(topics))
  for (const topic of topics) await until(() => confirmedOf(topic))
  for (const topic of ['Balance_Notify', 'Credit_Notify'])
    assert.equal(await confirmedOf(topic), false, topic)
})

test('a notice is confirmed once, at a page or at the hub', async () => {
  const cookie = await office.login(agent.loginName)
  const page = await openPage({ url: office.url, cookie })
  const heard = await open()
  const makeDue = () => office.owner.query(`update notices set repeat_at = now() - interval '1 second'`)
  try {
    await tell('页面确认')
    const [message] = await page.hears(1)
    await until(() => heard.told.length === 1)
    assert.equal(heard.told[0]?.argsObj.traceId, message?.traceId)
    await page.confirm(message?.traceId as string)
    await until(() => confirmedOf('页面确认'))
    await tell('旧接口确认')
    await page.hears(2)
    await until(() => heard.told.length === 2)
    await heard.confirm(heard.told[1]?.argsObj.traceId)
    await until(() => confirmedOf('旧接口确认'))
    const brought = [page.deliveries.length, heard.deliveries.length]
    await makeDue()
    await redeliverNotices(office.app.services)
    await tell('第三条')
    await page.hears(3)
    await until(() => heard.told.length === 3)
    assert.deepEqual(
      [page.deliveries.length, heard.deliveries.length],
      brought.map(count => count + 1),
    )
    assert.deepEqual(titlesOf(heard), ['页面确认', '旧接口确认', '第三条'])
  } finally {
    page.close()
  }
})

test('it is sent what it missed, and again until it confirms', async () => {
  await tell('错过的')
  const heard = await open()
  await until(() => heard.told.length === 1)
  await office.owner.query(`update notices set repeat_at = now() - interval '1 second'`)
  await redeliverNotices(office.app.services)
  await until(() => heard.deliveries.length === 2)
  assert.deepEqual(titlesOf(heard), ['错过的'])
})

test('whoever it says it is, it is told what belongs to its token, and confirms nothing of others', async () => {
  const theirs = await signedIn(office, other.loginName)
  const foreign = await open({ token: theirs.token })
  assert.equal(await foreign.register(`FeedBack_${agent.accountId}`), true)
  const heard = await open()
  await tell('只给本人')
  await until(() => heard.told.length === 1)
  await foreign.confirm(heard.told[0]?.argsObj.traceId)
  await tell('给对方', { agentId: other.id })
  await until(() => foreign.told.length === 1)
  assert.deepEqual(titlesOf(foreign), ['给对方'])
  await foreign.confirm(foreign.told[0]?.argsObj.traceId)
  await until(() => confirmedOf('给对方', other))
  assert.equal(await confirmedOf('只给本人'), false)
})

test('a wrong token is refused, and so are a session, a key and the token that is over', async () => {
  const cookie = await office.login(agent.loginName)
  for (const token of ['', 'nonsense', `pot_${'x'.repeat(43)}`, cookie.split('=')[1] as string])
    for (const skipNegotiation of [false, true])
      await assert.rejects(open({ token, skipNegotiation }), `${token} ${skipNegotiation}`)
  const asked = await fetch(`${office.url}${HUB_ADDRESS}/negotiate?negotiateVersion=1`, {
    method: 'POST',
    headers: { cookie },
  })
  assert.equal(asked.status, 401)
  await office.as(cookie).compatAccess.close()
  for (const skipNegotiation of [false, true]) await assert.rejects(open({ skipNegotiation }))
})

test('it is cut off when its token ends: by its person, with its account, with its time, and by the operator', async () => {
  const cookie = await office.login(agent.loginName)
  const isCut = async (end: () => Promise<unknown>) => {
    const heard = await open({ skipNegotiation: true })
    await end()
    await until(() => heard.hub.state !== HubConnectionState.Connected)
    await heard.hub.stop()
    await assert.rejects(open())
  }
  await isCut(() => office.as(cookie).compatAccess.close())
  client = await signedIn(office, agent.loginName)
  await isCut(() =>
    office.owner.query('update accounts set enabled = false where id = $1', [agent.accountId]),
  )
  await office.owner.query('update accounts set enabled = true where id = $1', [agent.accountId])
  client = await signedIn(office, agent.loginName)
  const looked = () => office.owner.query(`notify access_changed`)
  await isCut(async () => {
    await office.owner.query(`update compat_tokens set expires_at = now() where account_id = $1`, [
      agent.accountId,
    ])
    await looked()
  })
  await office.owner.query(`update compat_tokens set expires_at = now() + interval '1 hour'`)
  await isCut(async () => {
    await office.owner.query(
      `insert into compat_closed_calls (call, closed_at, closed_by) values ('NoticeHub', now(), $1)`,
      [agent.accountId],
    )
    await looked()
  })
})

test('it comes in from the addresses of its key alone, and its person is told of others', async () => {
  await office.owner.query(`update api_keys set addresses = '{192.0.2.0/24}' where account_id = $1`, [
    agent.accountId,
  ])
  await assert.rejects(open())
  const { rows } = await office.owner.query(
    `select 1 from notices where account_id = $1 and topic = 'ApiKey_Notify'`,
    [agent.accountId],
  )
  assert.equal(rows.length, 1)
})

test('its use is shown among the calls', async () => {
  await open()
  await until(async () => {
    const { rows } = await office.owner.query(
      `select 1 from compat_uses where account_id = $1 and call = 'NoticeHub'`,
      [agent.accountId],
    )
    return rows.length === 1
  })
})

test('after the server was away it is back after 2 s, and is sent what it missed', async () => {
  const first = await openBeside(office)
  const port = Number(new URL(first.url).port)
  const heard = await open({ host: first.url, confirms: true })
  await first.stop()
  await until(() => heard.hub.state === HubConnectionState.Reconnecting)
  await tell('停机期间')
  const second = await openBeside(office, { port })
  try {
    await until(() => heard.told.length === 1)
    assert.equal(heard.hub.state, HubConnectionState.Connected)
    assert.deepEqual(titlesOf(heard), ['停机期间'])
    await until(() => confirmedOf('停机期间'))
  } finally {
    await heard.hub.stop()
    await second.stop()
  }
})

test('what another instance tells is heard', async () => {
  const beside = await openBeside(office)
  try {
    const heard = await open()
    // The instances hear of each other a moment after they start.
    await until(async () => {
      await tell('从另一个实例', {}, beside.app.services)
      return heard.told.length > 0
    })
    assert.equal(titlesOf(heard)[0], '从另一个实例')
  } finally {
    await beside.stop()
  }
})

test('negotiation is answered by either version, and to nobody by GET', async () => {
  const ask = async (version: string, method = 'POST') =>
    fetch(`${office.url}${HUB_ADDRESS}/negotiate${version}`, { method, headers: { key: client.token } })
  const transports = [{ transport: 'WebSockets', transferFormats: ['Text'] }]
  for (const version of ['', '?negotiateVersion=0', '?negotiateVersion=x']) {
    const { connectionId, ...told } = (await (await ask(version)).json()) as Record<string, unknown>
    assert.equal(typeof connectionId, 'string')
    assert.deepEqual(told, { availableTransports: transports })
  }
  for (const version of ['?negotiateVersion=1', '?negotiateVersion=2']) {
    const { connectionId, connectionToken, ...told } = (await (await ask(version)).json()) as Record<
      string,
      unknown
    >
    assert.notEqual(connectionId, connectionToken)
    assert.deepEqual(told, { negotiateVersion: 1, availableTransports: transports })
  }
  assert.equal((await ask('', 'GET')).status, 404)
})

type Wire = { socket: WebSocket; seen: string[]; code: Promise<number> }

/** By hand, with the handshake done where it is not told otherwise. */
async function wire({ shakes = true, autoPong = true } = {}): Promise<Wire> {
  const socket = new WebSocket(`${office.url.replace('http', 'ws')}${HUB_ADDRESS}?key=${client.token}`, {
    autoPong,
  })
  wires.push(socket)
  const seen: string[] = []
  socket.on('message', data => seen.push(...data.toString().split(END).slice(0, -1)))
  socket.on('error', () => undefined)
  const code = new Promise<number>(resolve => socket.on('close', resolve))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  if (shakes) {
    socket.send(`{"protocol":"json","version":1}${END}`)
    await until(() => seen.length === 1)
    assert.equal(seen[0], '{}')
  }
  return { socket, seen, code }
}
const asked = (target: string, args: unknown, id: unknown = '1') =>
  JSON.stringify({ type: 1, invocationId: id, target, arguments: args }) + END

test('what breaks the protocol or a limit closes the wire with its reason', async () => {
  const cases: [number, string][] = [
    [1002, 'not json'],
    [1002, `not json${END}`],
    [1002, `[]${END}`],
    [1002, `null${END}`],
    [1002, END],
    [1002, ''],
    [1002, `{}${END}`],
    [1002, `{"type":"1"}${END}`],
    [1002, '{"type":6}'],
    [1002, `{"type":1}${END}`],
    [1002, `{"type":1,"target":"Register"}${END}`],
    [1002, asked('Register', {})],
    [1002, asked('Register', [], 7)],
    [1002, asked('Register', [], 'x'.repeat(65))],
    [1009, asked('Register', ['x'.repeat(5_000)])],
    [1008, `{"type":6}${END}`.repeat(201)],
  ]
  for (const [code, text] of cases) {
    const { socket, code: closed, seen } = await wire()
    socket.send(text)
    assert.equal(await closed, code, text.slice(0, 80))
    if (code !== 1009) assert.equal(JSON.parse(seen.at(-1) ?? '').type, 7, text.slice(0, 80))
  }
  const binary = await wire()
  binary.socket.send(Buffer.from(`{"type":6}${END}`))
  assert.equal(await binary.code, 1003)
  await tell('仍然送达')
  const heard = await open()
  await until(() => heard.told.length === 1)
})

test('a wrong handshake is refused in its own form', async () => {
  for (const text of [
    `{"protocol":"messagepack","version":1}${END}`,
    `{"protocol":"json","version":9}${END}`,
    asked('Register', []),
    `{"type":6}${END}`,
    '42["Register"]',
  ]) {
    const { socket, seen, code } = await wire({ shakes: false })
    socket.send(text)
    assert.equal(await code, 1002, text)
    assert.deepEqual(Object.keys(JSON.parse(seen[0] ?? '')), ['error'], text)
  }
})

test('who shakes no hands is cut off after a while, and told nothing meanwhile', async () => {
  await tell('不该收到')
  const { seen, code } = await wire({ shakes: false })
  assert.equal(await code, 1000)
  assert.deepEqual(
    seen.map(one => Object.keys(JSON.parse(one))),
    [['error']],
  )
})

test('what the hub does not know is refused to whoever asks, and passed over else', async () => {
  const { socket, seen } = await wire()
  for (const target of ['NoticeAsync', 'toString', '__proto__', 'Unknown'])
    socket.send(asked(target, [], target))
  socket.send(`{"type":1,"target":"Unknown","arguments":[]}${END}`)
  socket.send(JSON.stringify({ type: 4, invocationId: 'stream', target: 'Register', arguments: [] }) + END)
  for (const type of [2, 3, 5, 6, 8, 9, 99]) socket.send(JSON.stringify({ type, invocationId: 'x' }) + END)
  socket.send(asked('Register', [], 'a') + asked('OnClientReceivedNotice', [{ $ne: '' }, true], 'b'))
  await until(() => seen.length === 8)
  const answers = seen.slice(1).map(one => JSON.parse(one))
  assert.deepEqual(
    answers.map(({ type, invocationId, result, error }) => [type, invocationId, result ?? typeof error]),
    [
      ...['NoticeAsync', 'toString', '__proto__', 'Unknown', 'stream'].map(id => [3, id, 'string']),
      [3, 'a', true],
      [3, 'b', false],
    ],
  )
})

test('a goodbye is answered', async () => {
  const { socket, code } = await wire()
  socket.send(`{"type":7}${END}`)
  assert.equal(await code, 1000)
})

test('an account has twenty places, and the next is refused', async () => {
  for (let i = 0; i < 20; i++) await wire({ shakes: false })
  await assert.rejects(wire({ shakes: false }))
})

test('where the calls are off there is no hub', async () => {
  const off = await openOffice({ listen: true })
  try {
    const asked = await fetch(`${off.url}${HUB_ADDRESS}/negotiate`, { method: 'POST' })
    assert.equal(asked.status === 401 || asked.status === 200, false)
    await assert.rejects(open({ host: off.url, skipNegotiation: true }))
  } finally {
    await off.stop()
  }
})
