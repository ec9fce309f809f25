// Money that an agent is paid on its own account: ordered, told of, refunded and kept apart from the vendor's.

import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { refund } from '#features/sales/payments/server-manage.ts'
import { openIntent } from '#features/sales/payments/server-start.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import type { PaidOrder } from '#server/ctx.ts'
import { Refusal } from '#server/refuse.ts'
import { actAsSystem } from '#server/system.ts'
import { refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'
import { giveAccount, openTill, outTradeNo, type Till } from '#test/make-payments.ts'

let till: Till
let payee: MadeAgent
const BOTH = ['wechat', 'alipay'] as const
let accounts: Record<(typeof BOTH)[number], { settingsId: number; callbackKey: string }>
const credited: (PaidOrder & { channel: PayChannelName })[] = []
const takenBack: PaidOrder[] = []
let spent = false
let next = 0

before(async () => {
  till = await openTill()
  payee = await makeAgent(till.office)
  till.office.app.services.paid = {
    ...till.office.app.services.paid,
    renewal: {
      async credit(_ctx, order, channel) {
        credited.push({ ...order, channel })
      },
      async takeBack(_ctx, order) {
        if (spent) throw new Refusal('INSUFFICIENT', 'spent')
        takenBack.push(order)
      },
    },
  }
  accounts = {
    wechat: await giveAccount(till, payee.id, 'wechat'),
    alipay: await giveAccount(till, payee.id, 'alipay'),
  }
})
after(() => till.stop())

const openFor = (agentId: number, payeeAgentId: number | null, amountFen = 8_800) =>
  actAsSystem(till.office.app.services, 'test', ctx =>
    openIntent(ctx, {
      asset: 'renewal',
      orderNo: `R${agentId}-${++next}`,
      amountFen,
      subject: '专业版续费1年',
      agentId,
      payeeAgentId,
      accountId: 0,
      accountName: '门店自助',
    }),
  )
const open = () => openFor(payee.id, payee.id)
const statusOf = async (queryId: string) =>
  (await till.one<{ status: string }>('select status from payment_intents where id = $1', [queryId])).status

test('the cashier shows the logo of whoever is paid, beside the name', async () => {
  const { queryId } = await open()
  const token = await till.token(queryId)
  const logo = async () => (await till.office.as(null).payments.cashier({ token })).payeeLogo
  assert.equal(await logo(), null)
  const { id } = await till.one<{ id: string }>(
    `insert into files (id, agent_id, purpose, mime, width, height, byte_size, created_by, created_at)
     values (gen_random_uuid(), $1, 'logo', 'image/webp', 1, 1, 1, 0, now()) returning id`,
    [payee.id],
  )
  await till.office.owner.query('update agents set logo_id = $2 where id = $1', [payee.id, id])
  assert.equal(await logo(), `/api/files/${id}`)
  await till.office.owner.query('update agents set logo_id = null where id = $1', [payee.id])
})

for (const channel of BOTH)
  test(`an order is paid by ${channel} to the agent's own account and credited once`, async () => {
    const { queryId, orderNo, channels } = await open()
    assert.deepEqual(channels, ['wechat', 'alipay'])
    const token = await till.token(queryId)
    const shown = await till.office.as(null).payments.cashier({ token })
    assert.deepEqual(
      [shown.payee, shown.channels.map(one => one.channel)],
      [`代理商${payee.id}`, ['wechat', 'alipay']],
    )
    await till.open(queryId, channel)
    await till.pay(queryId, channel)
    await till.work()
    await till.work()
    assert.equal(await statusOf(queryId), 'paid')
    assert.deepEqual(
      credited.filter(order => order.orderNo === orderNo),
      [{ intentId: queryId, orderNo, agentId: payee.id, payeeAgentId: payee.id, amountFen: 8_800, channel }],
    )
    const kept = await till.one('select settings_id, status from provider_events where out_trade_no = $1', [
      outTradeNo(queryId, channel),
    ])
    assert.deepEqual(kept, { settings_id: String(accounts[channel].settingsId), status: 'done' })
    if (channel === 'wechat') {
      const order = till.outside.simulators.wechat
        .orders()
        .find(one => one.outTradeNo === outTradeNo(queryId, channel))
      assert.equal(order?.party.mchid, till.outside.simulators.own.wechat.mchid)
      assert.match(order?.notifyUrl ?? '', /\/callbacks\/pay\/wechat\/key-/)
    }
  })

test('the same callback again, and one by polling, credit nothing more', async () => {
  const { queryId, orderNo } = await open()
  await till.open(queryId, 'alipay')
  await till.pay(queryId, 'alipay', { isTold: false })
  await till.hurry()
  await Promise.all([till.work(), till.work()])
  await till.hurry()
  await till.work()
  assert.equal(credited.filter(order => order.orderNo === orderNo).length, 1)
})

test('a callback of one account says nothing about the orders of another', async () => {
  const { queryId, amountFen } = await till.me.payments.startSms({ pieces: 100 })
  await till.open(queryId, 'alipay')
  const foreign = outTradeNo(queryId, 'alipay')
  // The agent orders the vendor's number at its own account, pays it there, and is called back with a right signature.
  const own = till.office.app.services.providers.own.alipay?.(till.outside.simulators.own.alipay)
  assert.ok(own)
  await own.create({
    outTradeNo: foreign,
    amountFen,
    subject: '冒充',
    expiresAt: new Date(Date.now() + 600_000).toISOString(),
    notifyUrl: `${till.office.url}/callbacks/pay/alipay/${accounts.alipay.callbackKey}`,
  })
  const { code_url: vendors } = await till.one<{ code_url: string }>(
    'select code_url from payment_attempts where out_trade_no = $1',
    [foreign],
  )
  const response = await fetch(`${till.outside.simulators.alipay.url}/__sim/orders`)
  const { orders } = (await response.json()) as { orders: { outTradeNo: string; codeUrl: string }[] }
  const forged = orders.find(order => order.outTradeNo === foreign && order.codeUrl !== vendors)
  assert.ok(forged)
  assert.ok(till.outside.simulators.alipay.pay({ code: forged.codeUrl, outcome: 'paid' }).ok)
  const event = () =>
    till.one('select status, settings_id from provider_events where out_trade_no = $1', [foreign])
  while (!(await event())) await new Promise(resolve => setTimeout(resolve, 10))
  await till.work()
  assert.deepEqual(await event(), { status: 'unmatched', settings_id: String(accounts.alipay.settingsId) })
  assert.equal(await statusOf(queryId), 'waiting')
})

test('a callback to an address that nobody has, or with the keys of another, is turned away', async () => {
  const post = (path: string) =>
    fetch(`${till.office.url}/callbacks/pay/${path}`, { method: 'POST', body: 'a=1' }).then(async answer => [
      answer.status,
      await answer.text(),
    ])
  assert.deepEqual(await post('alipay/nobodys'), [404, ''])
  // The key of another channel.
  assert.deepEqual(await post(`wechat/${accounts.alipay.callbackKey}`), [404, ''])
  assert.deepEqual(await post(`alipay/${accounts.alipay.callbackKey}`), [401, 'failure'])
})

test('a second payment goes back to the payer from the account it came to', async () => {
  const { queryId, orderNo } = await open()
  await till.open(queryId, 'wechat')
  await till.open(queryId, 'alipay')
  await Promise.all([till.pay(queryId, 'wechat'), till.pay(queryId, 'alipay')])
  await till.work()
  await till.refunded()
  const { status } = await till.one(
    `select r.status from payment_refunds r join payment_attempts a on a.id = r.attempt_id where a.intent_id = $1`,
    [queryId],
  )
  assert.equal(status, 'done')
  assert.equal(credited.filter(order => order.orderNo === orderNo).length, 1)
})

test('a refund takes back first, and is refused where that cannot be', async () => {
  const { queryId, orderNo } = await open()
  await till.open(queryId, 'wechat')
  await till.pay(queryId, 'wechat')
  await till.work()
  const again = () =>
    actAsSystem(till.office.app.services, 'test', ctx => refund(ctx, { id: queryId, reason: '重复' }))
  spent = true
  assert.equal(await refusalOf(again()), 'CREDIT_SPENT')
  spent = false
  await again()
  await till.refunded()
  assert.deepEqual(
    takenBack.map(order => order.orderNo),
    [orderNo],
  )
})

test('an agent is paid only by channels that are on, while the operator allows it', async () => {
  const set = (sql: string, id: number) => till.office.owner.query(sql, [id])
  await set('update payment_settings set enabled = false where id = $1', accounts.wechat.settingsId)
  assert.deepEqual((await open()).channels, ['alipay'])
  await set('update agents set pay_enabled = false where id = $1', payee.id)
  assert.equal(await refusalOf(open()), 'NO_CHANNEL')
  await set('update agents set pay_enabled = true where id = $1', payee.id)
  await set('update payment_settings set enabled = true where id = $1', accounts.wechat.settingsId)
  assert.equal(await refusalOf(openFor(till.agent.id, till.agent.id)), 'NO_CHANNEL')
})

test('what was ordered before the account was switched off is still settled', async () => {
  const { queryId } = await open()
  await till.open(queryId, 'wechat')
  await till.office.owner.query('update payment_settings set enabled = false where id = $1', [
    accounts.wechat.settingsId,
  ])
  await till.pay(queryId, 'wechat', { isTold: false })
  await till.hurry()
  await till.work()
  assert.equal(await statusOf(queryId), 'paid')
  await till.office.owner.query('update payment_settings set enabled = true where id = $1', [
    accounts.wechat.settingsId,
  ])
})

test("the vendor's bill and sums know nothing of it", async () => {
  const day = new Date(Date.now() + 28_800_000).toISOString().slice(0, 10)
  await till.office.owner.query(
    `insert into payment_reconciliations (channel, day, status, wanted_at, ask_at) values ('wechat', $1, 'wanted', now(), now())`,
    [day],
  )
  await till.work()
  const row = await till.one(
    'select status, our_payments, bill_payments, differences from payment_reconciliations',
    [],
  )
  assert.deepEqual(row, { status: 'done', our_payments: 0, bill_payments: 0, differences: 0 })
  const listed = await till.staff.paymentDesk.intents({ asset: 'renewal' })
  assert.ok(listed.total > 0)
  assert.deepEqual([listed.paidFen, listed.refundedFen], [0, 0])
  const { paid } = await till.staff.dashboard.office()
  assert.equal(
    paid.reduce((fen, { monthFen }) => fen + monthFen, 0),
    0,
  )
})
