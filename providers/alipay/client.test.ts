import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before, beforeEach } from 'node:test'
import {
  type PayChannel,
  type PayOrder,
  ProviderRefused,
  ProviderUnknown,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { ANSWERED_WITHIN_MS, GIVEN_UP_AFTER_MS, untilMet } from '#test/patience.ts'
import type { Effect } from '../simulator.ts'
import { type AlipaySettings, makeAlipay } from './client.ts'
import { type AlipaySimulator, alipaySettingsFor, makeAlipayKeys, startAlipaySimulator } from './simulator.ts'

const keys = makeAlipayKeys()
const MINUTE_MS = 60_000
let simulator: AlipaySimulator
let settings: AlipaySettings
let alipay: PayChannel
let numbered = 0

before(async () => {
  simulator = await startAlipaySimulator({ keys })
  settings = alipaySettingsFor(keys, simulator.url)
  alipay = makeAlipay(settings, surroundings())
})
after(() => simulator.stop())
beforeEach(() => {
  simulator.control.faults.length = 0
})

function surroundings(more: Partial<Surroundings> = {}): Surroundings {
  return {
    fetch,
    now: () => simulator.control.now(),
    nonce: randomUUID,
    timeoutMs: ANSWERED_WITHIN_MS,
    ...more,
  }
}
function order(more: Partial<PayOrder> = {}): PayOrder {
  const expiresAt = new Date(simulator.control.now().getTime() + 10 * MINUTE_MS).toISOString()
  const outTradeNo = `ORDER${String(++numbered).padStart(6, '0')}`
  return {
    outTradeNo,
    amountFen: 2_001,
    subject: '短信充值',
    expiresAt,
    notifyUrl: 'http://127.0.0.1:9/none',
    ...more,
  }
}
const fault = (match: string, effect: Effect, times = 1) =>
  simulator.control.faults.push({ match, times, effect })
async function paidOrder(more: Partial<PayOrder> = {}): Promise<PayOrder> {
  const made = order(more)
  const { codeUrl } = await alipay.create(made)
  assert.equal(simulator.pay({ code: codeUrl, outcome: 'paid' }).ok, true)
  return made
}
const refundOf = (paid: PayOrder, refundNo: string, refundFen: number) =>
  alipay.refund({
    outTradeNo: paid.outTradeNo,
    refundNo,
    refundFen,
    totalFen: paid.amountFen,
    reason: '重复付款',
    notifyUrl: paid.notifyUrl,
  })
const refusedWith = (code: string) => (error: unknown) =>
  error instanceof ProviderRefused &&
  error.code === code &&
  error.message !== '' &&
  /^21/.test(error.reference)
const isUnknown = (error: unknown) => error instanceof ProviderUnknown

test('an order becomes a code, waits until somebody pays, and then tells of the payment', async () => {
  const made = order()
  const { codeUrl } = await alipay.create(made)
  assert.match(codeUrl, /^https:\/\/qr\.alipay\.com\/bax/)
  assert.deepEqual(await alipay.create(made), { codeUrl }, 'asking again answers the same code')

  const unscanned = await alipay.query(made.outTradeNo)
  assert.deepEqual([unscanned.state, unscanned.providerState], ['waiting', 'TRADE_NOT_EXIST'])
  simulator.pay({ code: codeUrl, outcome: 'scan' })
  const scanned = await alipay.query(made.outTradeNo)
  assert.deepEqual(
    [scanned.state, scanned.providerState, scanned.paidAt],
    ['waiting', 'WAIT_BUYER_PAY', null],
  )
  simulator.pay({ code: codeUrl, outcome: 'failed' })
  assert.equal((await alipay.query(made.outTradeNo)).state, 'waiting')
  simulator.pay({ code: codeUrl, outcome: 'paid' })

  const { paidAt, transactionId, ...fact } = await alipay.query(made.outTradeNo)
  assert.deepEqual(fact, {
    outTradeNo: made.outTradeNo,
    state: 'paid',
    amountFen: 2_001,
    currency: 'CNY',
    payer: '138****0001',
    providerState: 'TRADE_SUCCESS',
  })
  assert.match(transactionId ?? '', /^\d{28}$/)
  const agoMs = simulator.control.now().getTime() - Date.parse(paidAt ?? '')
  assert.ok(agoMs >= 0 && agoMs < MINUTE_MS, `paid ${agoMs} ms ago`)
  assert.equal(simulator.pay({ code: codeUrl, outcome: 'paid' }).ok, false, 'a code is paid once')
})

test('a subject that Alipay does not take is written with what it takes', async () => {
  const made = order({ subject: `短信/100条=¥20&更多 50% + "引号" ${'长'.repeat(300)}` })
  const { codeUrl } = await alipay.create(made)
  const page = await fetch(`${simulator.url}/__sim/phone?${new URLSearchParams({ code: codeUrl })}`)
  assert.match(await page.text(), /短信／100条＝¥20＆更多 50% \+ &#34;引号&#34; 长/)
})

test('what the provider refuses comes with its code, its words and a number to ask about', async () => {
  const made = await paidOrder()
  await assert.rejects(alipay.create(made), refusedWith('ACQ.TRADE_HAS_SUCCESS'))
  const other = order()
  await alipay.create(other)
  await assert.rejects(alipay.create({ ...other, amountFen: 1 }), refusedWith('ACQ.CONTEXT_INCONSISTENT'))
  await assert.rejects(
    alipay.create(order({ amountFen: 10_000_000_001 })),
    refusedWith('ACQ.TOTAL_FEE_EXCEED'),
  )
  const past = new Date(simulator.control.now().getTime() - 1_000).toISOString()
  await assert.rejects(alipay.create(order({ expiresAt: past })), refusedWith('ACQ.INVALID_PARAMETER'))
  await assert.rejects(refundOf(order(), 'R0', 1), refusedWith('ACQ.TRADE_NOT_EXIST'))
})

test('an order that expires is closed once scanned, and stays unpaid unless the payment had begun', async () => {
  const [unscanned, scanned, late] = [order(), order(), order()]
  const codes = [await alipay.create(unscanned), await alipay.create(scanned), await alipay.create(late)]
  simulator.pay({ code: codes[1]?.codeUrl as string, outcome: 'scan' })
  simulator.control.moveClock(10 * MINUTE_MS)
  assert.equal(
    simulator.pay({ code: codes[0]?.codeUrl as string, outcome: 'paid' }).message,
    '订单已过期，无法付款',
  )
  assert.equal((await alipay.query(unscanned.outTradeNo)).state, 'waiting')
  assert.equal((await alipay.query(scanned.outTradeNo)).state, 'closed')
  assert.equal(await alipay.close(scanned.outTradeNo), 'closed')
  assert.equal(await alipay.close(late.outTradeNo), 'closed')
  assert.equal(simulator.pay({ code: codes[2]?.codeUrl as string, outcome: 'paid', late: true }).ok, true)
  assert.equal(
    (await alipay.query(late.outTradeNo)).state,
    'paid',
    'nobody could close what nobody had scanned',
  )
  assert.equal(simulator.pay({ outTradeNo: scanned.outTradeNo, outcome: 'paid', late: true }).ok, false)
})

test('an unscanned code lives two hours; asking again answers a new one', async () => {
  const expiresAt = new Date(simulator.control.now().getTime() + 300 * MINUTE_MS).toISOString()
  const made = order({ expiresAt })
  const { codeUrl } = await alipay.create(made)
  simulator.control.moveClock(120 * MINUTE_MS)
  assert.equal(simulator.pay({ code: codeUrl, outcome: 'paid' }).message, '二维码已失效')
  const { codeUrl: next } = await alipay.create(made)
  assert.notEqual(next, codeUrl)
  assert.equal(simulator.pay({ code: next, outcome: 'paid' }).ok, true)
})

test('closing tells closed from paid, and never gives a payment back', async () => {
  const [unscanned, scanned] = [order(), order()]
  await alipay.create(unscanned)
  const { codeUrl } = await alipay.create(scanned)
  simulator.pay({ code: codeUrl, outcome: 'scan' })
  assert.equal(await alipay.close(unscanned.outTradeNo), 'closed')
  assert.equal(await alipay.close(scanned.outTradeNo), 'closed')
  assert.equal(await alipay.close(scanned.outTradeNo), 'closed')
  assert.equal((await alipay.query(scanned.outTradeNo)).state, 'closed')
  const paid = await paidOrder()
  assert.equal(await alipay.close(paid.outTradeNo), 'paid')
  assert.equal((await alipay.query(paid.outTradeNo)).state, 'paid')
  await refundOf(paid, 'C1', paid.amountFen)
  assert.equal(await alipay.close(paid.outTradeNo), 'paid')
})

test('a payment that arrives between the question and the closing is found', async () => {
  const made = order()
  const { codeUrl } = await alipay.create(made)
  simulator.pay({ code: codeUrl, outcome: 'scan' })
  const racing = makeAlipay(
    settings,
    surroundings({
      fetch: (url, init) => {
        if (String(url).includes('alipay.trade.close')) simulator.pay({ code: codeUrl, outcome: 'paid' })
        return fetch(url, init)
      },
    }),
  )
  assert.equal(await racing.close(made.outTradeNo), 'paid')
  assert.equal((await alipay.query(made.outTradeNo)).state, 'paid')
})

test('refunds are partial, repeatable and bounded by what was paid', async () => {
  const paid = await paidOrder()
  const { outTradeNo } = paid
  assert.equal((await alipay.queryRefund(outTradeNo, 'R1')).state, 'none')
  assert.equal((await alipay.queryRefund('NEVERMADE', 'R1')).state, 'none')
  const done = { outTradeNo, refundNo: 'R1', state: 'done' }
  const first = await refundOf(paid, 'R1', 500)
  assert.deepEqual(first, { ...done, providerState: 'fund_change=Y', doneAt: first.doneAt })
  assert.match(first.doneAt ?? '', /^\d{4}-.*\.000Z$/)
  assert.deepEqual(await refundOf(paid, 'R1', 500), { ...first, providerState: 'REFUND_SUCCESS' })
  assert.equal((await alipay.queryRefund(outTradeNo, 'R1')).state, 'done')
  await assert.rejects(refundOf(paid, 'R1', 501), refusedWith('ACQ.DISCORDANT_REPEAT_REQUEST'))
  await assert.rejects(refundOf(paid, 'R2', 1_502), refusedWith('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL'))
  assert.equal((await alipay.query(outTradeNo)).state, 'paid')
  assert.equal((await refundOf(paid, 'R2', 1_501)).state, 'done')
  assert.equal((await alipay.query(outTradeNo)).state, 'refunded', 'not the closed of an unpaid trade')
})

test('whatever is no believable answer leaves the outcome unknown', async () => {
  const { outTradeNo } = await paidOrder()
  const effects: Effect[] = [
    { kind: 'reset-before' },
    { kind: 'reset-after' },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 302, body: '' },
    { kind: 'status', status: 200, body: '' },
    { kind: 'malformed' },
    { kind: 'wrong-signature' },
    { kind: 'error', code: '20000' },
    { kind: 'error', code: 'ACQ.SYSTEM_ERROR', message: '系统错误' },
    { kind: 'error', code: 'aop.ACQ.SYSTEM_ERROR' },
    { kind: 'error', code: 'isp.unknow-error' },
  ]
  for (const effect of effects) {
    fault('query', effect)
    await assert.rejects(alipay.query(outTradeNo), isUnknown, JSON.stringify(effect))
  }
  assert.deepEqual(
    simulator.control.faults.filter(({ times }) => times > 0),
    [],
    'every fault was met',
  )
  fault('query', { kind: 'silence' })
  const hurried = makeAlipay(settings, surroundings({ timeoutMs: GIVEN_UP_AFTER_MS }))
  await assert.rejects(hurried.query(outTradeNo), isUnknown)
  await untilMet(simulator.control.faults)
  assert.equal((await alipay.query(outTradeNo)).state, 'paid')
})

test('an answer about another order, and one that nobody signed, are not believed', async () => {
  const [asked, other] = [await paidOrder(), await paidOrder()]
  const swapping = makeAlipay(
    settings,
    surroundings({
      fetch: async () => {
        const kept: { response?: Response } = {}
        const spying = surroundings({
          fetch: async (url, init) => {
            kept.response = await fetch(url, init)
            return kept.response.clone()
          },
        })
        await makeAlipay(settings, spying).query(other.outTradeNo)
        return kept.response as Response
      },
    }),
  )
  await assert.rejects(swapping.query(asked.outTradeNo), isUnknown)
  const stranger = makeAlipay({ ...settings, appId: '2021000000000000' }, surroundings())
  await assert.rejects(stranger.query(asked.outTradeNo), /no valid signature \(isv\.invalid-app-id/)
  const forger = makeAlipay({ ...settings, privateKey: makeAlipayKeys().appPrivateKey }, surroundings())
  await assert.rejects(forger.query(asked.outTradeNo), refusedWith('isv.invalid-signature'))
})

test('definite refusals of the gateway are refusals, not unknown', async () => {
  const { outTradeNo } = await paidOrder()
  fault('query', { kind: 'token-revoked' })
  await assert.rejects(alipay.query(outTradeNo), refusedWith('aop.invalid-app-auth-token'))
  fault('query', { kind: 'quota-exhausted' })
  await assert.rejects(alipay.query(outTradeNo), refusedWith('isv.app-call-limited'))
  fault('refund', { kind: 'error', code: 'ACQ.SELLER_BALANCE_NOT_ENOUGH', message: '卖家余额不足' })
  await assert.rejects(
    alipay.refund({ outTradeNo, refundNo: 'R9', refundFen: 1, totalFen: 2_001, reason: '', notifyUrl: '' }),
    refusedWith('ACQ.SELLER_BALANCE_NOT_ENOUGH'),
  )
  assert.equal((await alipay.queryRefund(outTradeNo, 'R9')).state, 'none')
})

test('what was done before the answer was lost is found by asking, and repeating is safe', async () => {
  const made = order()
  fault('precreate', { kind: 'reset-after' })
  await assert.rejects(alipay.create(made), isUnknown)
  const { codeUrl } = await alipay.create(made)
  simulator.pay({ code: codeUrl, outcome: 'paid' })
  fault('refund', { kind: 'reset-after' })
  await assert.rejects(refundOf(made, 'LOST1', 700), isUnknown)
  assert.equal((await alipay.queryRefund(made.outTradeNo, 'LOST1')).state, 'done')
  assert.equal((await refundOf(made, 'LOST1', 700)).state, 'done')
  assert.equal((await refundOf(made, 'LOST2', 1_301)).state, 'done', 'the lost refund had been made once')
})

test('certificate mode names both certificates; the public key alone is refused there', async () => {
  const certificates = {
    appCertSn: 'a'.repeat(32),
    alipayRootCertSn: 'b'.repeat(32),
    alipayCertSn: 'c'.repeat(32),
  }
  const strict = await startAlipaySimulator({ keys, certificates })
  try {
    const strictSettings = alipaySettingsFor(keys, strict.url)
    const { appCertSn, alipayRootCertSn } = certificates
    const acting = { appAuthToken: '202001BB0000', serviceProviderId: '2088511833207846' }
    const withCertificates = makeAlipay(
      { ...strictSettings, ...acting, appCertSn, alipayRootCertSn },
      surroundings(),
    )
    assert.match((await withCertificates.create(order())).codeUrl, /^https/)
    await assert.rejects(
      makeAlipay(strictSettings, surroundings()).create(order()),
      refusedWith('isv.invalid-app-cert-sn'),
    )
  } finally {
    await strict.stop()
  }
})

test('the phone’s page shows what a code asks for, and pays it', async () => {
  const { codeUrl } = await alipay.create(order({ subject: '<script>短信</script>' }))
  const phoneAt = (query: string) => fetch(`${simulator.url}/__sim/phone${query}`)
  const landing = await (await phoneAt('')).text()
  assert.ok(landing.includes(encodeURIComponent(codeUrl)), 'the landing lists the code')
  const wrong = await phoneAt('?code=https%3A%2F%2Fqr.alipay.com%2F%3Cb%3E')
  assert.equal(wrong.status, 404)
  assert.ok((await wrong.text()).includes('没有这个二维码：https://qr.alipay.com/&#60;b&#62;'))
  const page = await (await phoneAt(`?code=${encodeURIComponent(codeUrl)}`)).text()
  assert.ok(page.includes('¥20.01') && page.includes('&#60;script&#62;短信'))
  for (const label of ['支付', '支付失败', '迟到支付', '仅扫码'])
    assert.ok(page.includes(`>${label}</button>`), label)
  const pay = async (body: object) =>
    (await fetch(`${simulator.url}/__sim/pay`, { method: 'POST', body: JSON.stringify(body) })).json()
  assert.deepEqual(await pay({ code: codeUrl, outcome: 'scan' }), {
    ok: true,
    message: '已扫码，等待付款',
    state: '已扫码，待付款',
  })
  assert.deepEqual(await pay({ code: codeUrl, outcome: 'paid' }), {
    ok: true,
    message: '支付成功',
    state: '已支付',
  })
  assert.equal(((await pay({ code: codeUrl, outcome: 'steal' })) as { ok: boolean }).ok, false)
  const orders = (await (await fetch(`${simulator.url}/__sim/orders`)).json()) as {
    orders: { state: string }[]
  }
  assert.equal(orders.orders[0]?.state, '已支付')
})

test('what was paid before the simulator was started is remembered as it is told, and is refunded', async () => {
  const paid = order()
  const answer = await fetch(`${simulator.url}/__sim/remember`, {
    method: 'POST',
    body: JSON.stringify({
      accounts: [keys.appId],
      paid: [{ ...paid, transactionId: '4300', paidAt: new Date(Date.now() - 86_400_000).toISOString() }],
    }),
  })
  assert.deepEqual(await answer.json(), { remembered: 1 })
  assert.equal((await alipay.query(paid.outTradeNo)).state, 'paid')
  assert.equal((await refundOf(paid, 'R1', paid.amountFen)).state, 'done')
})
