import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { PayOrder } from '#kit/ports/providers.ts'
import { formatDay } from '#kit/time.ts'
import { until } from '#test/patience.ts'
import { aRefund, openWechatPay, refused } from '#test/wechat-pay.ts'
import { makeWechatPayKeys } from './simulator.ts'

const MODES = [
  { merchant: 'direct', mode: 'certificate' },
  { merchant: 'direct', mode: 'public-key' },
  { merchant: 'partner', mode: 'certificate' },
  { merchant: 'partner', mode: 'public-key' },
] as const

const keys = makeWechatPayKeys()
const { simulator, channel, anOrder, orderOf, fault, post } = await openWechatPay(keys)
after(() => simulator.stop())

for (const which of MODES)
  test(`an order is placed, paid, asked for and refunded: ${which.merchant}, ${which.mode}`, async () => {
    const wechat = channel(which)
    const order = anOrder()
    const { codeUrl } = await wechat.create(order)
    assert.match(codeUrl, /^weixin:\/\/wxpay\/bizpayurl\?pr=/)
    const waiting = await wechat.query(order.outTradeNo)
    assert.deepEqual([waiting.state, waiting.transactionId, waiting.paidAt], ['waiting', null, null])
    simulator.pay({ code: codeUrl })
    const paid = await wechat.query(order.outTradeNo)
    assert.deepEqual([paid.state, paid.amountFen, paid.currency], ['paid', 1999, 'CNY'])
    assert.match(paid.transactionId ?? '', /^4200\d{24}$/)
    assert.ok(Math.abs(Date.parse(paid.paidAt ?? '') - simulator.control.now().getTime()) < 60_000)
    assert.equal(await wechat.close(order.outTradeNo), 'paid')
    const refund = aRefund(order, { refundFen: 900 })
    assert.equal((await wechat.queryRefund(order.outTradeNo, refund.refundNo)).state, 'none')
    assert.equal((await wechat.refund(refund)).state, 'processing')
    assert.equal((await wechat.query(order.outTradeNo)).state, 'refunded')
    await refundEnds(() => wechat.queryRefund(order.outTradeNo, refund.refundNo))
  })

async function refundEnds(ask: () => Promise<{ state: string; providerState: string }>, state = 'done') {
  let fact = await ask()
  const isSo = async () => {
    fact = await ask()
    return fact.state === state
  }
  await until(isSo, `the refund never became ${state}`)
  return fact
}

test('an order nobody heard of is waiting', async () => {
  const fact = await channel().query('Tnobody1')
  assert.deepEqual([fact.state, fact.providerState], ['waiting', 'ORDER_NOT_EXIST'])
})

test('a closed order stays closed, and closing again is no error', async () => {
  const wechat = channel()
  const order = anOrder()
  const { codeUrl } = await wechat.create(order)
  assert.equal(await wechat.close(order.outTradeNo), 'closed')
  assert.equal(await wechat.close(order.outTradeNo), 'closed')
  assert.equal((await wechat.query(order.outTradeNo)).state, 'closed')
  assert.throws(() => simulator.pay({ code: codeUrl }), /已关闭/)
  await assert.rejects(wechat.create(order), refused('ORDER_CLOSED'))
})

test('the same order again gives a new code, and the old one stops', async () => {
  const wechat = channel()
  const order = anOrder()
  const first = await wechat.create(order)
  const second = await wechat.create(order)
  assert.notEqual(first.codeUrl, second.codeUrl)
  assert.throws(() => simulator.pay({ code: first.codeUrl }), /已失效/)
  assert.equal(simulator.pay({ code: second.codeUrl }).state, 'SUCCESS')
  await assert.rejects(wechat.create(order), refused('INVALID_REQUEST', '268449538'))
})

test('the same number with other content is refused with WeChat Pay’s number for it', async () => {
  const wechat = channel()
  const order = anOrder()
  await wechat.create(order)
  await assert.rejects(wechat.create({ ...order, amountFen: 1 }), refused('INVALID_REQUEST', '268498688'))
  await wechat.close(order.outTradeNo)
  await assert.rejects(wechat.create({ ...order, amountFen: 1 }), refused('OUT_TRADE_NO_USED'))
})

test('a long subject is cut at a whole character', async () => {
  const wechat = channel()
  const order = anOrder({ subject: '短信套餐😀'.repeat(30) })
  await wechat.create(order)
  const kept = orderOf(order.outTradeNo)
  assert.ok(order.subject.startsWith(kept?.description ?? '?'))
  assert.ok(Buffer.byteLength(kept?.description ?? '') > 120)
})

