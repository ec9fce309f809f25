import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { perChannel } from '#kit/ports/channels.ts'
import { SIMULATED_CHANNELS } from '#providers/simulators.ts'
import { refusalOf } from '#test/app.ts'
import { makeAccount, makeAgent } from '#test/make.ts'
import { openTill, outTradeNo, type Till } from '#test/make-payments.ts'
import { LIMITS } from './rules.ts'

let till: Till

before(async () => {
  till = await openTill()
})
after(() => till.stop())

const balances = () => till.me.ledger.wallet()

test('a partner is offered packages, prices and the channels that are on', async () => {
  const offer = await till.me.payments.offer()
  assert.deepEqual(
    offer.packages.map(({ pieces, priceFen }) => [pieces, priceFen]),
    [
      [4_000, 20_000],
      [10_500, 50_000],
      [22_000, 100_000],
      [46_000, 200_000],
    ],
  )
  assert.deepEqual([offer.tokenFen, offer.smsHundredFen, offer.tokens], [100, 500, true])
  assert.deepEqual(offer.channels, SIMULATED_CHANNELS)
})

test('SMS credit is ordered, paid by QR, credited once and told of', async () => {
  const before = await balances()
  const shown = await till.me.payments.startSms({ packageId: 1 })
  assert.match(shown.queryId, /^\d{22,}$/)
  assert.match(shown.payUrl, /\/c\/[\w-]{32}$/)
  assert.deepEqual(
    [shown.expired, shown.remainingSeconds, shown.amountFen, shown.mode, shown.subject],
    [30, 600, 20_000, 'both', '短信充值 4,000条'],
  )
  assert.deepEqual(pick(await till.me.payments.result({ queryId: shown.queryId })), [0, 0, 'waiting'])
  const order = () =>
    till.one('select status, pay_method, sms_before, sms_after from sms_orders where order_no = $1', [
      shown.orderNo,
    ])
  assert.equal((await order()).status, 'quoted')
  await till.open(shown.queryId, 'alipay')
  await till.pay(shown.queryId, 'alipay')
  await till.work()
  assert.deepEqual(pick(await till.me.payments.result({ queryId: shown.queryId })), [1, 1, 'paid'])
  assert.equal((await balances()).sms, before.sms + 4_000)
  assert.deepEqual(await order(), {
    status: 'paid',
    pay_method: 'alipay',
    sms_before: String(before.sms),
    sms_after: String(before.sms + 4_000),
  })
  const notice = await till.one('select topic, body from notices where account_id = $1 order by id desc', [
    till.agent.accountId,
  ])
  assert.equal(notice.topic, 'PaymentStatus_Notify')
  assert.match(String(notice.body), /短信充值 4,000条，支付宝支付 200.00 元，已到账/)
  await till.office.verifyLedger()
})

function pick(answer: { action: number; status: number; state: string }) {
  return [answer.action, answer.status, answer.state]
}

test('tokens are ordered for an exact amount and paid by WeChat', async () => {
  const before = await balances()
  const shown = await till.me.payments.startTokens({ tokenCents: 12_345 })
  assert.deepEqual([shown.amountFen, shown.subject], [12_345, '代币充值 123.45'])
  await till.open(shown.queryId, 'wechat')
  await till.pay(shown.queryId, 'wechat')
  await till.work()
  assert.equal((await balances()).tokenCents, before.tokenCents + 12_345)
  await till.office.verifyLedger()
})

test('a payment whose callback is lost is found by asking', async () => {
  const before = await balances()
  const { queryId } = await till.me.payments.startSms({ pieces: 100 })
  await till.open(queryId, 'wechat')
  till.outside.simulators.wechat.control.faults.push({
    match: 'notify',
    times: 99,
    effect: { kind: 'callback-drop' },
  })
  await till.pay(queryId, 'wechat', { isTold: false })
  await till.hurry()
  await till.work()
  till.outside.simulators.wechat.control.faults.length = 0
  assert.deepEqual(pick(await till.me.payments.result({ queryId })), [1, 1, 'paid'])
  assert.equal((await balances()).sms, before.sms + 100)
})

