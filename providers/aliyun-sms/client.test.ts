// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how templates of this service name their variables
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
import { nextPhone, refusedWith, SURROUNDINGS, smsScene, today } from '#test/sms-service.ts'
import type { Effect } from '../simulator.ts'
import { makeAliyunSms } from './client.ts'
import { aliyunSmsSettings, makeAliyunSmsKeys, startAliyunSmsSimulator } from './simulator.ts'

const REGISTRY = {
  signatures: ['收银无忧'],
  templates: [
    { code: 'SMS_CODE', text: '您的验证码为${code}，5分钟内有效' },
    { code: 'SMS_NOTICE', text: '${shop}将于${day}到期，请及时续费' },
    { code: 'SMS_PLAIN', text: '系统维护完毕' },
  ],
}
const keys = makeAliyunSmsKeys()
let service: Awaited<ReturnType<typeof startAliyunSmsSimulator>>
let sender: SmsSender

before(async () => {
  service = await startAliyunSmsSimulator({ keys, registry: REGISTRY, carrierMs: 50 })
  sender = makeAliyunSms(aliyunSmsSettings(keys, service.url), SURROUNDINGS)
})
after(() => service.stop())

const hurried = () =>
  makeAliyunSms(aliyunSmsSettings(keys, service.url), { ...SURROUNDINGS, timeoutMs: GIVEN_UP_AFTER_MS })

const { batchOf, fault, inbox } = smsScene(() => service, {
  signature: '收银无忧',
  template: 'SMS_CODE',
  params: [{ name: 'code', value: '482913' }],
})

test('a message is taken, shown as its phone gets it, and known by its batch', async () => {
  const phone = nextPhone()
  const batch = batchOf([phone])
  const [answer] = await sender.send(batch)
  assert.equal(answer?.reference, `m-${phone}`)
  assert.equal(answer?.refusal, null)
  assert.match(answer?.providerId ?? '', /^\d+\^0$/)
  const [shown] = await inbox(phone)
  assert.equal(shown?.text, '【收银无忧】您的验证码为482913，5分钟内有效')
  assert.equal(shown?.segments, 1)
  await until(async () => (await sender.details(phone, today(), null))[0]?.state === 'delivered')
  const [detail] = await sender.details(phone, today(), answer?.providerId ?? '')
  assert.equal(detail?.batchReference, batch.batchReference)
  assert.equal(detail?.code, 'DELIVERED')
  assert.equal(detail?.providerId, answer?.providerId)
  assert.ok(Math.abs(Date.parse(detail?.sentAt ?? '') - Date.now()) < 60_000)
  assert.deepEqual(await sender.details(phone, today(), '1^0'), [])
  assert.deepEqual(await sender.details(phone, '2020-01-01', null), [])
})

test('a thousand numbers go in one call, whose parameters then travel as a form', async () => {
  const phones = Array.from({ length: 1000 }, () => nextPhone())
  const params = [
    { name: 'shop', value: "老王's 超市 & *烟酒* (总店)~100%+" },
    { name: 'day', value: '2026-12-01' },
  ]
  const addresses: string[] = []
  const watched = makeAliyunSms(aliyunSmsSettings(keys, service.url), {
    ...SURROUNDINGS,
    fetch: (url, init) => {
      addresses.push(String(url))
      return fetch(url, init)
    },
  })
  const answers = await watched.send(batchOf(phones, { template: 'SMS_NOTICE', params }))
  assert.equal(answers.length, 1000)
  assert.equal(new Set(answers.map(({ providerId }) => providerId)).size, 1)
  const [shown] = await inbox(phones[999] as string)
  assert.equal(shown?.text, "【收银无忧】老王's 超市 & *烟酒* (总店)~100%+将于2026-12-01到期，请及时续费")
  const alone = nextPhone()
  await watched.send(batchOf([alone], { template: 'SMS_NOTICE', params }))
  assert.equal((await inbox(alone))[0]?.text, shown?.text)
  assert.deepEqual(
    addresses.map(address => address.length > 100),
    [false, true],
  )
  await assert.rejects(sender.send(batchOf([...phones, nextPhone()])), RangeError)
  await assert.rejects(sender.send(batchOf([])), RangeError)
})