describe('a payer', () => {
  test('cannot pay a code that somebody else has scanned, twice, or after its two hours', async () => {
    const wechat = channel()
    const order = anOrder({
      expiresAt: new Date(simulator.control.now().getTime() + 5 * 3_600_000).toISOString(),
    })
    const { codeUrl } = await wechat.create(order)
    simulator.pay({ code: codeUrl, payer: 'one', outcome: 'failed' })
    assert.equal((await wechat.query(order.outTradeNo)).state, 'failed')
    assert.throws(() => simulator.pay({ code: codeUrl, payer: 'two' }), /订单信息有误/)
    simulator.control.moveClock(2 * 3_600_000 + 1000)
    assert.throws(() => simulator.pay({ code: codeUrl, payer: 'one' }), /已过期/)
    const again = await wechat.create(order)
    assert.equal(simulator.pay({ code: again.codeUrl, payer: 'one' }).state, 'SUCCESS')
    assert.throws(() => simulator.pay({ code: again.codeUrl, payer: 'one' }), /请勿重复支付/)
  })

  test('pays late only where that is forced and the order is not closed', async () => {
    const wechat = channel()
    const [late, closed] = [anOrder(), anOrder()]
    const [lateCode, closedCode] = [await wechat.create(late), await wechat.create(closed)]
    await wechat.close(closed.outTradeNo)
    simulator.control.moveClock(601_000)
    assert.throws(() => simulator.pay({ code: lateCode.codeUrl }), /已过期/)
    assert.throws(() => simulator.pay({ code: closedCode.codeUrl, late: true }), /已关闭/)
    simulator.pay({ code: lateCode.codeUrl, late: true })
    assert.equal((await wechat.query(late.outTradeNo)).state, 'paid')
  })

  test('finds an order closed some time after its end', async () => {
    const wechat = channel()
    const order = anOrder()
    const { codeUrl } = await wechat.create(order)
    simulator.control.moveClock(1_201_000)
    assert.equal((await wechat.query(order.outTradeNo)).state, 'closed')
    assert.throws(() => simulator.pay({ code: codeUrl, late: true }), /已关闭/)
  })
})

describe('refunds', () => {
  async function paidOrder() {
    const wechat = channel()
    const order = anOrder()
    simulator.pay({ code: (await wechat.create(order)).codeUrl })
    return { wechat, order }
  }

  test('in parts never exceed what was paid, and the same number is one refund', async () => {
    const { wechat, order } = await paidOrder()
    const first = aRefund(order, { refundNo: `${order.outTradeNo}a`, refundFen: 1500 })
    await wechat.refund(first)
    await wechat.refund(first)
    await assert.rejects(wechat.refund({ ...first, refundFen: 1 }), refused('INVALID_REQUEST'))
    const second = aRefund(order, { refundNo: `${order.outTradeNo}b`, refundFen: 500 })
    await assert.rejects(wechat.refund(second), refused('INVALID_REQUEST'))
    await wechat.refund({ ...second, refundFen: 499 })
    const kept = orderOf(order.outTradeNo)
    assert.deepEqual(
      kept?.refunds.map(({ refundFen }) => refundFen),
      [1500, 499],
    )
  })

  test('can end abnormally, which is a failure', async () => {
    const { wechat, order } = await paidOrder()
    await post('refunds', { next: ['ABNORMAL'] })
    const refund = aRefund(order)
    await wechat.refund(refund)
    const fact = await refundEnds(() => wechat.queryRefund(order.outTradeNo, refund.refundNo), 'failed')
    assert.equal(fact.providerState, 'ABNORMAL')
  })

  test('of an unpaid or unknown order are refused', async () => {
    const wechat = channel()
    const order = anOrder()
    await assert.rejects(wechat.refund(aRefund(order)), refused('ORDER_NOT_EXIST'))
    await wechat.create(order)
    await assert.rejects(wechat.refund(aRefund(order)), refused('INVALID_REQUEST'))
  })
})

