// What channels send, and what they leave unanswered: forged, repeated, early and late callbacks; calls of unknown end.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before } from 'node:test'
import { perChannel } from '#kit/ports/channels.ts'
import { SIMULATED_CHANNELS } from '#providers/simulators.ts'
import { openTill, outTradeNo, type Till } from '#test/make-payments.ts'

let till: Till

before(async () => {
  till = await openTill({ timeoutMs: 300 })
})
after(() => till.stop())

const wechat = () => till.outside.simulators.wechat.control
const sms = async () => (await till.me.ledger.wallet()).sms
const fault = (match: string, kind: 'wrong-signature' | 'stale-timestamp' | 'callback-drop', times = 99) =>
  wechat().faults.push({ match, times, effect: { kind } })
const eventOf = (no: string) =>
  till.one<{ status: string; problem: string; times: number }>(
    'select status, problem, times from provider_events where out_trade_no = $1',
    [no],
  )
const attemptOf = (no: string) =>
  till.one<{ status: string; code_url: string | null; ask_at: string | null }>(
    'select status, code_url, ask_at from payment_attempts where out_trade_no = $1',
    [no],
  )
const send = (channel: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${till.office.url}/callbacks/pay/${channel}`, { method: 'POST', body, headers })

async function opened(pieces: number): Promise<{ queryId: string; no: string }> {
  const { queryId } = await till.me.payments.startSms({ pieces })
  await till.open(queryId, 'wechat')
  return { queryId, no: outTradeNo(queryId, 'wechat') }
}

/** Waits until the simulator has tried so many callbacks of this attempt. */
async function told(no: string, attempts: number): Promise<void> {
  for (let waited = 0; waited < 5_000; waited += 20) {
    const answer = await fetch(`${till.outside.simulators.wechat.url}/__sim/notices`)
    const { notices } = (await answer.json()) as { notices: { attempts: number }[] }
    if ((notices.at(-1)?.attempts ?? 0) >= attempts) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error(`${no} was not told of`)
}

test('a callback with a wrong signature or an old time is refused, and nothing is kept of it', async () => {
  for (const kind of ['wrong-signature', 'stale-timestamp'] as const) {
    const before = await sms()
    const { queryId, no } = await opened(10)
    fault('notify', kind)
    await till.pay(queryId, 'wechat', { isTold: false })
    await told(no, 2)
    assert.equal(await eventOf(no), undefined, kind)
    assert.equal(await sms(), before)
    wechat().faults.length = 0
    while (!(await eventOf(no))) await new Promise(resolve => setTimeout(resolve, 20))
    await till.work()
    assert.equal(await sms(), before + 10, 'the next one that is right counts')
  }
})

test('whoever is no channel, or sends nonsense, is refused', async () => {
  assert.equal((await send('paypal', '{}')).status, 404)
  const answer = await send('wechat', '{"id":"1"}')
  assert.equal(answer.status, 401, 'it is no failure of ours')
  const probe = await send('wechat', '{"id":"1"}', {
    ...{ 'wechatpay-timestamp': String(Math.floor(Date.now() / 1_000)), 'wechatpay-nonce': 'a' },
    ...{ 'wechatpay-serial': 'b', 'wechatpay-signature': 'WECHATPAY/SIGNTEST/c' },
  })
  assert.equal(probe.status, 401)
  const forged = await send('alipay', 'a=b&sign=c')
  assert.deepEqual([forged.status, await forged.text()], [401, 'failure'])
})

test('the same callback again and again is kept once and credits once', async () => {
  const before = await sms()
  const { queryId } = await till.me.payments.startSms({ pieces: 20 })
  await till.open(queryId, 'alipay')
  await till.pay(queryId, 'alipay')
  await till.work()
  const { callbacks, url } = till.outside.simulators.alipay
  const notifyId = callbacks.findLast(one => one.outTradeNo === outTradeNo(queryId, 'alipay'))?.notifyId
  for (let times = 2; times <= 4; times++) {
    await fetch(`${url}/__sim/notifies`, { method: 'POST', body: JSON.stringify({ notifyId }) })
    while ((await eventOf(outTradeNo(queryId, 'alipay'))).times < times)
      await new Promise(resolve => setTimeout(resolve, 10))
    await till.work()
  }
  assert.equal(await sms(), before + 20)
  await till.office.verifyLedger()
})

test('a callback about nothing of ours is kept for staff, and can be looked at again', async () => {
  const { queryId, no } = await opened(30)
  await till.office.owner.query(
    `update payment_attempts set out_trade_no = 'elsewhere' where out_trade_no = $1`,
    [no],
  )
  const before = await sms()
  const code = till.outside.simulators.wechat.orders().find(order => order.outTradeNo === no)?.code?.url ?? ''
  till.outside.simulators.wechat.pay({ code, payer: 'payer', outcome: 'paid' })
  while (!(await eventOf(no))) await new Promise(resolve => setTimeout(resolve, 10))
  await till.work()
  const { rows } = await till.staff.paymentDesk.events({ status: 'unmatched' })
  assert.deepEqual([rows[0]?.outTradeNo, rows[0]?.intentId], [no, null])
  await till.office.owner.query(
    `update payment_attempts set out_trade_no = $1 where out_trade_no = 'elsewhere'`,
    [no],
  )
  await till.staff.paymentDesk.retryEvent({ id: rows[0]?.id ?? 0 })
  await till.work()
  assert.equal(await sms(), before + 30)
  assert.deepEqual((await till.me.payments.result({ queryId })).action, 1)
})

test('a success of another amount is told to staff and credits nothing', async () => {
  const before = await sms()
  const { queryId, no } = await opened(40)
  await till.office.owner.query(
    'update payment_attempts set amount_fen = amount_fen + 1 where out_trade_no = $1',
    [no],
  )
  await till.pay(queryId, 'wechat')
  await till.work()
  await till.work()
  const event = await eventOf(no)
  assert.equal(event.status, 'refused')
  assert.match(String(event.problem), /金额不符/)
  assert.equal(await sms(), before)
  assert.notEqual((await attemptOf(no)).status, 'paid')
})

test('an order whose answer is lost is asked about before it is sent again', async () => {
  const calls: string[] = []
  const { take } = wechat()
  wechat().take = ((kind, name) => {
    if (kind === 'reset-before') calls.push(name)
    return take(kind, name)
  }) as typeof take
  const { queryId } = await till.me.payments.startSms({ pieces: 5 })
  const no = outTradeNo(queryId, 'wechat')
  wechat().faults.push({ match: 'native', times: 1, effect: { kind: 'reset-after' } })
  wechat().faults.push({ match: 'query', times: 99, effect: { kind: 'status', status: 502 } })
  await till.office.as(null).payments.cashierAttempt({ token: await till.token(queryId), channel: 'wechat' })
  for (let round = 0; round < 3; round++) {
    await till.work()
    assert.equal((await attemptOf(no)).status, 'unknown', `round ${round}`)
    await till.hurry()
  }
  const placed = () => calls.filter(name => name === 'native').length
  assert.equal(placed(), 1, 'nobody knows, so that nothing is sent again')
  wechat().faults.length = 0
  await till.work()
  assert.equal((await attemptOf(no)).status, 'waiting')
  assert.deepEqual([placed(), calls.slice(-2)], [2, ['query', 'native']])
  wechat().take = take
})

test('while a channel is down the other one works, and what was left open is resolved once it is back', async () => {
  const { queryId } = await till.me.payments.startSms({ pieces: 5 })
  const no = outTradeNo(queryId, 'wechat')
  wechat().faults.push({ match: '*', times: 999, effect: { kind: 'reset-before' } })
  await till.office.as(null).payments.cashierAttempt({ token: await till.token(queryId), channel: 'wechat' })
  await till.open(queryId, 'alipay')
  assert.equal((await attemptOf(no)).status, 'unknown')
  assert.equal((await till.me.payments.result({ queryId })).action, 0)
  await till.end(queryId)
  await till.work()
  const kept = await attemptOf(no)
  assert.deepEqual([kept.status, kept.ask_at !== null], ['unknown', true])
  wechat().faults.length = 0
  await till.hurry()
  await till.work()
  assert.equal((await attemptOf(no)).status, 'closed')
  assert.equal((await till.me.payments.result({ queryId })).action, -1)
})

test('an order that the channel refuses fails at once where there is no other channel', async () => {
  await till.staff.paymentDesk.setAgentChannels({
    agentId: till.agent.id,
    choice: { ...perChannel(() => false), wechat: true },
  })
  wechat().faults.push({
    match: 'native',
    times: 1,
    effect: { kind: 'error', code: 'NO_AUTH', message: '商户无权限' },
  })
  const { queryId } = await till.me.payments.startSms({ pieces: 5 })
  await till.work()
  const { action, status, msg } = await till.me.payments.result({ queryId })
  assert.deepEqual([action, status, msg], [-1, 0, '请刷新重试'])
  const { attempts } = await till.staff.paymentDesk.intent({ id: queryId })
  assert.match(attempts[0]?.providerWords ?? '', /商户无权限 \(NO_AUTH\)/)
  await till.staff.paymentDesk.setAgentChannels({
    agentId: till.agent.id,
    choice: perChannel(() => null),
  })
})

test('the cashier shows what is to be paid to whoever has its address, and nothing to others', async () => {
  const nobody = till.office.as(null)
  await assert.rejects(nobody.payments.cashier({ token: randomUUID() }), { code: 'NOT_FOUND' })
  const { queryId } = await till.me.payments.startSms({ packageId: 1 })
  const token = await till.token(queryId)
  const shown = await nobody.payments.cashier({ token })
  assert.deepEqual(
    [shown.subject, shown.amountFen, shown.status, shown.payee],
    ['短信充值 4,000条', 20_000, 'waiting', `代理商${till.operator.id}`],
  )
  assert.deepEqual(
    shown.channels.map(({ channel, status, codeUrl }) => [channel, status, codeUrl]),
    SIMULATED_CHANNELS.map(channel => [channel, null, null]),
  )
  assert.match(shown.channels.find(({ channel }) => channel === 'wechat')?.authorizeUrl ?? '', /snsapi_base/)
  const code = await till.open(queryId, 'alipay')
  const opened = await nobody.payments.cashier({ token })
  assert.equal(opened.channels.find(({ channel }) => channel === 'alipay')?.codeUrl, code)
  await Promise.all([1, 2, 3].map(() => nobody.payments.cashierAttempt({ token, channel: 'alipay' })))
  assert.equal(
    (await till.one('select count(*)::int as count from payment_attempts where intent_id = $1', [queryId]))
      .count,
    1,
  )
  await till.end(queryId)
  await till.work()
  const over = await nobody.payments.cashier({ token })
  assert.deepEqual(
    [over.status, over.remainingSeconds, over.channels.map(({ codeUrl }) => codeUrl)],
    ['expired', 0, SIMULATED_CHANNELS.map(() => null)],
  )
  await assert.rejects(nobody.payments.cashierAttempt({ token, channel: 'wechat' }), { code: 'ORDER_ENDED' })
})

test('pressing again and again leaves one row of the log, and an invented code of WeChat is not asked for at once', async () => {
  const nobody = till.office.as(null)
  const { queryId, orderNo } = await till.me.payments.startSms({ pieces: 70 })
  const token = await till.token(queryId)
  const rows = async (title: string) =>
    (
      await till.one(
        'select count(*)::int as count from operation_logs where title = $1 and subject like $2',
        [title, `%${orderNo}%`],
      )
    ).count
  for (let i = 0; i < 5; i++) await nobody.payments.cashierAttempt({ token, channel: 'alipay' })
  assert.equal(await rows('打开收银台'), 1)
  await nobody.payments.cashierInApp({ token, channel: 'wechat', code: 'first' })
  await nobody.payments.cashierInApp({ token, channel: 'wechat', code: 'first' })
  assert.equal(await rows('渠道内支付'), 1)
  await assert.rejects(nobody.payments.cashierInApp({ token, channel: 'wechat', code: 'invented' }), {
    code: 'THROTTLED',
  })
  await till.end(queryId)
  await till.work()
})

test('a callback that fails again and again is left to staff', async () => {
  const { rows } = await till.office.owner.query(
    `insert into provider_events (channel, event_id, content, body, out_trade_no, status, received_at)
     values ('wechat', 'poison', '{"kind":"payment"}', '', 'none', 'kept', now()) returning id`,
  )
  for (let i = 0; i < 5; i++) await till.work()
  const event = await till.one('select status, problem from provider_events where id = $1', [rows[0].id])
  assert.equal(event.status, 'refused')
  assert.match(String(event.problem), /多次处理失败/)
})

test('inside WeChat a payer pays in place, by the code of the page’s authorization', async () => {
  const before = await sms()
  const nobody = till.office.as(null)
  const { queryId } = await till.me.payments.startSms({ pieces: 60 })
  const token = await till.token(queryId)
  const { channels } = await nobody.payments.cashier({ token })
  const back = await fetch(channels[0]?.authorizeUrl ?? '', { redirect: 'manual' })
  const address = new URL(back.headers.get('location') ?? '')
  assert.equal(address.pathname, `/c/${token}`)
  await nobody.payments.cashierInApp({
    token,
    channel: 'wechat',
    code: address.searchParams.get('code') ?? '',
  })
  await till.work()
  const ready = await nobody.payments.cashier({ token })
  assert.deepEqual(Object.keys(ready.channels[0]?.parameters ?? {}).sort(), [
    'appId',
    'nonceStr',
    'package',
    'paySign',
    'signType',
    'timeStamp',
  ])
  const prepayId = ready.channels[0]?.parameters?.package?.replace('prepay_id=', '') ?? ''
  const order = till.outside.simulators.wechat.orders().find(one => one.prepayId === prepayId)
  till.outside.simulators.wechat.pay({ code: prepayId, payer: order?.payer ?? '', outcome: 'paid' })
  while (!(await eventOf(outTradeNo(queryId, 'wechat'))))
    await new Promise(resolve => setTimeout(resolve, 10))
  await till.work()
  assert.equal(await sms(), before + 60)
})
