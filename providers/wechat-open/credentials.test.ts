// One renewal whatever happens around it: many who ask, several programs, answers that are lost, tokens that are void.
import assert from 'node:assert/strict'
import test, { after, afterEach, before, beforeEach } from 'node:test'
import { ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import { type MemoryStore, memoryStore } from '#test/credential-store.ts'
import { ANSWERED_WITHIN_MS } from '#test/patience.ts'
import type { Effect } from '../simulator.ts'
import { makeWechatOpen } from './client.ts'
import {
  makeWechatOpenKeys,
  startWechatOpenSimulator,
  type WechatOpenSimulator,
  wechatOpenSettings,
} from './simulator.ts'

const TOKEN_MS = 7_200_000
const keys = makeWechatOpenKeys()
let simulator: WechatOpenSimulator
let store: MemoryStore
let appid: string
let asked: Record<string, number>
let made = 0
before(async () => {
  simulator = await startWechatOpenSimulator(keys, { callbackScale: 0 })
})
after(() => simulator.stop())
afterEach(() => {
  simulator.control.faults.length = 0
})

/** A program of its own over the same store. */
const program = () =>
  makeWechatOpen(
    wechatOpenSettings(keys, simulator.url),
    {
      fetch: (input, init) => {
        const name = new URL(String(input)).pathname.split('/').at(-1) ?? ''
        asked[name] = (asked[name] ?? 0) + 1
        return fetch(input, init)
      },
      ...{ now: () => simulator.control.now(), nonce: () => `n${++made}`, timeoutMs: ANSWERED_WITHIN_MS },
    },
    store,
  )
const fault = (match: string, effect: Effect, times = 1) =>
  simulator.control.faults.push({ match, times, effect })
const kept = () => JSON.parse(store.kept.get(`authorizer:${appid}`)?.text ?? '{}') as Record<string, string>

beforeEach(async () => {
  store = memoryStore()
  asked = {}
  const platform = program()
  await platform.keepTicket(simulator.pushTicket(), simulator.control.now().toISOString())
  appid = simulator.addAccount({ principalName: '上海示例餐饮有限公司' }).appid
  await platform.authorize(simulator.authorize(appid))
  await platform.of(appid).info()
  asked = {}
})

test('200 calls of two programs at a token’s expiry make one renewal of each token', async () => {
  simulator.control.moveClock(TOKEN_MS)
  fault('api_authorizer_token', { kind: 'latency', ms: 200 })
  const [one, other] = [program(), program()]
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, at) => (at % 2 ? one : other).of(appid).info()),
  )
  assert.ok(answers.every(answer => answer.appid === appid))
  assert.deepEqual(asked, { api_component_token: 1, api_authorizer_token: 1, getaccountbasicinfo: 200 })
})

test('a token is renewed before it ends', async () => {
  simulator.control.moveClock(TOKEN_MS - 4 * 60_000)
  await program().of(appid).info()
  assert.equal(asked.api_authorizer_token, 1)
  await program().of(appid).info()
  assert.equal(asked.api_authorizer_token, 1)
})

for (const kind of ['reset-before', 'reset-after', 'malformed'] as const)
  test(`a renewal is made again after ${kind}`, async () => {
    const before = kept()
    simulator.control.moveClock(TOKEN_MS)
    fault('api_authorizer_token', { kind })
    await program().of(appid).info()
    assert.equal(asked.api_authorizer_token, 2)
    assert.notEqual(kept().refreshToken, before.refreshToken)
    await program().of(appid).info()
    assert.equal(asked.api_authorizer_token, 2)
  })

test('after two lost answers the next call renews with what is kept, as a program that was killed would', async () => {
  const before = kept()
  simulator.control.moveClock(TOKEN_MS)
  fault('api_authorizer_token', { kind: 'reset-after' }, 2)
  await assert.rejects(program().of(appid).info(), ProviderUnknown)
  assert.deepEqual(kept(), before)
  await program().of(appid).info()
  assert.notEqual(kept().refreshToken, before.refreshToken)
})

test('after minutes with nothing but lost answers the owner authorises again, and is told so', async () => {
  simulator.control.moveClock(TOKEN_MS)
  fault('api_authorizer_token', { kind: 'reset-after' }, 2)
  await assert.rejects(program().of(appid).info(), ProviderUnknown)
  simulator.control.moveClock(6 * 60_000)
  await assert.rejects(program().of(appid).info(), (error: ProviderRefused) => error.code === '61023')
})

test('a void token is replaced once by all who hold it, and what was refused is made again', async () => {
  await fetch(`${simulator.url}/__sim/void`, { method: 'POST', body: JSON.stringify({ appid }) })
  const [one, other] = [program(), program()]
  await Promise.all(Array.from({ length: 40 }, (_, at) => (at % 2 ? one : other).of(appid).info()))
  assert.equal(asked.api_authorizer_token, 1)
  await fetch(`${simulator.url}/__sim/void`, { method: 'POST', body: '{}' })
  await program().templates()
  assert.equal(asked.api_component_token, 1)
})

test('what stays refused with a new token is told, and not asked a third time', async () => {
  fault('getaccountbasicinfo', { kind: 'token-revoked' }, 2)
  await assert.rejects(program().of(appid).info(), (error: ProviderRefused) => error.code === '40001')
  assert.equal(asked.getaccountbasicinfo, 2)
})

test('a refresh token that the platform no longer knows wants a new authorisation', async () => {
  const lost = { ...kept(), refreshToken: 'lost' }
  store.kept.set(`authorizer:${appid}`, { text: JSON.stringify(lost), version: 9 })
  simulator.control.moveClock(TOKEN_MS)
  await assert.rejects(program().of(appid).info(), (error: unknown) => {
    assert.ok(error instanceof ProviderRefused)
    assert.match(program().troubleOf(error).words, /授权已失效/)
    return error.code === '61023'
  })
  await program().authorize(simulator.authorize(appid))
  await program().of(appid).info()
})

test('an authorisation that comes in during a renewal stays, and the renewal gives way', async () => {
  simulator.control.moveClock(TOKEN_MS)
  const fresh = { ...kept(), refreshToken: 'newer', until: Number.MAX_SAFE_INTEGER }
  const { authorized } = simulator.book().accounts[appid] ?? {}
  const text = JSON.stringify({ ...fresh, token: 'newer' })
  authorized?.tokens.push({ token: 'newer', until: Number.MAX_SAFE_INTEGER })
  store.overtakenBy.set(`authorizer:${appid}`, text)
  await program().of(appid).info()
  assert.equal(store.kept.get(`authorizer:${appid}`)?.text, text)
  assert.equal(asked.api_authorizer_token, 1)
})

test('a claim of a program that died ends, and another renews', async () => {
  simulator.control.moveClock(TOKEN_MS)
  await store.claim(`authorizer:${appid}`, 'dead', 150)
  await program().of(appid).info()
  assert.equal(asked.api_authorizer_token, 1)
})