const ownBatch = (
  shops: readonly (readonly [phone: string, shop: string])[],
  changed: Partial<SmsBatch> = {},
) =>
  batchOf([], {
    template: 'SMS_NOTICE',
    params: [],
    messages: shops.map(([phone, shop]) => ({
      reference: `m-${phone}`,
      phone,
      params: [
        { name: 'shop', value: shop },
        { name: 'day', value: '2026-12-01' },
      ],
    })),
    ...changed,
  })
const textOf = async (phone: string) => (await inbox(phone))[0]?.text

test('messages with variables of their own go in one call with one number, each with its text', async () => {
  const shops = Array.from({ length: 100 }, (_, n) => [nextPhone(), `${n}号 "店" & 'x' \\ +%`] as const)
  const batch = ownBatch(shops)
  const before = service.counts().calls as number
  const answers = await sender.send(batch)
  assert.equal((service.counts().calls as number) - before, 1)
  assert.deepEqual(
    answers.map(({ reference, refusal }) => [reference, refusal]),
    shops.map(([phone]) => [`m-${phone}`, null]),
  )
  assert.equal(new Set(answers.map(({ providerId }) => providerId)).size, 1)
  for (const [phone, shop] of [shops[0], shops[99]] as [(typeof shops)[0], (typeof shops)[0]])
    assert.equal(await textOf(phone), `【收银无忧】${shop}将于2026-12-01到期，请及时续费`)
  const [phone] = shops[57] as (typeof shops)[0]
  await until(async () => (await sender.details(phone, today(), null))[0]?.state === 'delivered')
  const [detail] = await sender.details(phone, today(), answers[57]?.providerId ?? '')
  assert.equal(detail?.batchReference, batch.batchReference)
  await assert.rejects(sender.send(ownBatch([...shops, [nextPhone(), '店']])), RangeError)
  const [own] = ownBatch([[nextPhone(), '店']]).messages
  const mixed = [{ reference: 'x', phone: nextPhone() }, own as SmsBatch['messages'][0]]
  await assert.rejects(sender.send(batchOf([], { messages: mixed })), RangeError)
})

test('of messages with their own variables one that is bad refuses the call, and its code says so', async () => {
  const phones = [nextPhone(), nextPhone()] as const
  for (const [second, code] of [
    [[phones[1], '赌博'], 'isv.BLACK_KEY_CONTROL_LIMIT'],
    [[phones[1], '长'.repeat(36)], 'isv.PARAM_LENGTH_LIMIT'],
    [[phones[1], ''], 'isv.TEMPLATE_MISSING_PARAMETERS'],
    [['12345678901', '店'], 'isv.MOBILE_NUMBER_ILLEGAL'],
  ] as const) {
    const batch = ownBatch([[phones[0], '店'], second])
    await assert.rejects(sender.send(batch), refusedWith(code), code)
    assert.equal(sender.mayBlameOne(batch, code), true, code)
  }
  for (const [changed, code] of [
    [{ signature: '别家' }, 'isv.SMS_SIGNATURE_ILLEGAL'],
    [{ template: 'SMS_NONE' }, 'isv.SMS_TEMPLATE_ILLEGAL'],
  ] as const) {
    const batch = ownBatch(
      [
        [phones[0], '店'],
        [phones[1], '店'],
      ],
      changed,
    )
    await assert.rejects(sender.send(batch), refusedWith(code), code)
    assert.equal(sender.mayBlameOne(batch, code), false, code)
  }
  fault({ kind: 'quota-exhausted' }, 'SendBatchSms')
  await assert.rejects(sender.send(ownBatch([[phones[0], '店']])), refusedWith('isv.AMOUNT_NOT_ENOUGH'))
  assert.equal(sender.mayBlameOne(batchOf(phones), 'isv.BLACK_KEY_CONTROL_LIMIT'), false, 'one text for all')
  assert.deepEqual(await inbox(phones[0]), [], 'nothing of all that was sent')
})

