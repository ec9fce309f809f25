import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { CallbackRejected, type PayCallback, type Surroundings } from '#kit/ports/providers.ts'
import type { Effect } from '#providers/simulator.ts'
import { ANSWERED_WITHIN_MS, until } from '#test/patience.ts'
import { makeWechatPay, type WechatPay } from './client.ts'
import {
  makeWechatPayKeys,
  settingsFor,
  startWechatPaySimulator,
  type WechatPaySimulator,
} from './simulator.ts'

type Delivery = { headers: Record<string, string | undefined>; body: Buffer }

const keys = makeWechatPayKeys()
let simulator: WechatPaySimulator
let surroundings: Surroundings
let office: Server
/** By the path they came to: each test has its own. */
const deliveries = new Map<string, Delivery[]>()
const answers = new Map<string, number[]>()

before(async () => {
  office = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = request.url ?? ''
    const headers = request.headers as Record<string, string | undefined>
    deliveries.set(path, [...(deliveries.get(path) ?? []), { headers, body: Buffer.concat(chunks) }])
    response.writeHead(answers.get(path)?.shift() ?? 204).end()
  })
  await new Promise<void>(resolve => office.listen(0, '127.0.0.1', resolve))
  simulator = await startWechatPaySimulator({ keys, refundMs: 0, callbackScale: 0.001 })
  surroundings = {
    fetch,
    now: () => simulator.control.now(),
    nonce: () => randomUUID().replaceAll('-', ''),
    timeoutMs: ANSWERED_WITHIN_MS,
  }
})
after(async () => {
  await simulator.stop()
  office.closeAllConnections()
  office.close()
})

const fault = (match: string, effect: Effect, times = 1) =>
  simulator.control.faults.push({ match, times, effect })

let tests = 0
type Case = { wechat: WechatPay; path: string; outTradeNo: string; amountFen: number; notifyUrl: string }
/** An order that is paid, whose callbacks come to a path of its own. */
async function payAnOrder(
  which: { merchant?: 'direct' | 'partner'; mode?: 'certificate' | 'public-key' } = {},
  before: (path: string) => void = () => undefined,
): Promise<Case> {
  const path = `/callbacks/${tests++}`
  const notifyUrl = `http://127.0.0.1:${(office.address() as AddressInfo).port}${path}`
  const wechat = makeWechatPay(settingsFor(keys, simulator.url, which), surroundings)
  const outTradeNo = `C${Date.now()}x${tests}`
  const expiresAt = new Date(simulator.control.now().getTime() + 600_000).toISOString()
  const { codeUrl } = await wechat.create({
    outTradeNo,
    amountFen: 321,
    subject: '短信',
    expiresAt,
    notifyUrl,
  })
  before(path)
  simulator.pay({ code: codeUrl })
  return { wechat, path, outTradeNo, amountFen: 321, notifyUrl }
}

async function waitFor(path: string, count: number): Promise<Delivery[]> {
  const come = () => deliveries.get(path) ?? []
  await until(() => come().length >= count, `fewer than ${count} callbacks came`)
  return come()
}

const read = (wechat: WechatPay, { headers, body }: Delivery): Promise<PayCallback> =>
  wechat.readCallback(headers, body)
const rejected = (error: unknown) => error instanceof CallbackRejected

for (const merchant of ['direct', 'partner'] as const)
  for (const mode of ['certificate', 'public-key'] as const)
    test(`a payment is told of to a ${merchant} merchant, signed by ${mode}`, async () => {
      await setMode(mode)
      const { wechat, path, outTradeNo } = await payAnOrder({ merchant, mode })
      const [delivery] = (await waitFor(path, 1)) as [Delivery]
      await setMode('certificate')
      const callback = await read(wechat, delivery)
      assert.equal(callback.kind, 'payment')
      assert.equal(callback.eventId, JSON.parse(delivery.body.toString()).id)
      assert.ok(Math.abs(Date.parse(callback.occurredAt) - simulator.control.now().getTime()) < 60_000)
      assert.deepEqual(callback.fact, await wechat.query(outTradeNo))
      assert.equal(callback.kind === 'payment' && callback.fact.state, 'paid')
    })

