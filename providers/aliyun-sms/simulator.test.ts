// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how templates of this service name their variables
import assert from 'node:assert/strict'
import test, { after, before, type TestContext } from 'node:test'
import type { SmsSender } from '#kit/ports/providers.ts'
import { formatDay } from '#kit/time.ts'
import { until } from '#test/patience.ts'
import { keepReceipts, nextPhone, refusedWith, SURROUNDINGS, smsScene, today } from '#test/sms-service.ts'
import { makeAliyunSms } from './client.ts'
import { aliyunSmsSettings, makeAliyunSmsKeys, startAliyunSmsSimulator } from './simulator.ts'

const REGISTRY = {
  signatures: ['收银无忧'],
  templates: [
    { code: 'SMS_CODE', text: '您的验证码为${code}，5分钟内有效' },
    { code: 'SMS_PLAIN', text: '系统维护完毕' },
  ],
}
const keys = makeAliyunSmsKeys()
let service: Awaited<ReturnType<typeof startAliyunSmsSimulator>>
let sender: SmsSender

before(async () => {
  service = await startAliyunSmsSimulator({ keys, registry: REGISTRY, carrierMs: 50, reviewMs: 60_000 })
  sender = makeAliyunSms(aliyunSmsSettings(keys, service.url), SURROUNDINGS)
})
after(() => service.stop())

const { batchOf, fault, post } = smsScene(() => service, {
  signature: '收银无忧',
  template: 'SMS_CODE',
  params: [{ name: 'code', value: '482913' }],
})
/** `refused` of the first pushes are answered with 500. */
const receive = (t: TestContext, refused = 0) =>
  keepReceipts(t, sender, service.setReceiptsUrl, Array(refused).fill({ status: 500, body: '' }))

test('receipts come by carrier: delivered, refused, failed, more segments, or never', async t => {
  const address = await receive(t)
  const phones = ['0000', '0001', '0002', '0003', '0009'].map(suffix => nextPhone(suffix))
  const batch = batchOf(phones)
  const [answer] = await sender.send(batch)
  await until(() => address.receipts.length === 4)
  const byPhone = new Map(address.receipts.map(receipt => [receipt.phone, receipt]))
  for (const [index, delivered, code, segments] of [
    [0, false, 'MOBILE_IN_BLACK', 1],
    [1, false, 'MOBILE_NOT_ON_SERVICE', 1],
    [3, true, 'DELIVERED', 2],
    [4, true, 'DELIVERED', 1],
  ] as const) {
    const receipt = byPhone.get(phones[index] as string)
    assert.equal(receipt?.delivered, delivered, phones[index])
    assert.equal(receipt?.code, code)
    assert.equal(receipt?.segments, segments)
    assert.equal(receipt?.providerId, answer?.providerId)
    assert.equal(receipt?.batchReference, batch.batchReference)
  }
  assert.equal((await sender.details(phones[2] as string, today(), null))[0]?.state, 'waiting')
  assert.equal((await sender.details(phones[1] as string, today(), null))[0]?.state, 'failed')
})

test('receipts are pushed in batches of at most a hundred, again until they are kept, and badly where told', async t => {
  const address = await receive(t, 1)
  await sender.send(batchOf(Array.from({ length: 250 }, () => nextPhone())))
  await until(() => address.receipts.length === 250)
  assert.ok(address.pushes.length >= 4, 'the refused push comes again')
  assert.ok(address.pushes.every(({ count }) => count <= 100))

  fault({ kind: 'callback-duplicate' }, 'receipts')
  const twice = nextPhone()
  await sender.send(batchOf([twice]))
  await until(() => address.receipts.filter(({ phone }) => phone === twice).length === 2)

  fault({ kind: 'callback-drop' }, 'receipts')
  const [dropped, reordered] = [nextPhone(), [nextPhone(), nextPhone()]]
  await sender.send(batchOf([dropped]))
  await until(() => service.counts().dropped === 1)
  fault({ kind: 'callback-reorder' }, 'receipts')
  await sender.send(batchOf(reordered))
  await until(() => address.receipts.some(({ phone }) => phone === reordered[0]))
  assert.deepEqual(
    address.receipts.slice(-2).map(({ phone }) => phone),
    reordered.toReversed(),
  )
  assert.ok(!address.receipts.some(({ phone }) => phone === dropped))

  fault({ kind: 'callback-delay', ms: 150 }, 'receipts')
  fault({ kind: 'stale-timestamp' }, 'receipts')
  const stale = nextPhone()
  await sender.send(batchOf([stale]))
  await until(() => address.receipts.some(({ phone }) => phone === stale))
  const { reportedAt = '' } = address.receipts.at(-1) ?? {}
  assert.ok(Date.now() - Date.parse(reportedAt) > 86_000_000)

  fault({ kind: 'wrong-signature' }, 'receipts')
  await sender.send(batchOf([nextPhone()]))
  await until(() => address.pushes.some(({ url }) => url === '/secretx'))
})

