// Alipay's own SDK against the simulator: what it signs must be taken, and what the simulator signs must satisfy it.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after, before } from 'node:test'
import { AlipaySdk } from 'alipay-sdk'
import { ANSWERED_WITHIN_MS } from '#test/patience.ts'
import { type AlipaySimulator, makeAlipayKeys, startAlipaySimulator } from './simulator.ts'

const keys = makeAlipayKeys()
const SIGNED = { validateSign: true }
const SUBJECT = '短信 100% + 赠送 5+5 %2B'
let simulator: AlipaySimulator
let receiver: Server
let sdk: AlipaySdk
let notifyUrl: string
const received: Record<string, string>[] = []
let arrived: () => void = () => undefined

before(async () => {
  simulator = await startAlipaySimulator({ keys })
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push(Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())))
    response.end('success')
    arrived()
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  notifyUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callback`
  sdk = sdkWith(keys.alipayPublicKey)
})
after(async () => {
  await simulator.stop()
  receiver.close()
  receiver.closeAllConnections()
})

const sdkWith = (alipayPublicKey: string, privateKey = keys.appPrivateKey) =>
  new AlipaySdk({
    ...{ appId: keys.appId, privateKey, alipayPublicKey },
    ...{ gateway: `${simulator.url}/gateway.do`, timeout: ANSWERED_WITHIN_MS },
  })
const precreate = (outTradeNo: string, more: object = {}) =>
  sdk.exec(
    'alipay.trade.precreate',
    {
      notifyUrl,
      bizContent: {
        out_trade_no: outTradeNo,
        total_amount: '12.30',
        subject: SUBJECT,
        timeout_express: '10m',
        ...more,
      },
    },
    SIGNED,
  )
const ask = (method: string, bizContent: object) => sdk.exec(`alipay.trade.${method}`, { bizContent }, SIGNED)
async function untilReceived(count: number): Promise<void> {
  while (received.length < count)
    await new Promise<void>(resolve => {
      arrived = resolve
    })
}

test('the SDK precreates, queries, refunds and closes, and believes every signature', async () => {
  const made = await precreate('ORACLE01')
  assert.equal(made.code, '10000')
  assert.match(made.qrCode, /^https:\/\/qr\.alipay\.com\/bax/)
  assert.ok(made.traceId)
  assert.equal((await ask('query', { outTradeNo: 'ORACLE01' })).subCode, 'ACQ.TRADE_NOT_EXIST')

  assert.deepEqual(simulator.pay({ code: made.qrCode, outcome: 'paid' }), { ok: true, message: '支付成功' })
  const paid = await ask('query', { outTradeNo: 'ORACLE01' })
  assert.deepEqual([paid.code, paid.tradeStatus, paid.totalAmount], ['10000', 'TRADE_SUCCESS', '12.30'])
  assert.equal((await ask('close', { outTradeNo: 'ORACLE01' })).subCode, 'ACQ.TRADE_STATUS_ERROR')

  const refund = { outTradeNo: 'ORACLE01', refundAmount: '2.30', outRequestNo: 'R1' }
  assert.equal((await ask('refund', refund)).fundChange, 'Y')
  assert.equal((await ask('refund', refund)).fundChange, 'N')
  const asked = await ask('fastpay.refund.query', { outTradeNo: 'ORACLE01', outRequestNo: 'R1' })
  assert.deepEqual([asked.refundStatus, asked.refundAmount], ['REFUND_SUCCESS', '2.30'])

  const other = await precreate('ORACLE02')
  simulator.pay({ code: other.qrCode, outcome: 'scan' })
  assert.equal((await ask('close', { outTradeNo: 'ORACLE02' })).code, '10000')
  assert.equal((await ask('query', { outTradeNo: 'ORACLE02' })).tradeStatus, 'TRADE_CLOSED')
})

test('a cancel closes what is unpaid, refunds what is paid, and says which', async () => {
  assert.deepEqual((await ask('cancel', { outTradeNo: 'NOBODY' })).retryFlag, 'N')
  for (const [outTradeNo, outcome, action] of [
    ['CANCEL01', 'scan', 'close'],
    ['CANCEL02', 'paid', 'refund'],
  ] as const) {
    const { qrCode } = await precreate(outTradeNo)
    simulator.pay({ code: qrCode, outcome })
    const answer = await ask('cancel', { outTradeNo })
    assert.deepEqual([answer.code, answer.retryFlag, answer.action], ['10000', 'N', action])
    assert.equal((await ask('query', { outTradeNo })).tradeStatus, 'TRADE_CLOSED')
  }
})

test('the SDK reads the provider’s errors', async () => {
  await precreate('ORACLE03')
  const other = await precreate('ORACLE03', { total_amount: '99.00' })
  assert.deepEqual(
    [other.code, other.subCode, other.subMsg],
    ['40004', 'ACQ.CONTEXT_INCONSISTENT', '交易信息被篡改'],
  )
  const dear = await precreate('ORACLE04', { total_amount: '100000000.01' })
  assert.equal(dear.subCode, 'ACQ.TOTAL_FEE_EXCEED')
})

test('a request that another key signed is refused with the very text that the gateway verified', async () => {
  const stranger = sdkWith(keys.alipayPublicKey, makeAlipayKeys().appPrivateKey)
  const answer = await stranger.exec(
    'alipay.trade.query',
    { bizContent: { out_trade_no: 'ORACLE01' } },
    SIGNED,
  )
  assert.deepEqual([answer.code, answer.subCode], ['40002', 'isv.invalid-signature'])
  assert.match(
    String(answer.subMsg),
    new RegExp(
      `：app_id=${keys.appId}&biz_content={"out_trade_no":"ORACLE01"}&charset=utf-8&method=alipay\\.trade\\.query&sign_type=RSA2&timestamp=[-0-9: ]{19}&version=1\\.0$`,
    ),
  )
})

test('GBK is refused', async () => {
  const gbk = new AlipaySdk({ ...sdk.config, charset: 'gbk' } as unknown as ConstructorParameters<
    typeof AlipaySdk
  >[0])
  const answer = await gbk.exec('alipay.trade.query', { bizContent: { out_trade_no: 'ORACLE01' } }, SIGNED)
  assert.equal(answer.subCode, 'isv.invalid-charset')
})

test('the SDK does not believe an answer with a wrong signature, nor another’s', async () => {
  simulator.control.faults.push({ match: 'query', times: 1, effect: { kind: 'wrong-signature' } })
  await assert.rejects(ask('query', { outTradeNo: 'ORACLE01' }), /验签失败/)
  const deceived = sdkWith(makeAlipayKeys().alipayPublicKey)
  await assert.rejects(
    deceived.exec('alipay.trade.query', { bizContent: { out_trade_no: 'ORACLE01' } }, SIGNED),
    /验签失败/,
  )
})

test('the SDK verifies callbacks of a payment and of a refund whose subject has % and +', async () => {
  received.length = 0
  const { qrCode } = await precreate('ORACLE05')
  simulator.pay({ code: qrCode, outcome: 'paid' })
  await untilReceived(1)
  await ask('refund', { outTradeNo: 'ORACLE05', refundAmount: '12.30', outRequestNo: 'R5' })
  await untilReceived(2)
  const [payment, refund] = received as [Record<string, string>, Record<string, string>]
  assert.deepEqual(
    [payment.subject, payment.trade_status, payment.refund_fee],
    [SUBJECT, 'TRADE_SUCCESS', undefined],
  )
  assert.deepEqual(
    [refund.trade_status, refund.refund_fee, refund.out_biz_no],
    ['TRADE_CLOSED', '12.30', 'R5'],
  )
  assert.notEqual(payment.notify_id, refund.notify_id)
  for (const fields of [payment, refund]) {
    assert.equal(sdk.checkNotifySignV2(fields), true)
    assert.equal(sdk.checkNotifySignV2({ ...fields, total_amount: '12.31' }), false)
  }
})
