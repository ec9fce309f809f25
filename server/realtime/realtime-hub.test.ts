// Wires of a hub over real connections, by hand; SignalR's own client speaks with it in test/compat/hub.test.ts.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import test, { afterEach, beforeEach } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { WebSocket } from 'ws'
import { until } from '#test/patience.ts'
import type { Program } from './realtime-admission.ts'
import { type Engine, openEngine, type Wire } from './realtime-engine.ts'
import { openHub } from './realtime-hub.ts'

const END = '\x1e'
const SHAKE = `{"protocol":"json","version":1}${END}`
const GUEST: Program = { accountId: 1, agentId: 1, tokenHash: 'hash', ip: '192.0.2.1' }

let http: FastifyInstance
let engine: Engine
let wires: Wire<Program>[]
let clients: WebSocket[]
let put: number
let packets: string[]

beforeEach(async () => {
  http = fastify()
  wires = []
  clients = []
  packets = []
  put = 0
  const words = {
    path: '/hub',
    negotiation: '/hub/negotiate',
    told(event: string, payload: unknown) {
      put++
      return event === 'Told' ? { target: 'Heard', arguments: [payload] } : null
    },
  }
  const admits = { admitProgram: async () => GUEST, programOf: async () => GUEST }
  engine = openEngine(http.server, [openHub(http, words, admits, { Echo: (_guest, args) => args })])
  engine.events.on('connection', (wire: Wire<Program>) => {
    wires.push(wire)
    wire.on('data', packet => packets.push(packet))
  })
  await http.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(async () => {
  for (const client of clients) client.terminate()
  await engine.close()
  await http.close()
})

type Client = { socket: WebSocket; seen: string[]; code: Promise<number> }

async function open({ autoPong = true, shakes = true } = {}): Promise<Client> {
  const { port } = http.server.address() as AddressInfo
  const socket = new WebSocket(`ws://127.0.0.1:${port}/hub?id=x`, { autoPong })
  clients.push(socket)
  const seen: string[] = []
  socket.on('message', data => seen.push(data.toString()))
  socket.on('error', () => undefined)
  const code = new Promise<number>(resolve => socket.on('close', resolve))
  await once(socket, 'open')
  if (shakes) {
    socket.send(SHAKE)
    await until(() => seen.length === 1)
  }
  return { socket, seen, code }
}

const nowS = () => Math.floor(performance.now() / 1_000)
const told = (text: string) => `2["Told",${JSON.stringify(text)}]`

test('it connects to socket.io once it has shaken hands, and is told nothing before', async () => {
  const { socket, seen } = await open({ shakes: false })
  await until(() => wires.length === 1)
  assert.deepEqual(packets, [])
  // What comes in one piece is read one by one.
  socket.send(`${SHAKE}{"type":1,"invocationId":"7","target":"Echo","arguments":[1,"二"]}${END}`)
  await until(() => seen.length === 2)
  assert.deepEqual(seen, [`{}${END}`, `{"type":3,"invocationId":"7","result":[1,"二"]}${END}`])
  assert.deepEqual(packets, ['0'])
})

test('what is told to many is put once, and what is not for it is told nobody', async () => {
  const [first, second] = [await open(), await open()]
  for (const packet of ['0{"sid":"x"}', '1', '2["Other",1]', told('你好'), told('second')])
    for (const wire of wires) wire.write(packet)
  for (const { seen } of [first, second]) {
    await until(() => seen.length === 3)
    assert.deepEqual(
      seen.slice(1),
      ['你好', 'second'].map(text => `{"type":1,"target":"Heard","arguments":["${text}"]}${END}`),
    )
  }
  assert.equal(put, 3)
})

test('it is asked for a sign of life by both protocols, and given up when it shows none', async () => {
  const [silent, old] = [await open({ autoPong: false }), await open()]
  const [pinged, answered] = [once(silent.socket, 'ping'), once(old.socket, 'ping')]
  const atS = nowS()
  for (const wire of wires) wire.tick(atS + 16)
  await Promise.all([pinged, answered])
  await until(() => silent.seen.length === 2)
  assert.equal(silent.seen[1], `{"type":6}${END}`)
  wires[0]?.tick(atS + 47)
  assert.equal(await silent.code, 1006)
  assert.equal(wires[1]?.readyState, 'open')
})

test('one that does not read is cut off before much waits for it', async () => {
  const { socket } = await open()
  socket.pause()
  const [wire] = wires as [Wire<Program>]
  for (let i = 0; i < 20_000 && wire.readyState === 'open'; i++) wire.write(told(`${i} ${'x'.repeat(1_000)}`))
  assert.equal(wire.readyState, 'closed')
})

test('stopping says that it may come back', async () => {
  const { seen, code } = await open()
  await engine.close()
  assert.equal(await code, 1000)
  assert.equal(seen[1], `{"type":7,"allowReconnect":true}${END}`)
})