test('a number gets one code a minute, five an hour, ten a day, and fifty notices', async () => {
  const phone = nextPhone()
  const clocked = makeAliyunSms(aliyunSmsSettings(keys, service.url), {
    ...SURROUNDINGS,
    now: () => service.control.now(),
  })
  const send = async () => (await clocked.send(batchOf([phone])))[0]?.refusal?.message ?? 'taken'
  assert.equal(await send(), 'taken')
  assert.equal(await send(), '触发分钟级流控Permits:1')
  for (let sent = 1; sent < 10; sent++) {
    service.control.moveClock(61_000)
    if (sent === 5) {
      assert.equal(await send(), '触发小时级流控Permits:5')
      service.control.moveClock(3_600_000)
    }
    assert.equal(await send(), 'taken', `code ${sent + 1}`)
  }
  service.control.moveClock(3_600_000)
  assert.equal(await send(), '触发天级流控Permits:10')
  const notice = { template: 'SMS_PLAIN', params: [] }
  for (let sent = 0; sent < 50; sent++)
    assert.equal((await clocked.send(batchOf([phone], notice)))[0]?.refusal, null)
  assert.equal((await clocked.send(batchOf([phone], notice)))[0]?.refusal?.code, 'isv.BUSINESS_LIMIT_CONTROL')
  const [inBatch] = await clocked.send(batchOf([phone, nextPhone()], notice))
  assert.equal(inBatch?.refusal, null, 'a batch is taken whole')
  service.control.moveClock(1000)
  assert.equal(
    (await clocked.details(phone, formatDay(service.control.now()), inBatch?.providerId ?? ''))[0]?.code,
    'MOBILE_SEND_LIMIT',
  )
  await post('limits', { on: false })
  assert.equal(await send(), 'taken')
  await post('limits', { on: true })
  service.control.moveClock(Date.now() - service.control.now().getTime())
})

test('the balance runs out, and the control plane fills it, adds to the registry and reviews', async () => {
  await post('balance', { segments: 1 })
  await sender.send(batchOf([nextPhone()]))
  await assert.rejects(sender.send(batchOf([nextPhone()])), refusedWith('isv.AMOUNT_NOT_ENOUGH'))
  await post('balance', { segments: 1_000_000 })
  await post('registry', { signature: '新店', template: { code: 'SMS_NEW', text: '欢迎光临' } })
  const batch = { signature: '新店', template: 'SMS_NEW', params: [] }
  await sender.send(batchOf([nextPhone()], batch))
  await post('review', { kind: 'signature', key: '新店', approve: false, reason: '撤回' })
  await assert.rejects(sender.send(batchOf([nextPhone()], batch)), refusedWith('isv.SMS_SIGNATURE_ILLEGAL'))
  assert.equal((await post('review', { kind: 'signature', key: '没有', approve: true })).status, 404)
})

test('the inbox escapes what a message holds', async () => {
  const phone = nextPhone()
  await sender.send(batchOf([phone], { params: [{ name: 'code', value: '<b>&"1"</b>' }] }))
  const page = await (await fetch(`${service.url}/__sim/inbox?phone=${phone}`)).text()
  assert.match(page, /您的验证码为&#60;b&#62;&#38;&#34;1&#34;&#60;\/b&#62;/)
  assert.ok(!page.includes('<b>'))
  assert.match(page, /阿里云短信收件箱/)
})
