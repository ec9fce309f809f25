import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import test, { after, afterEach, before, describe } from 'node:test'
import { ProviderRefused, ProviderUnknown, ProviderUnverified } from '#kit/ports/providers.ts'
import { ANSWERED_WITHIN_MS, GIVEN_UP_AFTER_MS } from '#test/patience.ts'
import type { Effect } from '../simulator.ts'
import { makeTianque, readTianque } from './client.ts'
import {
  makeTianqueKeys,
  startTianqueSimulator,
  type TianqueSimulator,
  tianqueSettings,
} from './simulator.ts'
import { instantOf, readEnvelope, signEnvelope, stampOf, yuanText } from './wire.ts'

const keys = makeTianqueKeys()
let simulator: TianqueSimulator
let made = 0
before(async () => {
  simulator = await startTianqueSimulator(keys)
})
after(() => simulator.stop())
afterEach(() => {
  simulator.control.faults.length = 0
})

const MNO = '399200000000001'
const desk = (more: object = {}, timeoutMs = ANSWERED_WITHIN_MS) =>
  makeTianque(
    { ...tianqueSettings(keys, simulator.url), ...more },
    { fetch, now: () => new Date(), nonce: () => `n${++made}`.padEnd(32, '0'), timeoutMs },
  )
const order = (orderNo: string) => ({ merchant: MNO, orderNo, amountFen: 1, subject: '测试支付', minutes: 5 })
const fault = (match: string, effect: Effect) => simulator.control.faults.push({ match, times: 1, effect })
const otherKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail('it was taken'),
    (error: unknown) => (error instanceof ProviderRefused ? error : assert.fail(String(error))),
  )

describe('the wire', () => {
  test('signs the members by name with reqData in the order in which it is sent', () => {
    const { orgPrivateKey, orgPublicKey } = keys
    const signed = signEnvelope(
      { version: '1.0', reqData: { b: '支付', a: '2' }, orgId: '1', empty: '' },
      orgPrivateKey,
    )
    assert.equal(readEnvelope(JSON.stringify(signed), orgPublicKey)?.sign, 'signed')
    const turned = { ...signed, reqData: { a: '2', b: '支付' } }
    assert.equal(readEnvelope(JSON.stringify(turned), orgPublicKey)?.sign, 'wrong')
    assert.equal(readEnvelope('{"code":"0001"}', orgPublicKey)?.sign, 'absent')
    for (const text of ['', '[]', '{"a":1,"a":2}']) assert.equal(readEnvelope(text, orgPublicKey), null)
  })

  test('writes money as text and time of China', () => {
    assert.deepEqual([1, 10, 12_345].map(yuanText), ['0.01', '0.10', '123.45'])
    for (const wrong of [0, -1, 1.5]) assert.throws(() => yuanText(wrong), RangeError)
    assert.equal(stampOf(new Date('2026-03-31T17:00:05.000Z')), '20260401010005')
    assert.equal(instantOf('20260401010005'), '2026-03-31T17:00:05.000Z')
    for (const wrong of ['', null, '2026-04-01', '20261301000000']) assert.equal(instantOf(wrong), null)
  })
})

test('an order is paid by its code, and goes back once, however often that is asked', async () => {
  const { codeUrl } = await desk().create(order('A1'))
  assert.deepEqual(await desk().query(MNO, 'A1'), { state: 'waiting', paidAt: null })
  simulator.payCode(codeUrl)
  const paid = await desk().query(MNO, 'A1')
  assert.equal(paid.state, 'paid')
  assert.ok(Math.abs(Date.parse(paid.paidAt ?? '') - Date.now()) < 60_000)
  const back = { merchant: MNO, orderNo: 'A1', refundNo: 'A1R', amountFen: 1 }
  assert.equal(await desk().queryRefund(MNO, 'A1R'), 'none')
  simulator.setNextRefund('processing')
  assert.equal(await desk().refund(back), 'processing')
  assert.equal(await desk().queryRefund(MNO, 'A1R'), 'done')
  assert.equal(await desk().refund(back), 'done')
  assert.equal(simulator.orders().find(({ ordNo }) => ordNo === 'A1')?.refunds.length, 1)
  assert.match((await refused(desk().refund({ ...back, refundNo: 'A1S' }))).message, /超过/)
})

