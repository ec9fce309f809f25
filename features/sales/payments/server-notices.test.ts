// Who is told of refunds, payments that fit nothing, and bills that differ; the operator's links open the row that is meant.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { formatDay } from '#kit/time.ts'
import { openTill, outTradeNo, type Till } from '#test/make-payments.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.stop())

async function paid(pieces: number): Promise<string> {
  const { queryId } = await till.me.payments.startSms({ pieces })
  await till.open(queryId, 'wechat')
  await till.pay(queryId, 'wechat')
  await till.work()
  return queryId
}

/** The newest notice of somebody. */
async function newest({ accountId }: { accountId: number }) {
  const { rows } = await till.office.owner.query(
    'select topic, title, body, link from notices where account_id = $1 order by id desc limit 1',
    [accountId],
  )
  return rows[0] ?? null
}

async function countTold({ accountId }: { accountId: number }): Promise<number> {
  const { rows } = await till.office.owner.query(
    'select count(*)::int as count from notices where account_id = $1',
    [accountId],
  )
  return rows[0].count
}

test('an agent is told that the operator refunded its payment', async () => {
  const id = await paid(100)
  const { orderNo } = (await till.staff.paymentDesk.intent({ id })).intent
  await till.staff.paymentDesk.refund({ id, reason: '客户要求' })
  assert.deepEqual(await newest(till.agent), {
    topic: 'PaymentStatus_Notify',
    title: '支付已退款',
    body: '短信充值 100条，微信支付的 5.00 元将原路退回，充值的短信已扣回。原因：客户要求',
    link: `/admin/order/${orderNo}`,
  })
  const { rows } = await till.me.smsDesk.orders({ search: orderNo })
  assert.equal(rows.length, 1, 'where the link leads')
  await till.refunded()
})

test('tokens that went back with their payment are told with the changes of the balance', async () => {
  const { queryId: id } = await till.me.payments.startTokens({ tokenCents: 1_000 })
  await till.open(id, 'wechat')
  await till.pay(id, 'wechat')
  await till.work()
  const { orderNo } = (await till.staff.paymentDesk.intent({ id })).intent
  await till.staff.paymentDesk.refund({ id, reason: '客户要求' })
  const told = await newest(till.agent)
  assert.match(told.body, /充值的代币已扣回/)
  assert.equal(told.link, `/admin/order/${orderNo}`)
  const { rows } = await till.me.ledger.changes({ search: orderNo })
  assert.equal(rows.length, 2, 'the payment and its return')
  await till.refunded()
})

test('an agent is told that its second payment goes back', async () => {
  const { queryId } = await till.me.payments.startSms({ pieces: 200 })
  await till.open(queryId, 'wechat')
  await till.open(queryId, 'alipay')
  await Promise.all([till.pay(queryId, 'wechat'), till.pay(queryId, 'alipay')])
  await till.work()
  await till.refunded()
  const { rows } = await till.office.owner.query(
    `select title from notices where account_id = $1 and args ->> 'queryId' = $2 order by id`,
    [till.agent.accountId, queryId],
  )
  assert.deepEqual(
    rows.map(({ title }) => title),
    ['支付成功', '重复支付将退回'],
  )
  assert.match(
    (await newest(till.agent)).body,
    /已支付过，(微信|支付宝)支付的 10.00 元将原路退回，不重复到账$/,
  )
})

test('the operator is told that a refund failed, each time', async () => {
  const id = await paid(40)
  const { control } = till.outside.simulators.wechat
  const refuseNext = () =>
    control.faults.push({
      match: 'refund',
      times: 1,
      effect: { kind: 'error', code: 'NOT_ENOUGH', message: '商户余额不足' },
    })
  refuseNext()
  const { refundNo } = await till.staff.paymentDesk.refund({ id, reason: '客户要求' })
  await till.refunded()
  const told = await newest(till.operator)
  assert.deepEqual(
    [told.topic, told.title, told.link],
    ['PaymentTrouble_Notify', '退款失败', `/admin/operations/payments?view=refunds&search=${refundNo}`],
  )
  assert.match(told.body, /^微信退款 2.00 元未退回（.*）：.*余额不足/)
  const { rows } = await till.staff.paymentDesk.refunds({ search: refundNo })
  assert.equal(rows.length, 1)
  const before = await countTold(till.operator)
  refuseNext()
  await till.staff.paymentDesk.retryRefund({ id: rows[0]?.id ?? 0 })
  await till.refunded()
  assert.equal(await countTold(till.operator), before + 1)
})

test('the operator is told of a payment that fits nothing, and of one of another amount, once each', async () => {
  const change = (set: string, no: string) =>
    till.office.owner.query(`update payment_attempts set ${set} where out_trade_no = $1`, [no])
  const { queryId } = await till.me.payments.startSms({ pieces: 30 })
  await till.open(queryId, 'wechat')
  const no = outTradeNo(queryId, 'wechat')
  await change('amount_fen = amount_fen + 1', no)
  await till.pay(queryId, 'wechat')
  await till.work()
  const told = await newest(till.operator)
  assert.deepEqual(
    [told.title, told.link],
    ['支付通知异常', `/admin/operations/payments?view=events&search=${no}`],
  )
  assert.match(told.body, /金额不符/)
  const { rows } = await till.staff.paymentDesk.events({ search: no })
  const before = await countTold(till.operator)
  await till.staff.paymentDesk.retryEvent({ id: rows[0]?.id ?? 0 })
  await till.work()
  assert.equal(await countTold(till.operator), before)
})

test('the operator is told of differences with a bill, and of a bill that cannot be had', async () => {
  const id = await paid(50)
  const day = formatDay(new Date())
  await till.office.owner.query(
    `update payment_attempts set out_trade_no = 'X' || out_trade_no where intent_id = $1`,
    [id],
  )
  const compare = () =>
    till.one<{ id: string }>(
      `insert into payment_reconciliations (channel, day, status, wanted_at, ask_at) values ('wechat', $1, 'wanted', now(), now())
       on conflict (channel, day) do update set ask_at = now() - make_interval(secs => 1), asked = 0 returning id`,
      [day],
    )
  const bill = await compare()
  await till.work()
  const told = await newest(till.operator)
  assert.deepEqual(
    [told.title, told.link],
    ['对账有差异', `/admin/operations/payments?view=differences&reconciliationId=${bill.id}`],
  )
  const { rows } = await till.staff.paymentDesk.differences({ reconciliationId: Number(bill.id) })
  assert.equal(told.body, `微信 ${day} 对账有 ${rows.length} 笔差异待处理`)
  const before = await countTold(till.operator)
  await compare()
  await till.work()
  assert.equal(await countTold(till.operator), before, 'the same again is no news')
  till.outside.simulators.wechat.control.faults.push({
    match: 'tradebill',
    times: 1,
    effect: { kind: 'error', code: 'NO_AUTH', message: '商户无权限' },
  })
  await compare()
  await till.work()
  const failed = await newest(till.operator)
  assert.deepEqual(
    [failed.title, failed.link],
    ['对账失败', `/admin/operations/payments?view=bills&channel=wechat&from=${day}&to=${day}`],
  )
})
