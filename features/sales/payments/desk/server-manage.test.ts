import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type PayChannelName, perChannel } from '#kit/ports/channels.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { SIMULATED_CHANNELS } from '#providers/simulators.ts'
import { refusalOf } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'
import { openTill, outTradeNo, type Till } from '#test/make-payments.ts'

let till: Till

before(async () => {
  till = await openTill()
})
after(() => till.stop())

async function paid(pieces: number, channel: 'wechat' | 'alipay'): Promise<string> {
  const { queryId } = await till.me.payments.startSms({ pieces })
  await till.open(queryId, channel)
  await till.pay(queryId, channel)
  await till.work()
  return queryId
}

test('a payment is found by its own, its order’s and its channel’s number, by its agent and by staff, by nobody else', async () => {
  const id = await paid(100, 'wechat')
  const { intent, attempts } = await till.staff.paymentDesk.intent({ id })
  const transactionId = attempts.find(({ channel }) => channel === 'wechat')?.transactionId
  assert.ok(transactionId)
  const stranger = till.office.as(await till.office.login((await makeAgent(till.office)).loginName))
  for (const number of [id, intent.orderNo, outTradeNo(id, 'wechat'), transactionId]) {
    for (const who of [till.me, till.staff])
      assert.deepEqual((await who.paymentDesk.find({ number })).rows, [
        { id, orderNo: intent.orderNo, subject: intent.subject, amountFen: 500, status: 'paid' },
      ])
    assert.deepEqual((await stranger.paymentDesk.find({ number })).rows, [])
  }
  assert.deepEqual((await till.me.paymentDesk.find({ number: id.slice(0, -1) })).rows, [])
})

test('a refund takes the credit back and returns the money, once', async () => {
  for (const channel of ['wechat', 'alipay'] as const) {
    const before = await till.me.ledger.wallet()
    const id = await paid(100, channel)
    assert.equal(await refusalOf(till.staff.paymentDesk.refund({ id, reason: ' ' })), 'REASON_REQUIRED')
    const { refundNo, amountFen } = await till.staff.paymentDesk.refund({ id, reason: '客户要求' })
    assert.deepEqual([refundNo, amountFen], [`${outTradeNo(id, channel)}R`, 500])
    assert.deepEqual(await till.me.ledger.wallet(), before)
    assert.equal(await refusalOf(till.staff.paymentDesk.refund({ id, reason: '再退' })), 'REFUNDED')
    await till.refunded()
    const detail = await till.staff.paymentDesk.intent({ id })
    assert.deepEqual([detail.intent.status, detail.intent.refundStatus], ['paid', 'done'])
    assert.equal(detail.refundRefusal?.code, 'REFUNDED')
    assert.deepEqual(
      detail.refunds.map(({ reason, remark, status }) => [reason, remark, status]),
      [['operator', '客户要求', 'done']],
    )
  }
  await till.office.verifyLedger()
})

test('what has been spent is not refunded, and neither is what nobody paid', async () => {
  const id = await paid(100, 'wechat')
  const { sms } = await till.me.ledger.wallet()
  await till.office.owner.query('select ledger_post($1::jsonb)', [
    JSON.stringify([
      {
        kind: 'sms-send',
        asset: 'sms',
        amount: sms,
        from: { kind: 'agent', id: till.agent.id },
        to: { kind: 'vendor', book: 'sms-supplier' },
        document: 'SPENT',
        payMethod: 'balance',
        agentId: till.agent.id,
        actorId: 1,
        actorName: '测试',
        description: '发送',
      },
    ]),
  ])
  assert.equal(await refusalOf(till.staff.paymentDesk.refund({ id, reason: '客户要求' })), 'CREDIT_SPENT')
  assert.equal((await till.staff.paymentDesk.intent({ id })).refunds.length, 0)
  const { queryId } = await till.me.payments.startSms({ pieces: 5 })
  assert.equal(
    await refusalOf(till.staff.paymentDesk.refund({ id: queryId, reason: '客户要求' })),
    'NOT_PAID',
  )
})

