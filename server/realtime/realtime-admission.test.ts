import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import test from 'node:test'
import cookie from '@fastify/cookie'
import fastify from 'fastify'
import { readEnv } from '#server/env.ts'
import { admission } from './realtime-admission.ts'

const HOST = 'office.example'
const GUEST = { accountId: 1, agentId: 1, sessionId: 1 }
const PROGRAM_TOKEN = 'token-of-a-program'
const env = readEnv({ DATABASE_URL: 'postgres://nowhere', SECRET_KEY: randomBytes(32).toString('hex') })

async function openDoor() {
  const asked: string[] = []
  const http = fastify()
  await http.register(cookie)
  const door = admission({ env, onProblem: assert.ifError }, http, {
    async holders(tokens) {
      asked.push(...tokens)
      return tokens.map(() => GUEST)
    },
    programs: {
      isToken: text => text === PROGRAM_TOKEN,
      async holders(brought) {
        asked.push(...brought.map(({ token, ip }) => `${token} from ${ip}`))
        return brought.map(({ ip }) => ({ accountId: 1, agentId: 1, tokenHash: 'hash', ip }))
      },
      standing: async programs => new Set(programs),
    },
  })
  return { asked, door }
}

const requestWith = (cookies: string | undefined, socket = new Socket()) =>
  ({ headers: { host: HOST, origin: `http://${HOST}`, cookie: cookies }, socket }) as IncomingMessage

const token = () => randomBytes(32).toString('base64url')

test('the database is asked about what may be a session token, and about nothing else', async () => {
  const { asked, door } = await openDoor()
  for (const nonsense of ['', 'x', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}!`, 'x'.repeat(8_000)])
    assert.equal(await door.admit(requestWith(`session=${nonsense}`)), null, nonsense)
  assert.equal(await door.admit(requestWith(undefined)), null)
  assert.deepEqual(asked, [])
  const real = token()
  assert.deepEqual(await door.admit(requestWith(`session=${real}`)), GUEST)
  assert.deepEqual(asked, [real])
})

test('an account has twenty places, each free again once its wire is closed, and none is taken by a wire that is gone', async () => {
  const { door } = await openDoor()
  const wires = Array.from({ length: 25 }, () => new Socket())
  const gone = new Socket()
  gone.destroy()
  assert.equal(await door.admit(requestWith(`session=${token()}`, gone)), null)
  const admitted = await Promise.all(wires.map(wire => door.admit(requestWith(`session=${token()}`, wire))))
  assert.equal(admitted.filter(guest => guest !== null).length, 20)
  assert.equal(await door.admit(requestWith(`session=${token()}`)), null)
  const closed = new Promise(resolve => wires[0]?.once('close', resolve))
  wires[0]?.destroy()
  await closed
  assert.deepEqual(await door.admit(requestWith(`session=${token()}`)), GUEST)
})

test('a program brings its token as clients of hubs do, and no cookie or origin is asked for', async () => {
  const { asked, door } = await openDoor()
  const program = (url: string, headers: Record<string, string> = {}) =>
    door.programOf({ url, headers, socket: new Socket() } as unknown as IncomingMessage)
  const own = `?access_token=${PROGRAM_TOKEN}`
  for (const [url, headers] of [
    [`/hub${own}`],
    [`/hub?key=${PROGRAM_TOKEN}`],
    [`/hub?id=x&key=${PROGRAM_TOKEN}`, { origin: 'http://elsewhere.example' }],
    ['/hub', { authorization: `Bearer ${PROGRAM_TOKEN}` }],
    ['/hub', { key: PROGRAM_TOKEN }],
  ] as const)
    assert.deepEqual(await program(url, headers), { accountId: 1, agentId: 1, tokenHash: 'hash', ip: '' })
  assert.equal(asked.length, 5)
  for (const [url, headers] of [
    ['/hub'],
    ['/hub?access_token=&key='],
    ['/hub', { cookie: `session=${token()}`, origin: `http://${HOST}` }],
    ['/hub?access_token=another', { key: PROGRAM_TOKEN }],
  ] as const)
    assert.equal(await program(url, headers), null, url)
  assert.equal(asked.length, 5)
})

test('the address of a program is what the last proxy that is believed has said', async () => {
  const { door } = await openDoor()
  const from = async (proxies: number) => {
    Object.assign(env, { trustProxy: proxies })
    const headers = { 'x-forwarded-for': '192.0.2.9, 192.0.2.1,192.0.2.2' }
    const socket = { remoteAddress: '192.0.2.3' }
    const request = { url: `/hub?key=${PROGRAM_TOKEN}`, headers, socket }
    return (await door.programOf(request as unknown as IncomingMessage))?.ip
  }
  assert.equal(await from(0), '192.0.2.3')
  assert.equal(await from(1), '192.0.2.2')
  assert.equal(await from(2), '192.0.2.1')
  assert.equal(await from(9), '192.0.2.9')
  Object.assign(env, { trustProxy: 0 })
})

test('people and programs of one account share its places', async () => {
  const { door } = await openDoor()
  const program = () =>
    door.admitProgram({
      url: `/hub?key=${PROGRAM_TOKEN}`,
      headers: {},
      socket: new Socket(),
    } as unknown as IncomingMessage)
  for (let i = 0; i < 10; i++) {
    assert.ok(await door.admit(requestWith(`session=${token()}`)))
    assert.ok(await program())
  }
  assert.equal(await program(), null)
  assert.equal(await door.admit(requestWith(`session=${token()}`)), null)
})
