import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import {
  type CaptchaVerifier,
  ProviderRefused,
  ProviderUnknown,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { ANSWERED_WITHIN_MS, GIVEN_UP_AFTER_MS, untilMet } from '#test/patience.ts'
import type { Effect } from '../simulator.ts'
import { makeTencentCaptcha } from './client.ts'
import { makeTencentCaptchaKeys, startTencentCaptchaSimulator, tencentCaptchaSettings } from './simulator.ts'

const IP = '203.0.113.9'
const SURROUNDINGS: Surroundings = {
  fetch,
  now: () => new Date(),
  nonce: () => 'unused',
  timeoutMs: ANSWERED_WITHIN_MS,
}
const keys = makeTencentCaptchaKeys()
let service: Awaited<ReturnType<typeof startTencentCaptchaSimulator>>
let verifier: CaptchaVerifier

before(async () => {
  service = await startTencentCaptchaSimulator({ keys })
  verifier = makeTencentCaptcha(tencentCaptchaSettings(keys, service.url), SURROUNDINGS)
})
after(() => service.stop())

const settings = (changed: Partial<typeof keys>) => ({
  ...tencentCaptchaSettings(keys, service.url),
  ...changed,
})
const refusedWith = (code: string) => (error: unknown) => {
  assert.ok(error instanceof ProviderRefused, String(error))
  assert.equal(error.code, code)
  assert.notEqual(error.reference, '')
  return true
}

test('a person passes once; who is malicious, late or has another ticket does not', async () => {
  const proof = service.solve()
  assert.equal(await verifier.verify(proof, IP), true)
  assert.equal(await verifier.verify(proof, IP), false)
  assert.equal(await verifier.verify(service.solve('malicious'), IP), false)
  assert.equal(await verifier.verify({ ...service.solve(), randstr: '@none' }, IP), false)
  assert.equal(await verifier.verify({ ticket: 't03forged', randstr: '@ab' }, IP), false)
  assert.equal(await verifier.verify({}, IP), false)
  const old = service.solve()
  const late = makeTencentCaptcha(settings({}), { ...SURROUNDINGS, now: () => service.control.now() })
  service.control.moveClock(301_000)
  assert.equal(await late.verify(old, IP), false)
  service.control.moveClock(-301_000)
})

test('a ticket that the page made itself while the service was down never passes', async () => {
  const asked: string[] = []
  const watched = makeTencentCaptcha(settings({}), {
    ...SURROUNDINGS,
    fetch: async (...args) => {
      asked.push(String(args[0]))
      return fetch(...args)
    },
  })
  for (const ticket of ['trerror_1001_190000000_1551113065', 'terror_1001_190000000_1551113065'])
    assert.equal(await watched.verify({ ticket, randstr: '@ab' }, IP), false)
  assert.deepEqual(asked, [])
})

test('an outage lets nobody pass: it is unknown', async () => {
  for (const effect of [
    { kind: 'status', status: 503 },
    { kind: 'malformed' },
    { kind: 'reset-before' },
    { kind: 'reset-after' },
    { kind: 'error', code: 'InternalError' },
    { kind: 'error', code: 'InternalError.TicketTimeout' },
    { kind: 'status', status: 200, body: '{"Response":{"RequestId":"x"}}' },
  ] satisfies Effect[]) {
    service.control.faults.push({ match: 'DescribeCaptchaResult', times: 1, effect })
    await assert.rejects(verifier.verify(service.solve(), IP), ProviderUnknown, JSON.stringify(effect))
  }
  const hurried = makeTencentCaptcha(settings({}), { ...SURROUNDINGS, timeoutMs: GIVEN_UP_AFTER_MS })
  service.control.faults.push({ match: '*', times: 1, effect: { kind: 'silence' } })
  await assert.rejects(hurried.verify(service.solve(), IP), ProviderUnknown)
  await untilMet(service.control.faults)
})

test('wrong keys, a wrong clock and throttling are refusals', async () => {
  const verify = (changed: Partial<typeof keys>, now = new Date()) =>
    makeTencentCaptcha(settings(changed), { ...SURROUNDINGS, now: () => now }).verify(service.solve(), IP)
  await assert.rejects(verify({ secretKey: 'wrong' }), refusedWith('AuthFailure.SignatureFailure'))
  await assert.rejects(verify({ secretId: 'wrong' }), refusedWith('AuthFailure.SecretIdNotFound'))
  await assert.rejects(verify({ appSecretKey: 'wrong' }), refusedWith('CaptchaCode.100'))
  await assert.rejects(verify({}, new Date(Date.now() - 301_000)), refusedWith('AuthFailure.SignatureExpire'))
  service.control.faults.push({
    match: '*',
    times: 1,
    effect: { kind: 'error', code: 'RequestLimitExceeded' },
  })
  await assert.rejects(verify({}), refusedWith('RequestLimitExceeded'))
  service.control.faults.push({ match: '*', times: 1, effect: { kind: 'token-revoked' } })
  await assert.rejects(verify({}), refusedWith('AuthFailure.SecretIdNotFound'))
  assert.equal(await verify({}), true)
})
