import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { after, test } from 'node:test'
import { aRefund, openWechatPay } from '#test/wechat-pay.ts'
import { makeWechatPayKeys } from './simulator.ts'

const keys = makeWechatPayKeys()
const { simulator, channel, anOrder, post } = await openWechatPay(keys)
after(() => simulator.stop())

async function phone(code?: string) {
  const query = code ? `?code=${encodeURIComponent(code)}` : ''
  const response = await fetch(`${simulator.url}/__sim/phone${query}`)
  return { status: response.status, text: await response.text() }
}
async function pay(payment: object) {
  const response = await post('pay', payment)
  const said = (await response.json()) as { state?: string; code?: string }
  return { ...said, status: response.status }
}

test('the keys are plain texts, and work again in another run', async t => {
  const again = await openWechatPay(JSON.parse(JSON.stringify(keys)))
  t.after(() => again.simulator.stop())
  assert.equal((await again.channel().query('Tnobody1')).state, 'waiting')
})

test('the platform certificate is one that others can read and check', () => {
  const certificate = new X509Certificate(keys.platform.certificatePem)
  assert.equal(certificate.serialNumber, keys.platform.serial)
  assert.ok(certificate.verify(certificate.publicKey))
  assert.ok(Date.parse(certificate.validFrom) < Date.now() && Date.parse(certificate.validTo) > Date.now())
})

test('the phone shows whom, what and how much, and tells of a code that has stopped', async () => {
  const order = anOrder({ subject: '<b>短信套餐</b> & "赠送"' })
  const { codeUrl } = await channel().create(order)
  const { status, text } = await phone(codeUrl)
  assert.equal(status, 200)
  assert.match(text, /付款给演示商户/)
  assert.match(text, /¥19\.99/)
  assert.match(text, /&lt;b&gt;短信套餐&lt;\/b&gt; &amp; &quot;赠送&quot;/)
  assert.ok(!text.includes('<b>'))
  assert.match(text, new RegExp(order.outTradeNo))
  await channel().create(order)
  const stopped = await phone(codeUrl)
  assert.equal(stopped.status, 404)
  assert.match(stopped.text, /二维码已失效/)
})

test('the phone without a code lists what is not paid yet', async () => {
  const [open, paid] = [anOrder({ subject: '待付的短信' }), anOrder({ subject: '已付的短信' })]
  await channel().create(open)
  simulator.pay({ code: (await channel().create(paid)).codeUrl })
  const { text } = await phone()
  assert.match(text, /待付的短信/)
  assert.ok(!text.includes('已付的短信'))
})

test('a test pays, fails and pays late by the same words as the phone', async () => {
  const order = anOrder()
  const { codeUrl: code } = await channel().create(order)
  assert.equal((await pay({ code, outcome: 'failed' })).state, 'PAYERROR')
  simulator.control.moveClock(601_000)
  assert.equal((await pay({ code })).code, 'ORDER_EXPIRED')
  const late = await pay({ outTradeNo: order.outTradeNo, late: true })
  assert.deepEqual([late.status, late.state], [200, 'SUCCESS'])
  const twice = await pay({ code })
  assert.deepEqual([twice.status, twice.code], [409, 'ORDER_PAID'])
  assert.equal((await pay({ code: 'weixin://wxpay/bizpayurl?pr=invented' })).status, 404)
  const listed = (await (await fetch(`${simulator.url}/__sim/orders`)).json()) as {
    orders: { outTradeNo: string; state: string; amountFen: number }[]
  }
  const own = listed.orders.find(({ outTradeNo }) => outTradeNo === order.outTradeNo)
  assert.deepEqual([own?.state, own?.amountFen], ['SUCCESS', 1999])
})

test('an unsigned request gets nothing, and neither does a stale one', async () => {
  const url = `${simulator.url}/v3/pay/transactions/out-trade-no/T1?mchid=${keys.direct.mchid}`
  assert.equal((await fetch(url)).status, 401)
  const stale = channel(
    { mode: 'public-key' },
    {},
    { now: () => new Date(simulator.control.now().getTime() - 301_000) },
  )
  await assert.rejects(stale.query('T1'))
})

test('what was paid before it was started is remembered as it is told, and is refunded', async () => {
  const order = anOrder()
  const paidAt = new Date(Date.now() - 86_400_000).toISOString()
  const paid = { ...order, transactionId: '4300', payer: 'payer', paidAt }
  const answer = await post('remember', { accounts: [keys.direct.mchid], paid: [paid] })
  assert.deepEqual(await answer.json(), { remembered: 1 })
  const direct = channel({ merchant: 'direct' })
  assert.equal((await direct.query(order.outTradeNo)).state, 'paid')
  assert.notEqual((await direct.refund(aRefund(order))).state, 'failed')
  const nobody = await post('remember', { accounts: ['1900009999'], paid: [paid] })
  assert.deepEqual(await nobody.json(), { remembered: 0 })
})
