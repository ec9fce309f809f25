// What goes wrong for a while and must not end a payment, a refund or a comparison for good.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { addDays, formatDay } from '#kit/time.ts'
import { openTill, outTradeNo, type Till } from '#test/make-payments.ts'
import { jobs } from './jobs.ts'
import { BILL_DAYS } from './rules.ts'

let till: Till

before(async () => {
  till = await openTill()
})
after(() => till.stop())

const limited = (channel: 'wechat' | 'alipay', match: string) =>
  till.outside.simulators[channel].control.faults.push({
    match,
    times: 1,
    effect: { kind: 'quota-exhausted' },
  })

const attempt = (queryId: string, channel: 'wechat' | 'alipay') =>
  till.one<{ status: string; code_url: string | null; parameters: unknown; payer_code: string | null }>(
    'select status, code_url, parameters, payer_code from payment_attempts where out_trade_no = $1',
    [outTradeNo(queryId, channel)],
  )

async function paid(channel: 'wechat' | 'alipay'): Promise<string> {
  const { queryId } = await till.me.payments.startSms({ pieces: 20 })
  await till.open(queryId, channel)
  await till.pay(queryId, channel)
  await till.work()
  return queryId
}

for (const [channel, call] of [
  ['wechat', 'native'],
  ['alipay', 'precreate'],
] as const) {
  test(`${channel}: a code that is refused for too many calls is asked for again`, async () => {
    const { queryId } = await till.me.payments.startSms({ pieces: 10 })
    limited(channel, call)
    await till.office.as(null).payments.cashierAttempt({ token: await till.token(queryId), channel })
    await till.work()
    const refused = await attempt(queryId, channel)
    assert.deepEqual([refused.status, refused.code_url], ['creating', null])
    await till.hurry()
    await till.work()
    assert.equal((await attempt(queryId, channel)).status, 'waiting')
    await till.pay(queryId, channel)
    await till.work()
    assert.equal((await till.me.payments.result({ queryId })).state, 'paid')
  })

  test(`${channel}: a refund that is refused for too many calls is sent again`, async () => {
    const id = await paid(channel)
    limited(channel, 'refund')
    await till.staff.paymentDesk.refund({ id, reason: '客户要求' })
    await till.work()
    const [refused] = (await till.staff.paymentDesk.intent({ id })).refunds
    assert.equal(refused?.status, 'wanted')
    await till.refunded()
    assert.equal((await till.staff.paymentDesk.intent({ id })).refunds[0]?.status, 'done')
  })

  test(`${channel}: a refund counts on the day on which the channel made it`, async () => {
    const id = await paid(channel)
    await till.staff.paymentDesk.refund({ id, reason: '客户要求' })
    await till.refunded()
    const row = await till.one<{ done_at: Date }>(
      `select done_at from payment_refunds where attempt_id =
         (select id from payment_attempts where out_trade_no = $1)`,
      [outTradeNo(id, channel)],
    )
    // Both channels tell whole seconds; our own clock would have milliseconds.
    assert.equal(row.done_at.getTime() % 1_000, 0)
  })
}

test('a code of the page’s authorization that is spent or invented takes no payer’s way away', async () => {
  const nobody = till.office.as(null)
  const { queryId } = await till.me.payments.startSms({ pieces: 60 })
  const token = await till.token(queryId)
  const authorized = async () => {
    const { channels } = await nobody.payments.cashier({ token })
    const back = await fetch(channels[0]?.authorizeUrl ?? '', { redirect: 'manual' })
    return new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? ''
  }
  const bring = async (code: string) => {
    await till.office.owner.query(
      `update payment_attempts set updated_at = now() - interval '4 seconds' where intent_id = $1`,
      [queryId],
    )
    await nobody.payments.cashierInApp({ token, channel: 'wechat', code })
    await till.work()
    return attempt(queryId, 'wechat')
  }
  const invented = await bring('invented')
  assert.deepEqual([invented.status, invented.parameters, invented.payer_code], ['waiting', null, null])
  const code = await authorized()
  const ready = await bring(code)
  assert.equal(ready.status, 'waiting')
  assert.ok(ready.parameters)
  for (const wrong of [code, 'invented again']) {
    const after = await bring(wrong)
    assert.deepEqual([after.status, after.parameters], ['waiting', ready.parameters], wrong)
  }
  assert.equal((await till.me.payments.result({ queryId })).state, 'waiting')
})

test('days on which the program did not run are compared later, once each', async () => {
  const newest = formatDay(new Date(Date.now() - 36.5 * 3_600_000))
  const days = async () =>
    (
      await till.office.owner.query<{ day: string }>(
        `select day::text as day from payment_reconciliations where channel = 'wechat' order by day`,
      )
    ).rows.map(({ day }) => day)
  const job = jobs.find(({ name }) => name === 'compare-bills')
  assert.ok(job)
  const { services } = till.office.app
  await job.run(till.office.owner, services)
  assert.deepEqual(await days(), [newest], 'a new channel begins with the day before')
  await till.office.owner.query('update payment_reconciliations set day = day - 3')
  await job.run(till.office.owner, services)
  await job.run(till.office.owner, services)
  assert.deepEqual(
    await days(),
    [-3, -2, -1, 0].map(away => addDays(newest, away)),
  )
  await till.office.owner.query(`delete from payment_reconciliations`)
  await till.office.owner.query(
    `insert into payment_reconciliations (channel, day, status, wanted_at) values ('wechat', current_date - 400, 'done', now())`,
  )
  await job.run(till.office.owner, services)
  assert.equal((await days()).length, 1 + BILL_DAYS + 1, 'bills are kept for a while only')
})