test('an order that nobody paid closes, by asking or by its time, and a failed one says so', async () => {
  const { codeUrl } = await desk().create(order('B1'))
  simulator.payCode(codeUrl, 'failed')
  assert.equal((await desk().query(MNO, 'B1')).state, 'failed')
  const second = await desk().create(order('B2'))
  await desk().close(MNO, 'B2')
  assert.equal((await desk().query(MNO, 'B2')).state, 'closed')
  assert.throws(() => simulator.payCode(second.codeUrl))
  await desk().create(order('B3'))
  simulator.control.moveClock(5 * 60_000)
  assert.equal((await desk().query(MNO, 'B3')).state, 'closed')
})

describe('a refusal is told in words', () => {
  test('a wrong key', async () => {
    const error = await refused(desk({ privateKey: otherKey().privateKey }).create(order('C1')))
    assert.match(desk().troubleOf(error), /^签名校验失败，请检查密钥与机构号/)
  })
  test('an organisation that it does not know', async () => {
    const error = await refused(desk({ orgId: '1' }).create(order('C2')))
    assert.match(desk().troubleOf(error), /机构不存在（1001）/)
  })
  test('a merchant that is not there, or is frozen', async () => {
    const unknown = await refused(desk().create({ ...order('C3'), merchant: '1' }))
    assert.match(desk().troubleOf(unknown), /核对商户编号/)
    simulator.setMerchant('399200000000009', 'frozen')
    const frozen = await refused(desk().create({ ...order('C4'), merchant: '399200000000009' }))
    assert.match(desk().troubleOf(frozen), /商户状态异常/)
  })
  test('a number that was used before', async () => {
    await desk().create(order('C5'))
    assert.match((await refused(desk().create(order('C5')))).message, /重复/)
  })
})

describe('what is not believed', () => {
  test('an answer that the platform’s key did not sign', async () => {
    fault('create', { kind: 'wrong-signature' })
    await assert.rejects(desk().create(order('D1')), ProviderUnverified)
    await assert.rejects(desk({ publicKey: otherKey().publicKey }).create(order('D2')), ProviderUnverified)
  })
  test('an answer to another request', async () => {
    const first = await fetch(`${simulator.url}/query/tradeQuery`, { method: 'POST', body: '{}' })
    assert.equal(first.status, 200)
    let kept = ''
    const replaying = makeTianque(tianqueSettings(keys, simulator.url), {
      fetch: async (...asked) => {
        const answer = await (await fetch(...asked)).text()
        kept ||= answer
        return new Response(kept)
      },
      ...{ now: () => new Date(), nonce: () => `r${++made}`.padEnd(32, '0'), timeoutMs: ANSWERED_WITHIN_MS },
    })
    await replaying.create(order('D3'))
    await assert.rejects(replaying.query(MNO, 'D3'), ProviderUnverified)
  })
  test('no answer, half of one, and a server’s error', async () => {
    for (const effect of [
      { kind: 'reset-after' },
      { kind: 'malformed' },
      { kind: 'status', status: 502 },
    ] as const) {
      fault('query', effect)
      await assert.rejects(desk().query(MNO, 'A1'), ProviderUnknown, effect.kind)
    }
    fault('query', { kind: 'silence' })
    await assert.rejects(desk({}, GIVEN_UP_AFTER_MS).query(MNO, 'A1'), ProviderUnknown)
  })
})

test('its settings are read from the environment, and a key that is none is told by its name', () => {
  const { orgId, orgPrivateKey, platformPublicKey } = keys
  const values: Record<string, string> = {
    ORG_ID: orgId,
    PRIVATE_KEY: orgPrivateKey,
    PUBLIC_KEY: platformPublicKey,
  }
  const reader = {
    need: (name: string) => values[name] ?? assert.fail(name),
    may: (name: string) => values[name],
  }
  assert.deepEqual(readTianque({ ...reader }), {
    ...tianqueSettings(keys, 'https://openapi.tianquetech.com'),
  })
  values.PUBLIC_KEY = 'none'
  assert.throws(() => readTianque(reader), /TIANQUE_PUBLIC_KEY/)
})
