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