const setMode = (mode: string) =>
  fetch(`${simulator.url}/__sim/keys`, { method: 'POST', body: JSON.stringify({ mode }) })
const endRefundsWith = (...next: string[]) =>
  fetch(`${simulator.url}/__sim/refunds`, { method: 'POST', body: JSON.stringify({ next }) })

for (const [outcome, state] of [
  ['SUCCESS', 'done'],
  ['ABNORMAL', 'failed'],
  ['CLOSED', 'failed'],
] as const)
  test(`a refund that ends as ${outcome} is told of`, async () => {
    for (const merchant of ['direct', 'partner'] as const) {
      const { wechat, path, outTradeNo, amountFen, notifyUrl } = await payAnOrder({ merchant })
      await waitFor(path, 1)
      await endRefundsWith(outcome)
      const refundNo = `R${outTradeNo}`
      const refund = { outTradeNo, refundNo, refundFen: 21, totalFen: amountFen, reason: '重复支付' }
      await wechat.refund({ ...refund, notifyUrl: `${notifyUrl}/refund` })
      const [delivery] = (await waitFor(`${path}/refund`, 1)) as [Delivery]
      const callback = await read(wechat, delivery)
      const doneAt = 'doneAt' in callback.fact ? callback.fact.doneAt : undefined
      assert.ok(doneAt || state !== 'done')
      assert.deepEqual(callback, {
        kind: 'refund',
        eventId: callback.eventId,
        occurredAt: callback.occurredAt,
        fact: { outTradeNo, refundNo, state, providerState: outcome, doneAt },
      })
    }
  })

test('what a merchant did not keep comes again with the same id until it is kept', async () => {
  const { wechat, path } = await payAnOrder({}, at => answers.set(at, [500, 404, 200]))
  const come = await waitFor(path, 3)
  const events = await Promise.all(come.map(async delivery => (await read(wechat, delivery)).eventId))
  assert.equal(new Set(events).size, 1)
  const notices = (await (await fetch(`${simulator.url}/__sim/notices`)).json()) as {
    notices: { id: string; attempts: number; kept: boolean }[]
  }
  const notice = notices.notices.find(({ id }) => id === events[0])
  assert.deepEqual([notice?.attempts, notice?.kept], [3, true])
})

test('a callback that was tampered with, is stale or is a probe is rejected, and the next is read', async () => {
  const { wechat, path } = await payAnOrder()
  const [{ headers, body }] = (await waitFor(path, 1)) as [Delivery]
  const changed = Buffer.from(body.toString().replace('支付成功', '支付成 功'))
  await assert.rejects(wechat.readCallback(headers, changed), rejected)
  for (const name of ['wechatpay-timestamp', 'wechatpay-nonce', 'wechatpay-serial', 'wechatpay-signature']) {
    await assert.rejects(wechat.readCallback({ ...headers, [name]: undefined }, body), rejected)
    await assert.rejects(wechat.readCallback({ ...headers, [name]: '123' }, body), rejected)
  }
  const probe = `WECHATPAY/SIGNTEST/${headers['wechatpay-signature']}`
  await assert.rejects(wechat.readCallback({ ...headers, 'wechatpay-signature': probe }, body), rejected)
  await read(wechat, { headers, body })
})