test('a refund that the channel refuses can be sent again under its number', async () => {
  const id = await paid(40, 'wechat')
  const sums = async () => {
    const { paidFen, refundedFen } = await till.staff.paymentDesk.intents({ search: id })
    return [paidFen, refundedFen]
  }
  till.outside.simulators.wechat.control.faults.push({
    match: 'refund',
    times: 1,
    effect: { kind: 'error', code: 'NOT_ENOUGH', message: '基本账户余额不足' },
  })
  await till.staff.paymentDesk.refund({ id, reason: '客户要求' })
  await till.work()
  const failed = (await till.staff.paymentDesk.intent({ id })).refunds[0]
  assert.equal(failed?.status, 'failed')
  assert.match(failed?.providerWords ?? '', /余额不足/)
  assert.deepEqual(await sums(), [200, 0])
  await till.staff.paymentDesk.retryRefund({ id: failed?.id ?? 0 })
  await till.refunded()
  assert.deepEqual(await sums(), [200, 200])
  assert.equal((await till.staff.paymentDesk.intent({ id })).refunds[0]?.status, 'done')
  assert.equal(
    await refusalOf(till.staff.paymentDesk.retryRefund({ id: failed?.id ?? 0 })),
    'REFUND_NOT_FAILED',
  )
  const history = await till.staff.operationLog.history({ kind: 'payment', id })
  const again = history.rows.find(({ title }) => title === '重试退款')
  assert.ok(again?.accountName, 'who sent it again stands in the history of the payment')
})

test('a refund without an answer is asked about before it is sent again', async () => {
  const id = await paid(40, 'alipay')
  const calls = callsOf('alipay')
  till.outside.simulators.alipay.control.faults.push({
    match: 'refund',
    times: 1,
    effect: { kind: 'reset-after' },
  })
  await till.staff.paymentDesk.refund({ id, reason: '客户要求' })
  await till.refunded()
  assert.equal((await till.staff.paymentDesk.intent({ id })).refunds[0]?.status, 'done')
  assert.equal(calls.filter(name => name === 'refund').length, 1, 'sent once')
})

/** What is asked of a simulator from now on. */
function callsOf(channel: 'alipay' | 'wechat'): string[] {
  const { control } = till.outside.simulators[channel]
  const calls: string[] = []
  const take = control.take
  control.take = ((kind, name) => {
    if (kind === 'reset-before') calls.push(name)
    return take(kind, name)
  }) as typeof take
  return calls
}

test('the lists find a payment by any of its numbers and filters', async () => {
  const id = await paid(60, 'alipay')
  const detail = await till.staff.paymentDesk.intent({ id })
  const [attempt] = detail.attempts
  assert.equal(detail.events.length, 1)
  for (const search of [id, detail.intent.orderNo, attempt?.outTradeNo, attempt?.transactionId]) {
    const { rows } = await till.staff.paymentDesk.intents({ search: search ?? '' })
    assert.deepEqual(
      rows.map(row => row.id),
      [id],
      String(search),
    )
  }
  assert.equal((await till.staff.paymentDesk.intents({ search: '没有' })).total, 0)
  const page = await till.staff.paymentDesk.intents({
    status: 'paid',
    channel: 'alipay',
    asset: 'sms',
    agentId: till.agent.id,
  })
  assert.ok(page.rows.length > 0 && page.rows.every(row => row.paidBy === 'alipay' && row.status === 'paid'))
  assert.equal(
    page.paidFen,
    page.rows.reduce((sum, row) => sum + row.amountFen, 0),
  )
  const today = formatDay(new Date())
  assert.ok((await till.staff.paymentDesk.intents({ from: today, to: today })).total > 0)
  assert.equal((await till.staff.paymentDesk.intents({ to: addDays(today, -1) })).total, 0)
  const events = await till.staff.paymentDesk.events({ search: attempt?.outTradeNo ?? '', status: 'done' })
  assert.deepEqual(
    events.rows.map(row => [row.kind, row.amountFen, row.intentId]),
    [['payment', 300, id]],
  )
  assert.equal(await refusalOf(till.me.paymentDesk.intents({})), 'FORBIDDEN')
})

