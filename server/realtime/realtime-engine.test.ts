// The engine over real connections, against pages by hand; socket.io's own client speaks with it in the tests of notices.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import test, { afterEach, beforeEach } from 'node:test'
import { WebSocket } from 'ws'
import { until } from '#test/patience.ts'
import { type Engine, openEngine, pageDoor, type Wire } from './realtime-engine.ts'

type Guest = { name: string }
const ASKED = '/realtime/?EIO=4&transport=websocket'

let server: Server
let engine: Engine
let wires: Wire<Guest>[]
let pages: WebSocket[]
let heard: string[]
let reasons: string[]
let admit: () => Promise<Guest | null>

beforeEach(async () => {
  wires = []
  pages = []
  heard = []
  reasons = []
  admit = async () => ({ name: 'guest' })
  server = createServer()
  engine = openEngine<Guest>(server, [pageDoor('/realtime', () => admit())])
  engine.events.on('connection', (wire: Wire<Guest>) => {
    wires.push(wire)
    wire.on('data', text => heard.push(text))
    wire.on('close', reason => reasons.push(reason))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  for (const page of pages) page.terminate()
  await engine.close()
  server.close()
})

type Page = { socket: WebSocket; seen: string[]; code: Promise<number> }

const portOf = () => (server.address() as AddressInfo).port

function ask(): Page {
  const socket = new WebSocket(`ws://127.0.0.1:${portOf()}${ASKED}`)
  const seen: string[] = []
  pages.push(socket)
  socket.on('message', (data, isBinary) => {
    assert.equal(isBinary, false)
    seen.push(data.toString())
  })
  socket.on('error', () => undefined)
  return { socket, seen, code: new Promise(resolve => socket.on('close', resolve)) }
}

async function open(): Promise<Page> {
  const page = ask()
  await until(() => page.seen.length === 1)
  return page
}

/** A request by hand, and the first line of its answer. */
function request(path: string, more: Record<string, string> = {}, after = ''): Socket {
  const socket = connect({ port: portOf(), host: '127.0.0.1' })
  const headers = {
    host: 'x',
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...more,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n${after}`, 'latin1')
  socket.on('error', () => undefined)
  return socket
}

async function answerTo(path: string, more: Record<string, string> = {}): Promise<string | undefined> {
  let all = ''
  for await (const chunk of request(path, more)) all += String(chunk)
  return all.split('\r\n')[0]
}

test('a page is let in and told its id and the beat', async () => {
  const page = await open()
  assert.equal(page.seen[0]?.[0], '0')
  assert.deepEqual(JSON.parse(page.seen[0]?.slice(1) ?? ''), {
    sid: wires[0]?.id,
    upgrades: [],
    pingInterval: 25_000,
    pingTimeout: 20_000,
    maxPayload: 4_096,
  })
  assert.deepEqual(wires[0]?.guest, { name: 'guest' })
  assert.equal(page.socket.extensions, '')
})

test('nobody else is let in', async () => {
  for (const path of [
    '/realtime',
    '/other/?EIO=4&transport=websocket',
    '/realtime/?EIO=3&transport=websocket',
    `${ASKED}&sid=x`,
  ])
    assert.equal(await answerTo(path), '', path)
  assert.equal(await answerTo(ASKED, { 'sec-websocket-version': '7' }), 'HTTP/1.1 400 Bad Request')
  assert.equal(await answerTo(ASKED, { 'sec-websocket-key': 'short' }), 'HTTP/1.1 400 Bad Request')
  admit = async () => null
  assert.equal(await answerTo(ASKED), 'HTTP/1.1 403 Forbidden')
  admit = () => Promise.reject(new Error('the database is away'))
  assert.equal(await answerTo(ASKED), 'HTTP/1.1 503 Service Unavailable')
  assert.equal(wires.length, 0)
})

test('messages are heard whole, also one in pieces with a ping between', async () => {
  const { socket } = await open()
  const answered = once(socket, 'pong')
  socket.send('4你好')
  socket.send('4前半', { fin: false })
  socket.ping('hi')
  socket.send('后半', { fin: true })
  await until(() => heard.length === 2)
  assert.deepEqual(heard, ['你好', '前半后半'])
  assert.deepEqual(await answered, [Buffer.from('hi')])
})

test('what was sent together with the request is heard', async () => {
  const head = String.fromCharCode(0x81, 0x80 | 2, 0, 0, 0, 0)
  const socket = request(ASKED, {}, `${head}4x`)
  await until(() => heard.length === 1)
  socket.destroy()
})

test('a message for many is seen by each', async () => {
  const [first, second] = [await open(), await open()]
  const shared = { wsPreEncodedFrame: [Buffer.from([0x81, 3]), Buffer.from('4ab')] }
  for (const wire of wires) wire.write('ab', shared)
  wires[0]?.write('alone')
  await until(() => first.seen.length === 3 && second.seen.length === 2)
  assert.deepEqual([first.seen.slice(1), second.seen.slice(1)], [['4ab', '4alone'], ['4ab']])
})

test('what breaks the protocol or a limit closes the page with its reason', async () => {
  const cases: [number, (socket: WebSocket) => void][] = [
    [1002, socket => socket.send('9')],
    [1002, socket => socket.send('2')],
    [1003, socket => socket.send(Buffer.from('4x'))],
    [1007, socket => socket.send(Buffer.from([0x34, 0xff]), { binary: false })],
    [1008, socket => times(201, () => socket.send('3'))],
    [1008, socket => times(201, () => socket.ping())],
    [1008, socket => times(65, i => socket.send('4', { fin: i === 64 }))],
    [1009, socket => socket.send('4'.repeat(4_097))],
    [1009, socket => times(40, i => socket.send('x'.repeat(120), { fin: i === 39 }))],
  ]
  for (const [code, say] of cases) {
    const page = await open()
    say(page.socket)
    assert.equal(await page.code, code)
  }
  await until(() => reasons.length === cases.length)
  assert.deepEqual(heard, [])
})

function times(count: number, act: (i: number) => void): void {
  for (let i = 0; i < count; i++) act(i)
}

test('goodbyes are answered, from a page and from the server, and the wire ends', async () => {
  const leaving = await open()
  leaving.socket.close(1000)
  assert.equal(await leaving.code, 1000)
  const staying = await open()
  wires[1]?.close()
  assert.equal(await staying.code, 1000)
  const gone = await open()
  gone.socket.terminate()
  await until(() => reasons.length === 3)
  assert.equal(wires[1]?.readyState, 'closed')
})

test('a page is asked for a sign of life, and given up when it shows none', async () => {
  await open()
  const page = await open()
  const wire = wires[1] as Wire<Guest>
  const atS = Math.floor(performance.now() / 1_000)
  wire.tick(atS + 24)
  wire.tick(atS + 26)
  await until(() => page.seen.length === 2)
  assert.equal(page.seen[1], '2')
  wire.tick(atS + 40)
  assert.equal(wire.readyState, 'open')
  wire.tick(atS + 47)
  assert.equal(wire.readyState, 'closed')
  assert.equal(await page.code, 1006)
  assert.equal(page.seen.length, 2)
  assert.equal(wires[0]?.readyState, 'open')
})

test('a page that does not read is cut off before much waits for it', async () => {
  const page = await open()
  page.socket.pause()
  const [wire] = wires as [Wire<Guest>]
  for (let i = 0; i < 20_000 && wire.readyState === 'open'; i++) wire.write('x'.repeat(1_000))
  assert.equal(wire.readyState, 'closed')
})

test('stopping sends pages away, cuts off who does not go, and lets nobody in', async () => {
  const [goes, stays] = [await open(), await open()]
  stays.socket.pause()
  await engine.close()
  assert.equal(await goes.code, 1000)
  await until(() => reasons.length === 2)
  assert.equal(await answerTo(ASKED), '')
  assert.equal(wires.length, 2)
})