test('one callback in so many is a probe, which is rejected, and is repeated genuinely', async t => {
  const probing = await startWechatPaySimulator({ keys, callbackScale: 0.001, probeEvery: 2 })
  t.after(() => probing.stop())
  const path = `/callbacks/${tests++}`
  const notifyUrl = `http://127.0.0.1:${(office.address() as AddressInfo).port}${path}`
  const wechat = makeWechatPay(settingsFor(keys, probing.url), surroundings)
  const expiresAt = new Date(simulator.control.now().getTime() + 600_000).toISOString()
  answers.set(path, [500, 401])
  const order = { outTradeNo: `P${Date.now()}`, amountFen: 1, subject: '短信', expiresAt, notifyUrl }
  probing.pay({ code: (await wechat.create(order)).codeUrl })
  const [first, probe, last] = (await waitFor(path, 3)) as [Delivery, Delivery, Delivery]
  await read(wechat, first)
  assert.match(probe.headers['wechatpay-signature'] ?? '', /^WECHATPAY\/SIGNTEST\//)
  await assert.rejects(read(wechat, probe), rejected)
  await read(wechat, last)
})

for (const effect of ['wrong-signature', 'stale-timestamp', 'malformed'] as const)
  test(`a callback with the fault ${effect} is rejected and its repetition read`, async () => {
    const { wechat, path } = await payAnOrder({}, at => {
      fault('notify', { kind: effect })
      answers.set(at, [401])
    })
    const come = await waitFor(path, 2)
    await assert.rejects(read(wechat, come[0] as Delivery), rejected)
    assert.equal((await read(wechat, come[1] as Delivery)).kind, 'payment')
  })

test('a dropped callback comes on its schedule, a duplicated one twice, a delayed one later', async () => {
  for (const [effect, count] of [
    [{ kind: 'callback-drop' }, 1],
    [{ kind: 'callback-duplicate' }, 2],
    [{ kind: 'callback-delay', ms: 50 }, 1],
  ] as [Effect, number][]) {
    const { wechat, path } = await payAnOrder({}, () => fault('notify', effect))
    const come = await waitFor(path, count)
    const events = await Promise.all(come.map(async delivery => (await read(wechat, delivery)).eventId))
    assert.equal(new Set(events).size, 1)
    assert.equal(simulator.control.faults.filter(({ times }) => times > 0).length, 0, 'the rule was used')
  }
})

test('a reordered callback comes after the next one', async () => {
  const first = await payAnOrder({}, () => fault('notify', { kind: 'callback-reorder' }))
  const second = await payAnOrder()
  await waitFor(second.path, 1)
  await waitFor(first.path, 1)
  const at = (path: string) => [...deliveries.keys()].indexOf(path)
  assert.ok(at(second.path) < at(first.path))
})

test('a callback for another merchant, another app or another kind of service is rejected', async () => {
  await setMode('public-key')
  const { wechat, path, outTradeNo, notifyUrl } = await payAnOrder({ mode: 'public-key' })
  const [delivery] = (await waitFor(path, 1)) as [Delivery]
  const refundNo = `R${outTradeNo}`
  const refund = { outTradeNo, refundNo, refundFen: 1, totalFen: 321, reason: '重复支付' }
  await wechat.refund({ ...refund, notifyUrl: `${notifyUrl}/refund` })
  const [refunded] = (await waitFor(`${path}/refund`, 1)) as [Delivery]
  await setMode('certificate')
  await read(wechat, delivery)
  await read(wechat, refunded)
  const settings = settingsFor(keys, simulator.url, { mode: 'public-key' })
  for (const merchant of [
    { kind: 'direct' as const, mchid: '1900000009', appid: keys.direct.appid },
    { kind: 'direct' as const, mchid: keys.direct.mchid, appid: 'wx0000000000000000' },
    {
      kind: 'partner' as const,
      spMchid: keys.direct.mchid,
      spAppid: keys.direct.appid,
      subMchid: '1',
      subAppid: null,
    },
  ])
    await assert.rejects(read(makeWechatPay({ ...settings, merchant }, surroundings), delivery), rejected)
  const stranger = { kind: 'direct' as const, mchid: '1900000009', appid: keys.direct.appid }
  const other = makeWechatPay({ ...settings, merchant: stranger }, surroundings)
  await assert.rejects(read(other, refunded), rejected)
  const otherKey = { ...settings, apiV3Key: keys.partner.apiV3Key }
  await assert.rejects(read(makeWechatPay(otherKey, surroundings), delivery), rejected)
})

test('answers that it kept a callback, or that it did not', async () => {
  const wechat = makeWechatPay(settingsFor(keys, simulator.url), surroundings)
  assert.equal(wechat.answerCallback('kept').status, 200)
  const failure = wechat.answerCallback('failed')
  assert.ok(failure.status >= 500)
  assert.equal(wechat.answerCallback('rejected').status, 401)
  assert.equal(JSON.parse(failure.body).code, 'FAIL')
})