test('refreshing shows the same intent for longer and makes no other order', async () => {
  const shown = await till.me.payments.startSms({ pieces: 50 })
  await till.open(shown.queryId, 'alipay')
  await till.office.owner.query(
    `update payment_intents set display_until = now() - interval '1 second' where id = $1`,
    [shown.queryId],
  )
  const again = await till.me.payments.refresh({ queryId: shown.queryId })
  assert.deepEqual([again.queryId, again.payUrl, again.orderNo], [shown.queryId, shown.payUrl, shown.orderNo])
  const { attempts, seconds } = await till.one<{ attempts: number; seconds: number }>(
    `select (select count(*)::int from payment_attempts where intent_id = i.id) as attempts,
       round(extract(epoch from display_until - now()))::int as seconds from payment_intents i where id = $1`,
    [shown.queryId],
  )
  assert.equal(attempts, 1)
  assert.ok(seconds > 20 && seconds <= 30)
  await till.pay(shown.queryId, 'alipay')
  await till.work()
  assert.equal(await refusalOf(till.me.payments.refresh({ queryId: shown.queryId })), 'ORDER_PAID')
})

test('an order ends after its time at the channels too, and a late payment is still credited', async () => {
  const before = await balances()
  const { queryId } = await till.me.payments.startSms({ pieces: 200 })
  await till.open(queryId, 'wechat')
  await till.open(queryId, 'alipay')
  await till.end(queryId)
  await till.work()
  const over = await till.me.payments.result({ queryId })
  assert.deepEqual([...pick(over), over.msg], [-1, 0, 'expired', '您的订单已过期失效'])
  assert.equal(await refusalOf(till.me.payments.refresh({ queryId })), 'ORDER_ENDED')
  const { state } = till.outside.simulators.wechat
    .orders()
    .find(order => order.outTradeNo === outTradeNo(queryId, 'wechat')) as { state: string }
  assert.equal(state, 'CLOSED')
  // Nobody had scanned, so that Alipay had no trade to close.
  await till.pay(queryId, 'alipay', { late: true })
  await till.work()
  assert.deepEqual(pick(await till.me.payments.result({ queryId })), [1, 1, 'paid'])
  assert.equal((await balances()).sms, before.sms + 200)
})

test('a second payment by the other channel goes back once, and is credited never', async () => {
  const before = await balances()
  const { queryId } = await till.me.payments.startSms({ pieces: 300 })
  await till.open(queryId, 'wechat')
  await till.open(queryId, 'alipay')
  await Promise.all([till.pay(queryId, 'wechat'), till.pay(queryId, 'alipay')])
  await till.work()
  await till.refunded()
  assert.equal((await balances()).sms, before.sms + 300)
  const { rows } = await till.staff.paymentDesk.refunds({ search: queryId })
  assert.deepEqual(
    rows.map(({ reason, status, amountFen }) => [reason, status, amountFen]),
    [['second', 'done', 1_500]],
  )
  await till.office.verifyLedger()
})

test('once paid, the other channel is closed so that nobody pays twice', async () => {
  const { queryId } = await till.me.payments.startSms({ pieces: 10 })
  await till.open(queryId, 'wechat')
  await till.open(queryId, 'alipay')
  await till.pay(queryId, 'alipay')
  await till.work()
  await till.work()
  const { status } = await till.one('select status from payment_attempts where out_trade_no = $1', [
    outTradeNo(queryId, 'wechat'),
  ])
  assert.equal(status, 'closed')
})

test('what is wrong with an order is refused with the words of the documents, and nothing is written', async () => {
  const count = async () =>
    (await till.one<{ count: number }>('select count(*)::int as count from payment_intents')).count
  const before = await count()
  const cases: [() => Promise<unknown>, string][] = [
    [() => till.me.payments.startSms({}), 'COUNT_REQUIRED'],
    [() => till.me.payments.startSms({ pieces: 0 }), 'COUNT_REQUIRED'],
    [() => till.me.payments.startSms({ pieces: 1.5 }), 'COUNT_REQUIRED'],
    [() => till.me.payments.startSms({ pieces: 1_000_001 }), 'COUNT_TOO_LARGE'],
    [() => till.me.payments.startSms({ packageId: 99 }), 'PACKAGE_UNKNOWN'],
    [() => till.me.payments.startSms({ packageId: 1, amountFen: 19_999 }), 'PRICE_CHANGED'],
    [() => till.me.payments.startTokens({ tokenCents: 100, amountFen: 99 }), 'PRICE_CHANGED'],
    [() => till.me.payments.startTokens({}), 'COUNT_REQUIRED'],
    [() => till.me.payments.startTokens({ tokenCents: 10_000_001 }), 'TOKENS_TOO_LARGE'],
  ]
  for (const [call, code] of cases) assert.equal(await refusalOf(call()), code)
  await assert.rejects(till.me.payments.startSms({}), { message: '请输入充值数量' })
  assert.equal(await count(), before)
})