test('a call for messages with their own variables that has no answer is unknown as a whole', async () => {
  for (const effect of [
    { kind: 'status', status: 502 },
    { kind: 'status', status: 200, body: '{"Code":"OK","Message":"OK"}' },
    { kind: 'malformed' },
    { kind: 'error', code: 'isp.SYSTEM_ERROR' },
  ] satisfies Effect[]) {
    fault(effect, 'SendBatchSms')
    await assert.rejects(
      sender.send(ownBatch([[nextPhone(), '店']])),
      ProviderUnknown,
      JSON.stringify(effect),
    )
  }
  fault({ kind: 'silence' }, 'SendBatchSms')
  await assert.rejects(hurried().send(ownBatch([[nextPhone(), '店']])), ProviderUnknown)
  await untilMet(service.control.faults)
  const [phone, other] = [nextPhone(), nextPhone()]
  const batch = ownBatch([
    [phone, '甲'],
    [other, '乙'],
  ])
  fault({ kind: 'reset-after' }, 'SendBatchSms')
  await assert.rejects(sender.send(batch), ProviderUnknown)
  for (const one of [phone, other])
    assert.equal((await sender.details(one, today(), null))[0]?.batchReference, batch.batchReference)
})

test('a template without variables needs no parameters', async () => {
  const phone = nextPhone()
  await sender.send(batchOf([phone], { template: 'SMS_PLAIN', params: [] }))
  assert.equal((await inbox(phone))[0]?.text, '【收银无忧】系统维护完毕')
})

test('refusals of the call, of the number and of the gate keep their codes', async () => {
  const phone = nextPhone()
  const refused = (changed: Partial<SmsBatch>, code: string) =>
    assert.rejects(sender.send(batchOf([phone], changed)), refusedWith(code), code)
  await refused({ signature: '别家' }, 'isv.SMS_SIGNATURE_ILLEGAL')
  await refused({ template: 'SMS_NONE' }, 'isv.SMS_TEMPLATE_ILLEGAL')
  await refused({ params: [] }, 'isv.TEMPLATE_MISSING_PARAMETERS')
  await refused({ params: [{ name: 'code', value: '长'.repeat(36) }] }, 'isv.PARAM_LENGTH_LIMIT')
  await refused({ params: [{ name: 'code', value: '赌博' }] }, 'isv.BLACK_KEY_CONTROL_LIMIT')
  for (const code of [
    'isv.INVALID_JSON_PARAM',
    'isv.OUT_OF_SERVICE',
    'isv.DAY_LIMIT_CONTROL',
    'isp.RAM_PERMISSION_DENY',
    'isv.MOBILE_COUNT_OVER_LIMIT',
    'Throttling.User',
    'Forbidden.RAM',
  ]) {
    fault({ kind: 'error', code })
    await refused({}, code)
  }
  fault({ kind: 'quota-exhausted' })
  await refused({}, 'isv.AMOUNT_NOT_ENOUGH')
  fault({ kind: 'token-revoked' })
  await refused({}, 'InvalidAccessKeyId.NotFound')
  const [illegal] = await sender.send(batchOf(['12345678901']))
  assert.equal(illegal?.refusal?.code, 'isv.MOBILE_NUMBER_ILLEGAL')
  assert.equal(illegal?.providerId, null)
  await assert.rejects(sender.send(batchOf([phone, '12345678901'])), refusedWith('isv.MOBILE_NUMBER_ILLEGAL'))
  assert.deepEqual(await inbox(phone), [], 'nothing of all that was sent')
})

