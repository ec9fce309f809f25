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
import { makeGeetest } from './client.ts'
import { geetestSettings, makeGeetestKeys, startGeetestSimulator } from './simulator.ts'

const IP = '203.0.113.9'
const SURROUNDINGS: Surroundings = {
  fetch,
  now: () => new Date(),
  nonce: () => 'unused',
  timeoutMs: ANSWERED_WITHIN_MS,
}
const keys = makeGeetestKeys()
let service: Awaited<ReturnType<typeof startGeetestSimulator>>
let verifier: CaptchaVerifier

before(async () => {
  service = await startGeetestSimulator({ keys })
  verifier = makeGeetest(geetestSettings(keys, service.url), SURROUNDINGS)
})
after(() => service.stop())

test('a person passes once, a machine never', async () => {
  const proof = service.solve()
  assert.equal(await verifier.verify(proof, IP), true)
  assert.equal(await verifier.verify(proof, IP), false)
  assert.equal(await verifier.verify(service.solve(false), IP), false)
})

test('a proof that is old, of another puzzle or incomplete does not pass', async () => {
  assert.equal(await verifier.verify({ ...service.solve(), pass_token: 'x' }, IP), false)
  assert.equal(
    await verifier.verify({ ...service.solve(), lot_number: service.solve().lot_number as string }, IP),
    false,
  )
  const { gen_time: _, ...incomplete } = service.solve()
  assert.equal(await verifier.verify(incomplete, IP), false)
  assert.equal(await verifier.verify({ ...service.solve(), captcha_output: 'x'.repeat(9000) }, IP), false)
  const old = service.solve()
  service.control.moveClock(601_000)
  assert.equal(await verifier.verify(old, IP), false)
})

test('an outage lets nobody pass: it is unknown', async () => {
  for (const effect of [
    { kind: 'status', status: 502, body: 'bad gateway' },
    { kind: 'status', status: 403 },
    { kind: 'malformed' },
    { kind: 'reset-before' },
    { kind: 'reset-after' },
  ] satisfies Effect[]) {
    service.control.faults.push({ match: 'validate', times: 1, effect })
    await assert.rejects(verifier.verify(service.solve(), IP), ProviderUnknown, effect.kind)
  }
  const hurried = makeGeetest(geetestSettings(keys, service.url), {
    ...SURROUNDINGS,
    timeoutMs: GIVEN_UP_AFTER_MS,
  })
  service.control.faults.push({ match: '*', times: 1, effect: { kind: 'silence' } })
  await assert.rejects(hurried.verify(service.solve(), IP), ProviderUnknown)
  await untilMet(service.control.faults)
  service.control.faults.push({
    match: '*',
    times: 1,
    effect: { kind: 'status', status: 200, body: '{"status":"success"}' },
  })
  await assert.rejects(verifier.verify(service.solve(), IP), ProviderUnknown)
})

test('a wrong key is refused with the code of the service', async () => {
  const wrong = makeGeetest({ ...geetestSettings(keys, service.url), captchaKey: 'wrong' }, SURROUNDINGS)
  await assert.rejects(wrong.verify(service.solve(), IP), (error: unknown) => {
    assert.ok(error instanceof ProviderRefused)
    assert.equal(error.code, '-50103')
    return true
  })
  service.control.faults.push({ match: 'validate', times: 1, effect: { kind: 'error', code: '-50005' } })
  await assert.rejects(verifier.verify(service.solve(), IP), ProviderRefused)
})
