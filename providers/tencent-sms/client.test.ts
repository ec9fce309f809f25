import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import {
  CallbackRejected,
  ProviderUnknown,
  type SmsBatch,
  type SmsSender,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { GIVEN_UP_AFTER_MS, until, untilMet } from '#test/patience.ts'
import { keepReceipts, nextPhone, refusedWith, SURROUNDINGS, smsScene, today } from '#test/sms-service.ts'
import type { Effect } from '../simulator.ts'
import { makeTencentSms } from './client.ts'
import { makeTencentSmsKeys, startTencentSmsSimulator, tencentSmsSettings } from './simulator.ts'

const REGISTRY = {
  signatures: ['收银无忧'],
  templates: [
    { code: '1001', text: '您的验证码为{1}，{2}分钟内有效' },
    { code: '1002', text: '系统维护完毕' },
  ],
}
const keys = makeTencentSmsKeys()
let service: Awaited<ReturnType<typeof startTencentSmsSimulator>>
let sender: SmsSender

before(async () => {
  service = await startTencentSmsSimulator({ keys, registry: REGISTRY, carrierMs: 50 })
  sender = makeTencentSms(tencentSmsSettings(keys, service.url), SURROUNDINGS)
})
after(() => service.stop())

const { batchOf, fault, inbox, post } = smsScene(() => service, {
  signature: '收银无忧',
  template: '1001',
  params: [
    { name: '1', value: '482913' },
    { name: '2', value: '5' },
  ],
})
const PLAIN = { template: '1002', params: [] }

test('a message is taken with its segments, shown as its phone gets it, and known by its batch', async () => {
  const phone = nextPhone()
  const batch = batchOf([phone])
  const [answer] = await sender.send(batch)
  assert.equal(answer?.refusal, null)
  assert.equal(answer?.segments, 1)
  assert.equal((await inbox(phone))[0]?.text, '【收银无忧】您的验证码为482913，5分钟内有效')
  await until(async () => (await sender.details(phone, today(), null)).length === 1)
  const [detail] = await sender.details(phone, today(), answer?.providerId ?? '')
  assert.deepEqual(
    { ...detail, sentAt: '' },
    {
      phone,
      providerId: answer?.providerId,
      batchReference: batch.batchReference,
      state: 'delivered',
      code: 'DELIVRD',
      sentAt: '',
    },
  )
  assert.deepEqual(await sender.details(phone, today(), 'another'), [])
  assert.deepEqual(await sender.details(phone, '2020-01-01', null), [])
})

test('each number of a batch has its own answer, and two hundred are the most', async () => {
  const phones = Array.from({ length: 200 }, () => nextPhone())
  const bad = ['0000', '0003'].map(suffix => nextPhone(suffix))
  const illegal = '12345678901'
  const answers = await sender.send(batchOf([...phones.slice(3), ...bad, illegal]))
  assert.equal(answers.length, 200)
  assert.equal(new Set(answers.map(({ providerId }) => providerId)).size, 199, 'and null')
  assert.deepEqual(
    answers
      .slice(196)
      .map(({ refusal, segments, providerId }) => [refusal?.code, segments, providerId !== null]),
    [
      [undefined, 1, true],
      ['FailedOperation.PhoneNumberInBlacklist', null, false],
      [undefined, 2, true],
      ['InvalidParameterValue.IncorrectPhoneNumber', null, false],
    ],
  )
  await assert.rejects(sender.send(batchOf([...phones, nextPhone()])), RangeError)
  await assert.rejects(sender.send(batchOf([])), RangeError)
  const own = { reference: 'own', phone: nextPhone(), params: [{ name: '1', value: '1' }] }
  await assert.rejects(sender.send(batchOf([], { messages: [own] })), RangeError, 'no call takes such')
})

test('receipts are pushed until they are kept', async t => {
  const busy = { status: 200, body: '{"result":1,"errmsg":"busy"}' }
  const { receipts, pushes } = await keepReceipts(t, sender, service.setReceiptsUrl, [busy])
  const phones = ['0001', '0002', '0009'].map(suffix => nextPhone(suffix))
  const batch = batchOf(phones)
  const answers = await sender.send(batch)
  await until(() => receipts.length === 2)
  const [failed, delivered] = phones.flatMap(phone => receipts.filter(receipt => receipt.phone === phone))
  assert.equal(failed?.delivered, false)
  assert.equal(failed?.code, 'UNDELIV')
  assert.equal(delivered?.delivered, true)
  assert.equal(delivered?.providerId, answers[2]?.providerId)
  assert.equal(delivered?.batchReference, batch.batchReference)
  assert.equal(pushes.length, 2)
  assert.deepEqual(await sender.details(phones[1] as string, today(), null), [], 'no carrier, no detail')
  assert.equal((await sender.details(phones[0] as string, today(), null))[0]?.state, 'failed')
})

test('what is wrong with the whole call is refused as a whole, though it stands at each number', async () => {
  const phones = [nextPhone(), nextPhone()]
  const refused = (changed: Partial<SmsBatch>, code: string) =>
    assert.rejects(sender.send(batchOf(phones, changed)), refusedWith(code), code)
  await refused({ signature: '别家' }, 'FailedOperation.SignatureIncorrectOrUnapproved')
  await refused({ template: '9' }, 'FailedOperation.TemplateIncorrectOrUnapproved')
  await refused({ params: [] }, 'FailedOperation.TemplateParamSetNotMatchApprovedTemplate')
  const word = [
    { name: '1', value: '赌博' },
    { name: '2', value: '5' },
  ]
  await refused({ params: word }, 'FailedOperation.ContainSensitiveWord')
  const long = [{ name: '1', value: '长'.repeat(500) }, word[1] as (typeof word)[0]]
  await refused({ params: long }, 'InvalidParameterValue.ContentLengthLimit')
  fault({ kind: 'quota-exhausted' })
  await refused({}, 'FailedOperation.InsufficientBalanceInSmsPackage')
  fault({ kind: 'token-revoked' })
  await refused({}, 'AuthFailure.SecretIdNotFound')
  for (const code of [
    'RequestLimitExceeded',
    'UnauthorizedOperation',
    'LimitExceeded.PhoneNumberCountLimit',
  ]) {
    fault({ kind: 'error', code })
    await refused({}, code)
  }
  const other = makeTencentSms(
    { ...tencentSmsSettings(keys, service.url), sdkAppId: '1400000000' },
    SURROUNDINGS,
  )
  await assert.rejects(
    other.send(batchOf(phones)),
    refusedWith('UnauthorizedOperation.SmsSdkAppIdVerifyFail'),
  )
  await post('balance', { segments: 1 })
  const [first, second] = await sender.send(batchOf(phones, PLAIN))
  assert.equal(first?.refusal, null)
  assert.equal(
    second?.refusal?.code,
    'FailedOperation.InsufficientBalanceInSmsPackage',
    'it ran out in between',
  )
  await post('balance', { segments: 1_000_000 })
  assert.deepEqual((await inbox(phones[1] as string)).length, 0)
})

test('a number gets one code in thirty seconds, five an hour, ten a day, and fifty notices', async () => {
  const phone = nextPhone()
  const clocked = makeTencentSms(tencentSmsSettings(keys, service.url), {
    ...SURROUNDINGS,
    now: () => service.control.now(),
  })
  const send = async (changed = {}) =>
    (await clocked.send(batchOf([phone], changed)))[0]?.refusal?.code ?? 'taken'
  assert.equal(await send(), 'taken')
  assert.equal(await send(), 'LimitExceeded.PhoneNumberThirtySecondLimit')
  for (let sent = 1; sent < 10; sent++) {
    service.control.moveClock(31_000)
    if (sent === 5) {
      assert.equal(await send(), 'LimitExceeded.PhoneNumberOneHourLimit')
      service.control.moveClock(3_600_000)
    }
    assert.equal(await send(), 'taken', `code ${sent + 1}`)
  }
  service.control.moveClock(3_600_000)
  assert.equal(await send(), 'LimitExceeded.PhoneNumberDailyLimit')
  for (let sent = 0; sent < 50; sent++) assert.equal(await send(PLAIN), 'taken')
  assert.equal(await send(PLAIN), 'LimitExceeded.PhoneNumberDailyLimit')
  service.control.moveClock(Date.now() - service.control.now().getTime())
})

test('whatever is no answer is unknown, and may have been sent', async () => {
  const statuses = (set: unknown) =>
    ({
      kind: 'status',
      status: 200,
      body: JSON.stringify({ Response: { SendStatusSet: set, RequestId: 'r' } }),
    }) as const
  const phone = nextPhone()
  const status = { PhoneNumber: `+86${phone}`, Code: 'Ok', SerialNo: '1', Fee: 1 }
  for (const effect of [
    { kind: 'status', status: 500, body: '{"Response":{"Error":{"Code":"x","Message":"x"}}}' },
    { kind: 'status', status: 404 },
    { kind: 'status', status: 200, body: '{}' },
    { kind: 'malformed' },
    { kind: 'reset-before' },
    { kind: 'error', code: 'InternalError' },
    { kind: 'error', code: 'InternalError.Timeout' },
    statuses(undefined),
    statuses([]),
    statuses([null]),
    statuses([{ ...status, PhoneNumber: '+8613811111111' }]),
    statuses([{ ...status, SerialNo: '' }]),
    statuses([{ ...status, Code: 'InternalError.SendAndRecvFail' }]),
  ] satisfies Effect[]) {
    fault(effect)
    await assert.rejects(sender.send(batchOf([phone])), ProviderUnknown, JSON.stringify(effect))
  }
  const hurried = makeTencentSms(tencentSmsSettings(keys, service.url), {
    ...SURROUNDINGS,
    timeoutMs: GIVEN_UP_AFTER_MS,
  })
  fault({ kind: 'silence' })
  await assert.rejects(hurried.send(batchOf([phone])), ProviderUnknown)
  await untilMet(service.control.faults)
  const batch = batchOf([nextPhone()])
  const asked = batch.messages[0]?.phone as string
  fault({ kind: 'reset-after' })
  await assert.rejects(sender.send(batch), ProviderUnknown)
  await until(async () => (await sender.details(asked, today(), null)).length === 1)
  assert.equal((await sender.details(asked, today(), null))[0]?.batchReference, batch.batchReference)
  fault(
    { kind: 'status', status: 200, body: '{"Response":{"PullSmsSendStatusSet":[null],"RequestId":"r"}}' },
    '*',
  )
  await assert.rejects(sender.details(asked, today(), null), ProviderUnknown)
})

test('a forged or stale request is turned away by the gate', async () => {
  const settings = tencentSmsSettings(keys, service.url)
  const send = (changed: Partial<Surroundings>, key: Partial<typeof keys> = {}) =>
    makeTencentSms({ ...settings, ...key }, { ...SURROUNDINGS, ...changed }).send(batchOf([nextPhone()]))
  await assert.rejects(send({}, { secretKey: 'wrong' }), refusedWith('AuthFailure.SignatureFailure'))
  await assert.rejects(send({}, { secretId: 'wrong' }), refusedWith('AuthFailure.SecretIdNotFound'))
  const secondsAgo = (seconds: number) => ({ now: () => new Date(Date.now() - seconds * 1000) })
  await assert.rejects(send(secondsAgo(310)), refusedWith('AuthFailure.SignatureExpire'))
  await assert.rejects(send(secondsAgo(-310)), refusedWith('AuthFailure.SignatureExpire'))
  await send(secondsAgo(280))
  const tampered = (change: (init: RequestInit) => RequestInit) =>
    send({ fetch: (url, init) => fetch(String(url), change(init ?? {})) })
  await assert.rejects(
    tampered(init => ({ ...init, body: String(init.body).replace('482913', '482914') })),
    refusedWith('AuthFailure.SignatureFailure'),
  )
  await assert.rejects(
    tampered(init => ({
      ...init,
      headers: { ...(init.headers as object), 'x-tc-action': 'PullSmsSendStatusByPhoneNumber' },
    })),
    refusedWith('AuthFailure.SignatureFailure'),
  )
  await assert.rejects(
    tampered(init => ({ ...init, headers: { ...(init.headers as object), authorization: 'none' } })),
    refusedWith('AuthFailure.InvalidAuthorization'),
  )
})

test('where Tencent has not opened it, no batch reference comes back', async () => {
  const plain = await startTencentSmsSimulator({
    keys,
    registry: REGISTRY,
    carrierMs: 0,
    sessionContextReturned: false,
  })
  const phone = nextPhone()
  const other = makeTencentSms(tencentSmsSettings(keys, plain.url), SURROUNDINGS)
  await other.send(batchOf([phone]))
  assert.equal((await other.details(phone, today(), null))[0]?.batchReference, null)
  await plain.stop()
})

test('receipts that are not the service’s form are rejected', () => {
  const good = {
    user_receive_time: '2015-10-17 08:03:04',
    nationcode: '86',
    mobile: '13800001234',
    report_status: 'SUCCESS',
    errmsg: 'DELIVRD',
    description: '用户短信送达成功',
    sid: '8:1',
  }
  const read = (value: unknown) => sender.readReceipts(Buffer.from(JSON.stringify(value)))
  assert.deepEqual(read([good]), [
    {
      providerId: '8:1',
      phone: '13800001234',
      batchReference: null,
      delivered: true,
      code: 'DELIVRD',
      message: '用户短信送达成功',
      segments: null,
      reportedAt: '2015-10-17T00:03:04.000Z',
    },
  ])
  assert.deepEqual(read([]), [])
  for (const wrong of [
    {},
    null,
    [null],
    [{ ...good, mobile: 1 }],
    [good, { ...good, sid: undefined }],
    [{ ...good, report_status: 'MAYBE' }],
    [{ ...good, user_receive_time: '' }],
  ])
    assert.throws(() => read(wrong), CallbackRejected, JSON.stringify(wrong))
  assert.throws(() => sender.readReceipts(Buffer.from('[')), CallbackRejected)
})