test('whatever is no answer is unknown, and may have been sent', async () => {
  for (const effect of [
    { kind: 'status', status: 500, body: '{"Code":"isv.OUT_OF_SERVICE","Message":"x"}' },
    { kind: 'status', status: 404, body: '<html>' },
    { kind: 'status', status: 200, body: '{"Code":"OK","Message":"OK"}' },
    { kind: 'status', status: 200, body: '[null]' },
    { kind: 'status', status: 200, body: 'null' },
    { kind: 'malformed' },
    { kind: 'reset-before' },
    { kind: 'error', code: 'InternalError' },
    { kind: 'error', code: 'ServiceUnavailable' },
    { kind: 'error', code: 'isp.SYSTEM_ERROR' },
    { kind: 'error', code: 'SignatureNonceUsed' },
  ] satisfies Effect[]) {
    fault(effect)
    await assert.rejects(sender.send(batchOf([nextPhone()])), ProviderUnknown, JSON.stringify(effect))
  }
  fault({ kind: 'silence' })
  await assert.rejects(hurried().send(batchOf([nextPhone()])), ProviderUnknown)
  await untilMet(service.control.faults)
  const phone = nextPhone()
  const batch = batchOf([phone])
  fault({ kind: 'reset-after' })
  await assert.rejects(sender.send(batch), ProviderUnknown)
  const [detail] = await sender.details(phone, today(), null)
  assert.equal(detail?.batchReference, batch.batchReference, 'and asking finds it')
  fault(
    { kind: 'status', status: 200, body: '{"Code":"OK","SmsSendDetailDTOs":{"SmsSendDetailDTO":[null]}}' },
    'QuerySendDetails',
  )
  await assert.rejects(sender.details(phone, today(), null), ProviderUnknown)
})

test('a forged, stale or repeated request is turned away by the gate', async () => {
  const settings = aliyunSmsSettings(keys, service.url)
  const send = (changed: Partial<Surroundings>, key: Partial<typeof keys> = {}) =>
    makeAliyunSms({ ...settings, ...key }, { ...SURROUNDINGS, ...changed }).send(batchOf([nextPhone()]))
  await assert.rejects(send({}, { accessKeySecret: 'wrong' }), refusedWith('SignatureDoesNotMatch'))
  await assert.rejects(send({}, { accessKeyId: 'wrong' }), refusedWith('InvalidAccessKeyId.NotFound'))
  const minutesAgo = (minutes: number) => ({ now: () => new Date(Date.now() - minutes * 60_000) })
  await assert.rejects(send(minutesAgo(16)), refusedWith('InvalidTimeStamp.Expired'))
  await assert.rejects(send(minutesAgo(-16)), refusedWith('InvalidTimeStamp.Expired'))
  await send(minutesAgo(14))
  const once = { nonce: () => 'the-same-nonce' }
  await send(once)
  await assert.rejects(send(once), ProviderUnknown, 'the first of the two was taken')
  const tampered = (change: (url: string, init: RequestInit) => [string, RequestInit]) =>
    send({ fetch: (url, init) => fetch(...change(String(url), init ?? {})) })
  await assert.rejects(
    tampered((url, init) => [url.replace('482913', '482914'), init]),
    refusedWith('SignatureDoesNotMatch'),
  )
  await assert.rejects(
    tampered((url, init) => [url, { ...init, body: 'SignName=x' }]),
    refusedWith('SignatureDoesNotMatch'),
  )
  await assert.rejects(
    tampered((url, init) => [url, { ...init, headers: { ...init.headers, 'x-acs-extra': '1' } }]),
    refusedWith('SignatureDoesNotMatch'),
  )
})

test('receipts that are not the service’s form are rejected', () => {
  const good = {
    phone_number: '13800001234',
    send_time: '2017-01-01 00:00:00',
    report_time: '2017-01-01 00:00:05',
    success: true,
    err_code: 'DELIVERED',
    err_msg: '用户接收成功',
    sms_size: '1',
    biz_id: '12345',
    out_id: '',
  }
  const read = (value: unknown) => sender.readReceipts(Buffer.from(JSON.stringify(value)))
  assert.deepEqual(read([good]), [
    {
      providerId: '12345',
      phone: '13800001234',
      batchReference: null,
      delivered: true,
      code: 'DELIVERED',
      message: '用户接收成功',
      segments: 1,
      reportedAt: '2016-12-31T16:00:05.000Z',
    },
  ])
  assert.equal(read([{ ...good, sms_size: 'x' }])[0]?.segments, null)
  assert.deepEqual(read([]), [])
  for (const wrong of [
    {},
    null,
    'x',
    [null],
    [1],
    [{ ...good, phone_number: 1 }],
    [{ ...good, success: 'true' }],
    [good, { ...good, biz_id: undefined }],
    [{ ...good, report_time: 'now' }],
  ])
    assert.throws(() => read(wrong), CallbackRejected, JSON.stringify(wrong))
  assert.throws(() => sender.readReceipts(Buffer.from('{"half":')), CallbackRejected)
})
