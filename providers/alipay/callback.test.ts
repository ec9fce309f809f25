// Callbacks from the simulator's own sender to the client's reader: what they say, what is turned away, and the faults on the way.
import assert from 'node:assert/strict'
import { createSign, randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after, before, beforeEach } from 'node:test'
import { CallbackRejected, type PayCallback, type PayChannel } from '#kit/ports/providers.ts'
import { ANSWERED_WITHIN_MS } from '#test/patience.ts'
import type { Effect } from '../simulator.ts'
import { makeAlipay } from './client.ts'
import { type AlipaySimulator, alipaySettingsFor, makeAlipayKeys, startAlipaySimulator } from './simulator.ts'

const keys = makeAlipayKeys()
let simulator: AlipaySimulator
let alipay: PayChannel
let receiver: Server
let notifyUrl: string
let bodies: Buffer[] = []
let answers: string[] = []
let arrived: () => void = () => undefined
let numbered = 0

before(async () => {
  simulator = await startAlipaySimulator({ keys })
  const surroundings = {
    fetch,
    now: () => simulator.control.now(),
    nonce: randomUUID,
    timeoutMs: ANSWERED_WITHIN_MS,
  }
  alipay = makeAlipay(alipaySettingsFor(keys, simulator.url), surroundings)
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    bodies.push(Buffer.concat(chunks))
    const { status, type, body } = alipay.answerCallback('kept')
    response.writeHead(status, { 'content-type': type }).end(answers.shift() ?? body)
    arrived()
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  notifyUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callback`
})
after(async () => {
  await simulator.stop()
  receiver.close()
  receiver.closeAllConnections()
})
beforeEach(() => {
  bodies = []
  answers = []
  simulator.control.faults.length = 0
})

async function received(count: number): Promise<Buffer[]> {
  while (bodies.length < count)
    await new Promise<void>(resolve => {
      arrived = resolve
    })
  return bodies
}
async function pay(): Promise<string> {
  const outTradeNo = `CALL${String(++numbered).padStart(6, '0')}`
  const expiresAt = new Date(simulator.control.now().getTime() + 600_000).toISOString()
  const { codeUrl } = await alipay.create({
    outTradeNo,
    amountFen: 2_001,
    subject: '短信 50% + 10',
    expiresAt,
    notifyUrl,
  })
  assert.equal(simulator.pay({ code: codeUrl, outcome: 'paid' }).ok, true)
  return outTradeNo
}
const refund = (outTradeNo: string, refundNo: string, refundFen: number) =>
  alipay.refund({ outTradeNo, refundNo, refundFen, totalFen: 2_001, reason: '退款', notifyUrl })
const read = (body: Buffer | undefined) => alipay.readCallback({}, body as Buffer)
const fault = (effect: Effect, times = 1) => simulator.control.faults.push({ match: 'notify', times, effect })
const fieldsOf = (body: Buffer | undefined) => Object.fromEntries(new URLSearchParams(String(body)))
/** Alipay's signature over whatever a test wants it to have said. */
function signed(fields: Record<string, string>): Buffer {
  const { sign: _, sign_type: __, ...rest } = fields
  const text = Object.keys(rest)
    .sort()
    .map(name => `${name}=${rest[name]}`)
    .join('&')
  const sign = createSign('RSA-SHA256').update(text).sign(keys.alipayPrivateKey, 'base64')
  return Buffer.from(new URLSearchParams({ ...rest, sign_type: 'RSA2', sign }).toString())
}
const without = (fields: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name))

test('a payment is told once kept with the seven bytes', async () => {
  assert.deepEqual(alipay.answerCallback('kept'), { status: 200, type: 'text/plain', body: 'success' })
  assert.notEqual(alipay.answerCallback('failed').body, 'success')
  assert.equal(alipay.answerCallback('rejected').status, 401)
  const outTradeNo = await pay()
  const [body] = await received(1)
  const { eventId, occurredAt, kind, fact } = await read(body)
  assert.equal(kind, 'payment')
  assert.equal(eventId, fieldsOf(body).notify_id)
  assert.deepEqual(fact, await alipay.query(outTradeNo), 'the callback and the answer to a question agree')
  assert.equal(occurredAt, (fact as { paidAt: string }).paidAt)
})

test('a refund arrives as another word about the trade, and is not a new payment', async () => {
  const outTradeNo = await pay()
  await received(1)
  await refund(outTradeNo, 'PART1', 500)
  await received(2)
  await refund(outTradeNo, 'PART2', 1_501)
  const all = await Promise.all((await received(3)).map(read))
  const told = all.map(({ kind, fact }) => [
    kind,
    fact.state,
    'refundNo' in fact && fact.refundNo,
    fact.providerState,
  ])
  assert.deepEqual(told, [
    ['payment', 'paid', false, 'TRADE_SUCCESS'],
    ['refund', 'done', 'PART1', 'TRADE_SUCCESS'],
    ['refund', 'done', 'PART2', 'TRADE_CLOSED'],
  ])
  assert.equal(new Set(all.map(({ eventId }) => eventId)).size, 3)
})

test('a closing without a payment, and one whose refund is not told of', async () => {
  await pay()
  const fields = fieldsOf((await received(1))[0])
  const closed = { ...fields, trade_status: 'TRADE_CLOSED', gmt_close: '2026-11-20 08:00:00' }
  const after = await read(signed(closed))
  assert.deepEqual([after.kind, after.fact.state], ['payment', 'refunded'])
  const never = await read(signed(without(closed, 'gmt_payment')))
  assert.deepEqual(
    [never.kind, never.fact.state, never.occurredAt],
    ['payment', 'closed', '2026-11-20T00:00:00.000Z'],
  )
  assert.equal((await read(signed({ ...fields, trade_status: 'WAIT_BUYER_PAY' }))).fact.state, 'waiting')
  assert.equal((await read(signed({ ...fields, trade_status: 'TRADE_FINISHED' }))).fact.state, 'paid')
})

test('whatever is forged, for somebody else or unreadable is turned away', async () => {
  await pay()
  const [body] = await received(1)
  const fields = fieldsOf(body)
  const bad: [string, Buffer][] = [
    ['changed amount', Buffer.from(String(body).replace('total_amount=20.01', 'total_amount=20.00'))],
    ['amount twice', Buffer.from(`${body}&total_amount=0.01`)],
    ['field added', Buffer.from(`${body}&refund_fee=1.00`)],
    ['field lost', Buffer.from(String(body).replace(/&?seller_id=\d+/, ''))],
    ['nothing', Buffer.from('')],
    ['JSON', Buffer.from('{"trade_status":"TRADE_SUCCESS"}')],
    ['another app', signed({ ...fields, app_id: '2021000000000000' })],
    ['another seller', signed({ ...fields, seller_id: '2088000000000000' })],
    ['no seller', signed(without(fields, 'seller_id'))],
    ['another kind', signed({ ...fields, notify_type: 'servicemarket_order_notify' })],
    ['no event', signed(without(fields, 'notify_id'))],
    ['no order', signed(without(fields, 'out_trade_no'))],
    ['unknown state', signed({ ...fields, trade_status: 'TRADE_PENDING' })],
    ['no amount', signed(without(fields, 'total_amount'))],
    ['amount in three decimals', signed({ ...fields, total_amount: '20.010' })],
    ['no time', signed({ ...fields, gmt_payment: 'yesterday' })],
  ]
  assert.equal((await read(signed(fields))).kind, 'payment')
  for (const [what, tampered] of bad) await assert.rejects(read(tampered), CallbackRejected, what)
})

test('a callback is sent again until it is kept, under the same number', async () => {
  answers = ['failure', 'success!', ' success']
  await pay()
  const all = await Promise.all((await received(4)).map(read))
  assert.equal(new Set(all.map(({ eventId }) => eventId)).size, 1)
})

test('each fault of a callback does what it says', async () => {
  fault({ kind: 'callback-drop' })
  await pay()
  await read((await received(1))[0])
  assert.equal(simulator.callbacks.at(-1)?.attempts[0]?.answer, 'dropped')

  bodies = []
  fault({ kind: 'callback-duplicate' })
  await pay()
  const [first, second] = (await Promise.all((await received(2)).map(read))) as [PayCallback, PayCallback]
  assert.equal(first.eventId, second.eventId)

  bodies = []
  fault({ kind: 'callback-delay', ms: 2_000 })
  const delayed = await pay()
  const prompt = await pay()
  const order = (await Promise.all((await received(2)).map(read))).map(({ fact }) => fact.outTradeNo)
  assert.deepEqual(order, [prompt, delayed])

  bodies = []
  fault({ kind: 'callback-reorder' })
  const outTradeNo = await pay()
  await refund(outTradeNo, 'R1', 2_001)
  assert.deepEqual(
    (await Promise.all((await received(2)).map(read))).map(({ kind }) => kind),
    ['refund', 'payment'],
  )

  bodies = []
  fault({ kind: 'callback-reorder' })
  await pay()
  assert.equal(
    (await read((await received(1))[0])).kind,
    'payment',
    'held back although nothing overtakes it',
  )

  bodies = []
  fault({ kind: 'wrong-signature' })
  await pay()
  await assert.rejects(read((await received(1))[0]), CallbackRejected)

  bodies = []
  fault({ kind: 'stale-timestamp' })
  await pay()
  const [stale] = await received(1)
  const ageMs =
    simulator.control.now().getTime() - Date.parse(`${fieldsOf(stale).notify_time?.replace(' ', 'T')}+08:00`)
  assert.ok(ageMs >= 86_400_000, 'a day old')
  assert.equal((await read(stale)).kind, 'payment', 'Alipay’s repeated callbacks are old, and no less true')
})

test('a callback that was sent can be sent once more', async () => {
  await pay()
  const [first] = await Promise.all((await received(1)).map(read))
  const notifyId = simulator.callbacks.at(-1)?.notifyId
  const again = (body: object) =>
    fetch(`${simulator.url}/__sim/notifies`, { method: 'POST', body: JSON.stringify(body) })
  assert.equal((await again({ notifyId: 'none' })).status, 404)
  assert.equal((await again({ notifyId })).status, 200)
  assert.deepEqual(await read((await received(2))[1]), first)
})