test('a day is compared with the bill: what is missing on either side, or differs, is listed and can be resolved', async () => {
  const [same, missingThere, missingHere] = [
    await paid(101, 'wechat'),
    await paid(102, 'wechat'),
    await (async () => {
      const { queryId } = await till.me.payments.startSms({ pieces: 103 })
      await till.open(queryId, 'wechat')
      const { control } = till.outside.simulators.wechat
      control.faults.push({ match: 'notify', times: 99, effect: { kind: 'callback-drop' } })
      await till.pay(queryId, 'wechat', { isTold: false })
      return queryId
    })(),
  ]
  const { control } = till.outside.simulators.wechat
  await till.office.owner.query(`update payment_attempts set ask_at = null where intent_id = $1`, [
    missingHere,
  ])
  // The day of the bill must be over: all of it happened yesterday.
  const day = formatDay(new Date())
  await till.office.owner.query(
    `insert into payment_reconciliations (channel, day, status, wanted_at, ask_at) values ('wechat', $1, 'wanted', now(), now())`,
    [day],
  )
  await till.office.owner.query(
    `update payment_attempts set out_trade_no = 'X' || out_trade_no where intent_id = $1`,
    [missingThere],
  )
  await till.work()
  control.faults.length = 0
  const { rows } = await till.staff.paymentDesk.reconciliations({ channel: 'wechat' })
  const row = rows[0]
  assert.deepEqual([row?.status, row?.day], ['done', day])
  const { rows: differences } = await till.staff.paymentDesk.differences({ reconciliationId: row?.id })
  const of = (no: string) => differences.filter(one => one.outTradeNo === no).map(one => one.kind)
  assert.deepEqual(of(outTradeNo(missingHere, 'wechat')), ['missing-here'])
  assert.deepEqual(of(`X${outTradeNo(missingThere, 'wechat')}`), ['missing-there'])
  assert.deepEqual(of(outTradeNo(missingThere, 'wechat')), ['missing-here'])
  assert.deepEqual(of(outTradeNo(same, 'wechat')), [])
  assert.equal(row?.openDifferences, 3)
  // What the bill knew to be paid was asked for and settled.
  await till.work()
  assert.equal((await till.staff.paymentDesk.intent({ id: missingHere })).intent.status, 'paid')
  const [first] = differences
  assert.equal(
    await refusalOf(till.staff.paymentDesk.resolveDifference({ id: first?.id ?? 0, note: '' })),
    'NOTE_REQUIRED',
  )
  await till.staff.paymentDesk.resolveDifference({ id: first?.id ?? 0, note: '已与渠道核对' })
  const open = await till.staff.paymentDesk.differences({ reconciliationId: row?.id, open: true })
  assert.equal(open.total, 2)
  assert.equal(await refusalOf(till.staff.paymentDesk.reconcile({ channel: 'wechat', day })), 'DAY_OPEN')
  await till.staff.paymentDesk.reconcile({ channel: 'alipay', day: addDays(day, -2) })
  await till.work()
  const other = await till.staff.paymentDesk.reconciliations({ channel: 'alipay' })
  assert.deepEqual(
    [other.rows[0]?.status, other.rows[0]?.billPayments, other.rows[0]?.differences],
    ['done', 0, 0],
  )
})

test('prices are set by the operator and hold for the next order', async () => {
  const changed = { tokenFen: 95, smsHundredFen: 333 }
  assert.equal(await refusalOf(till.staff.paymentDesk.setPrices(changed)), 'PRICE_ASKED')
  await till.staff.paymentDesk.setPrices({ ...changed, answered: ['now'] })
  assert.equal((await till.me.payments.startSms({ pieces: 1 })).amountFen, 4)
  assert.equal((await till.me.payments.startTokens({ tokenCents: 101 })).amountFen, 96)
  assert.equal(
    await refusalOf(till.staff.paymentDesk.setPrices({ tokenFen: 0, smsHundredFen: 1 })),
    'PRICE_INVALID',
  )
  const settings = await till.staff.paymentDesk.settings()
  assert.deepEqual([settings.connected, settings.offered], [SIMULATED_CHANNELS, perChannel(() => true)])
  await till.staff.paymentDesk.setPrices({ tokenFen: 100, smsHundredFen: 500, answered: ['rise', 'now'] })
})

const alone = (channel: PayChannelName) => ({ ...perChannel(() => false), [channel]: true })

test('channels are set for all or for one agent', async () => {
  await till.staff.paymentDesk.setAgentChannels({ agentId: 0, choice: alone('wechat') })
  assert.deepEqual((await till.me.payments.offer()).channels, ['wechat'])
  await till.staff.paymentDesk.setAgentChannels({
    agentId: till.agent.id,
    choice: alone('alipay'),
  })
  assert.deepEqual((await till.me.payments.offer()).channels, ['alipay'])
  const { rows } = await till.staff.paymentDesk.agentChannels({})
  assert.deepEqual(
    rows.map(({ agentId, choice }) => [agentId, choice]),
    [[till.agent.id, alone('alipay')]],
  )
  await till.staff.paymentDesk.setAgentChannels({
    agentId: till.agent.id,
    choice: perChannel(() => null),
  })
  assert.equal((await till.staff.paymentDesk.agentChannels({})).total, 0)
  await till.staff.paymentDesk.setAgentChannels({ agentId: 0, choice: perChannel(() => true) })
  assert.equal(
    await refusalOf(
      till.staff.paymentDesk.setAgentChannels({ agentId: 99_999, choice: perChannel(() => null) }),
    ),
    'AGENT_UNKNOWN',
  )
})