describe('inside WeChat', () => {
  for (const merchant of ['direct', 'partner'] as const)
    test(`a ${merchant} merchant authorizes the visitor and orders in the visitor’s name`, async () => {
      const wechat = channel({ merchant })
      const order = anOrder()
      const address = wechat.inApp?.authorizeUrl('https://office.example/c/abc?x=1', 'state 1') ?? ''
      assert.match(address, /#wechat_redirect$/)
      const back = await fetch(address, { redirect: 'manual' })
      const returned = new URL(back.headers.get('location') ?? '')
      assert.equal(returned.searchParams.get('state'), 'state 1')
      assert.equal(returned.searchParams.get('x'), '1')
      const code = returned.searchParams.get('code') ?? ''
      const request = await wechat.inApp?.pay(order, code)
      assert.equal(request?.appId, keys[merchant].appid)
      const prepayId = request?.package?.replace('prepay_id=', '') ?? ''
      simulator.pay({ code: prepayId })
      const fact = await wechat.query(order.outTradeNo)
      assert.equal(fact.state, 'paid')
      assert.match(fact.payer ?? '', /^o/)
      await assert.rejects(wechat.inApp?.pay(anOrder(), code) ?? Promise.resolve(), refused('40163'))
      await assert.rejects(wechat.inApp?.pay(anOrder(), 'invented') ?? Promise.resolve(), refused('40029'))
    })

  test('a number of a code cannot be ordered again in place', async () => {
    const wechat = channel()
    const order = anOrder()
    await wechat.create(order)
    const back = await fetch(wechat.inApp?.authorizeUrl('https://office.example/c', 's') ?? '', {
      redirect: 'manual',
    })
    const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? ''
    await assert.rejects(wechat.inApp?.pay(order, code) ?? Promise.resolve(), refused('INVALID_REQUEST'))
  })

  test('is not offered without a service account', () => {
    assert.equal(channel({}, { oauth: null }).inApp, undefined)
  })
})

describe('the bill of a day', () => {
  test('lists payments and refunds, and what the control plane changed', async t => {
    const { simulator: own, channel, post, anOrder } = await openWechatPay(keys)
    t.after(() => own.stop())
    const wechat = channel()
    const day = formatDay(own.control.now())
    assert.deepEqual(await wechat.bill(day), [])
    const made = await Promise.all(
      [1999, 5, 120_000].map(async amountFen => {
        const order = anOrder({ amountFen, subject: '逗号, 与 "引号"' })
        own.pay({ code: (await wechat.create(order)).codeUrl })
        return order
      }),
    )
    await wechat.create(anOrder())
    const [first, second] = made as [PayOrder, PayOrder]
    await wechat.refund(aRefund(first, { refundFen: 99 }))
    const lines = await wechat.bill(day)
    assert.deepEqual(
      lines
        .map(({ kind, outTradeNo, refundNo, amountFen }) => [kind, outTradeNo, refundNo, amountFen])
        .sort(),
      [
        ...made.map(({ outTradeNo, amountFen }) => ['payment', outTradeNo, null, amountFen]),
        ['refund', first.outTradeNo, `R${first.outTradeNo}`, 99],
      ].sort(),
    )
    assert.equal(formatDay(lines[0]?.at ?? ''), day)
    const fact = await wechat.query(second.outTradeNo)
    assert.equal(lines.find(line => line.outTradeNo === second.outTradeNo)?.transactionId, fact.transactionId)
    const flow = await wechat.fundFlow(day)
    assert.deepEqual(
      flow.map(({ direction, amountFen }) => (direction === 'in' ? amountFen : -amountFen)).sort(),
      [1999, 5, 120_000, -99].sort(),
    )
    assert.equal(flow.at(-1)?.balanceFen, 1999 + 5 + 120_000 - 99)
    await post('bill', [
      { outTradeNo: first.outTradeNo, change: 'drop' },
      { outTradeNo: second.outTradeNo, change: 'amount', amountFen: 7 },
      { outTradeNo: 'Tstranger', change: 'add', amountFen: 8, day },
    ])
    const changed = await wechat.bill(day)
    const of = (outTradeNo: string) =>
      changed.filter(line => line.outTradeNo === outTradeNo).map(({ kind, amountFen }) => [kind, amountFen])
    assert.deepEqual(of(first.outTradeNo), [['refund', 99]])
    assert.deepEqual(of(second.outTradeNo), [['payment', 7]])
    assert.deepEqual(of('Tstranger'), [['payment', 8]])
  })

  test('is not believed when the file is another than announced or lies elsewhere', async () => {
    const wechat = channel()
    simulator.pay({ code: (await wechat.create(anOrder())).codeUrl })
    const day = formatDay(simulator.control.now())
    assert.ok((await wechat.bill(day)).length > 0)
    fault('billdownload', { kind: 'wrong-signature' })
    await assert.rejects(wechat.bill(day), /not the one/)
    const elsewhere = channel({}, { baseUrl: simulator.url.replace('127.0.0.1', 'localhost') })
    const foreign = channel(
      {},
      {},
      {
        // The answer names the host it was asked at; ask at another to be given a foreign one.
        fetch: (url, init) => fetch(String(url).replace('127.0.0.1', 'localhost'), init),
      },
    )
    assert.ok((await elsewhere.bill(day)).length > 0)
    await assert.rejects(foreign.bill(day), /another host/)
  })

  test('belongs to one sub-merchant alone', async () => {
    const [direct, partner] = [channel(), channel({ merchant: 'partner' })]
    const [one, other] = [anOrder(), anOrder()]
    simulator.pay({ code: (await direct.create(one)).codeUrl })
    simulator.pay({ code: (await partner.create(other)).codeUrl })
    const numbers = (await partner.bill(formatDay(simulator.control.now()))).map(line => line.outTradeNo)
    assert.ok(numbers.includes(other.outTradeNo))
    assert.ok(!numbers.includes(one.outTradeNo))
  })
})