test('an agent has so many unpaid orders at once, and no more', async () => {
  const other = await makeAgent(till.office)
  const them = till.office.as(await till.office.login(other.loginName))
  const { queryId } = await them.payments.startTokens({ tokenCents: 100, amountFen: 100 })
  await till.office.owner.query(
    `insert into payment_intents select (jsonb_populate_record(i, jsonb_build_object('id', i.id || n, 'order_no', i.order_no || n,
       'token', i.token || n))).* from payment_intents i, generate_series(2, $2::int) n where id = $1`,
    [queryId, LIMITS.openOrders],
  )
  assert.equal(await refusalOf(them.payments.startTokens({ tokenCents: 100 })), 'TOO_MANY_OPEN')
  await till.end(queryId)
  await them.payments.startTokens({ tokenCents: 100 })
  await till.office.owner.query('delete from payment_intents where id like $1 and id <> $2', [
    `${queryId}%`,
    queryId,
  ])
})

test('the same key orders once', async () => {
  const key = 'the-same-key-of-a-page'
  const first = await till.me.payments.startSms({ pieces: 7 }, { context: { key } })
  const again = await till.me.payments.startSms({ pieces: 7 }, { context: { key } })
  assert.equal(again.queryId, first.queryId)
})

test('an agent without a channel is told so; with one channel alone its own code is shown', async () => {
  const other = await makeAgent(till.office)
  const them = till.office.as(await till.office.login(other.loginName))
  const set = (wechat: boolean | null, alipay: boolean | null) =>
    till.staff.paymentDesk.setAgentChannels({
      agentId: other.id,
      choice: { ...perChannel(() => false), wechat, alipay },
    })
  await set(false, false)
  await assert.rejects(them.payments.startSms({ pieces: 10 }), { message: '暂未开通支付渠道，请联系厂商' })
  await set(null, false)
  const shown = await them.payments.startSms({ pieces: 10 })
  assert.deepEqual([shown.mode, shown.channels, shown.codeUrl], ['native', ['wechat'], null])
  await till.work()
  const { codeUrl } = await them.payments.result({ queryId: shown.queryId })
  assert.match(String(codeUrl), /^weixin:/)
})

test('another agent sees nothing of it, and a sub-user needs the permission for what is bought', async () => {
  const { queryId, orderNo } = await till.me.payments.startTokens({ tokenCents: 100 })
  const other = await makeAgent(till.office)
  const them = till.office.as(await till.office.login(other.loginName))
  for (const call of [
    () => them.payments.result({ queryId }),
    () => them.payments.refresh({ queryId }),
    () => them.payments.check({ orderNo }),
  ])
    assert.equal(await refusalOf(call()), 'NOT_FOUND')
  const sub = await makeAccount(till.office, till.agent.id, { nodeIds: [52] })
  const mate = till.office.as(await till.office.login(sub.loginName))
  assert.equal((await mate.payments.offer()).tokens, false)
  assert.equal(await refusalOf(mate.payments.startTokens({ tokenCents: 100 })), 'FORBIDDEN')
  assert.equal(await refusalOf(mate.payments.result({ queryId })), 'FORBIDDEN')
})

test('an SMS order that is not complete is checked at its channel', async () => {
  const { queryId, orderNo } = await till.me.payments.startSms({ pieces: 20 })
  assert.deepEqual(pickCheck(await till.me.payments.check({ orderNo })), [0, false])
  await till.open(queryId, 'wechat')
  till.outside.simulators.wechat.control.faults.push({
    match: 'notify',
    times: 99,
    effect: { kind: 'callback-drop' },
  })
  await till.pay(queryId, 'wechat', { isTold: false })
  await till.office.owner.query(
    `update payment_attempts set updated_at = now() - interval '4 seconds' where intent_id = $1`,
    [queryId],
  )
  assert.deepEqual(pickCheck(await till.me.payments.check({ orderNo })), [0, true])
  await till.work()
  till.outside.simulators.wechat.control.faults.length = 0
  assert.deepEqual(pickCheck(await till.me.payments.check({ orderNo })), [1, false])
})

function pickCheck({ result, asking }: { result: number; asking: boolean }) {
  return [result, asking]
}

test('the check of the ledger tells of an order that is paid and was not credited', async () => {
  const { queryId, orderNo } = await till.me.payments.startTokens({ tokenCents: 100 })
  const set = (status: string) =>
    till.office.owner.query('update token_orders set status = $2 where order_no = $1', [orderNo, status])
  await set('paid')
  await assert.rejects(till.office.verifyLedger(), /recharges_unlike_transfers=1/)
  await set('quoted')
  await till.office.verifyLedger()
  await till.open(queryId, 'alipay')
  await till.pay(queryId, 'alipay')
  await till.work()
  await till.office.verifyLedger()
  await set('refunded')
  await assert.rejects(till.office.verifyLedger(), /recharges_unlike_transfers=1/)
  await set('paid')
})
