// What is to be done today counts the rows of the list that it opens; with nothing to do it is empty.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { addDays, endOfDay, formatDay } from '#kit/time.ts'
import { type Client, type Office, openOffice } from '#test/app.ts'
import { makeAccount, makeAgent, makeMerchant, makeMerchants } from '#test/make.ts'
import { writeOrder } from '#test/make-hardware.ts'
import { phoneFor, sendAll } from '#test/make-messages.ts'
import { renewShop } from '#test/make-settlement.ts'

let office: Office
let operator: Client
before(async () => {
  office = await openOffice()
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
})
after(() => office.stop())

const today = formatDay(new Date())
const endsIn = (days: number) => new Date(endOfDay(addDays(today, days)).getTime() - 1).toISOString()

async function itemsOf(who: Client) {
  const { items } = await who.dashboard.todo()
  return Object.fromEntries(items.map(({ key, ...item }) => [key, item]))
}

test('an agent that has enough and whose shops run on has nothing to do', async () => {
  const agent = await makeAgent(office, { tokens: 10_000, sms: 5_000 })
  const me = office.as(await office.login(agent.loginName))
  await makeMerchant(office, agent.id, { expires_at: endsIn(200) })
  assert.deepEqual(await itemsOf(me), {})
})

test('shops that end within a week are worth what a year of them costs, as the desk has them, until they are renewed', async () => {
  const agent = await makeAgent(office, { tokens: 100_000, sms: 5_000 })
  const other = await makeAgent(office)
  const me = office.as(await office.login(agent.loginName))
  await makeMerchants(office, agent.id, 3, n => ({ expiresAt: endsIn(n), shopsBought: n }))
  await makeMerchant(office, agent.id, { expires_at: endsIn(9) })
  await makeMerchant(office, agent.id, { expires_at: endsIn(2), status: 'disabled' })
  await makeMerchant(office, other.id, { expires_at: endsIn(2) })
  const soon = await makeMerchant(office, agent.id, { expires_at: endsIn(2) })
  const desk = await me.renewals.desk({ window: '7' })
  const yearly = desk.rows.reduce((sum, row) => sum + (row.yearCents ?? 0), 0)
  assert.ok(yearly > 0)
  const { expiring } = await itemsOf(me)
  assert.deepEqual(expiring, { count: desk.total, capped: false, cents: yearly, oldestAt: null })
  await renewShop(me, soon)
  assert.equal((await itemsOf(me)).expiring?.count, desk.total - 1)
})

test('a low balance is one below what the account wants to be warned of', async () => {
  const agent = await makeAgent(office, { tokens: 499, sms: 499 })
  const me = office.as(await office.login(agent.loginName))
  const { tokensLow, smsLow } = await itemsOf(me)
  assert.deepEqual([tokensLow?.count, smsLow?.count], [49_900, 499])
  const { topics } = await me.notices.preferences()
  await me.notices.setPreferences({ topics, thresholds: { tokenCents: 1_000, sms: null, expiringDays: 7 } })
  assert.deepEqual(await itemsOf(me), {})
})

test('a message that failed waits until it was sent again', async () => {
  const agent = await makeAgent(office, { tokens: 10_000, sms: 5_000 })
  const me = office.as(await office.login(agent.loginName))
  const merchantId = await makeMerchant(office, agent.id, { account: phoneFor('0001') })
  await operator.messageDesk.remind({ merchantIds: [merchantId] })
  await sendAll(office)
  const failed = { count: 1, capped: false, cents: null, oldestAt: null }
  await office.owner.query(
    `update outbox_messages set agent_id = $1, status = 'failed' where merchant_id = $2`,
    [agent.id, merchantId],
  )
  assert.deepEqual(await itemsOf(me), { resend: failed })
  const list = await me.messageDesk.log({ status: 'failed', isReissued: false })
  assert.equal(list.total, 1)
  await office.owner.query('update outbox_messages set resent_as = id where merchant_id = $1', [merchantId])
  assert.deepEqual(await itemsOf(me), {})
  assert.equal((await me.messageDesk.log({ status: 'failed', isReissued: true })).total, 1)
  assert.equal((await me.messageDesk.log({ status: 'failed', isReissued: false })).total, 0)
})

test('goods wait for staff until they are sent, and for their agent until they arrive', async () => {
  const agent = await makeAgent(office, { tokens: 10_000, sms: 5_000 })
  const me = office.as(await office.login(agent.loginName))
  const before = (await itemsOf(operator)).ship?.count ?? 0
  await writeOrder(office, agent, { contactName: '李四', status: 'awaitingShipment' })
  assert.deepEqual(await itemsOf(me), {})
  const { ship } = await itemsOf(operator)
  assert.equal(ship?.count, before + 1)
  assert.ok(ship.oldestAt !== null)
  await writeOrder(office, agent, { contactName: '李四', status: 'shipped' })
  assert.equal((await itemsOf(me)).receive?.count, 1)
})

test('a sub-user is told of what its role lets it open', async () => {
  const agent = await makeAgent(office, { tokens: 1, sms: 1 })
  await makeMerchant(office, agent.id, { expires_at: endsIn(2) })
  const { loginName } = await makeAccount(office, agent.id, { nodeIds: [27] })
  assert.deepEqual(await itemsOf(office.as(await office.login(loginName))), {})
  assert.deepEqual(Object.keys(await itemsOf(office.as(await office.login(agent.loginName)))), [
    'expiring',
    'tokensLow',
    'smsLow',
  ])
})

test('the month is what its lists hold, and renewals are counted among the terms that ended', async () => {
  const agent = await makeAgent(office, { tokens: 10_000, sms: 500 })
  const me = office.as(await office.login(agent.loginName))
  const expires_at = new Date(endOfDay(today).getTime() - 1).toISOString()
  const registered_at = '2025-01-01T04:00:00Z'
  const [renewed] = [
    await makeMerchant(office, agent.id, { expires_at, registered_at }),
    await makeMerchant(office, agent.id, { expires_at, registered_at }),
  ]
  const { totalCents } = await renewShop(me, renewed)
  const month = await me.dashboard.month()
  assert.deepEqual(
    [
      month.salesCents.now.at(-1),
      month.registered.now.at(-1),
      month.due?.now.at(-1),
      month.renewed?.now.at(-1),
    ],
    [totalCents, 0, 2, 1],
  )
  assert.equal(month.salesCents.now.length, Number(today.slice(8)))
  const staffs = await operator.dashboard.month()
  assert.deepEqual([staffs.due, staffs.renewed], [null, null])
})

test('money in is what the list of payments holds, and a sound ledger has no drift', async () => {
  assert.equal((await operator.dashboard.office()).drift, 0)
  const agent = await makeAgent(office)
  await office.owner.query(
    `insert into payment_intents (id, agent_id, account_id, account_name, business_type, asset, order_no, amount_fen, subject, token,
       display_until, status, paid_by, created_at, expires_at, paid_at)
     select 'p' || n, $1, $2, '张三', 11, 'sms', 'o' || n, 100 * n, '充值', 't' || n, now(), s, 'wechat', now(), now(), now()
     from (values (1, 'paid'), (2, 'paid'), (4, 'failed')) as made (n, s)`,
    [agent.id, agent.accountId],
  )
  const { paid } = await operator.dashboard.office()
  const wechat = paid.find(({ channel }) => channel === 'wechat')
  assert.deepEqual(wechat, { channel: 'wechat', todayFen: 300, todayCount: 2, monthFen: 300, monthCount: 2 })
  const list = await operator.paymentDesk.intents({
    status: 'paid',
    channel: 'wechat',
    from: today,
    to: today,
  })
  assert.equal(list.total, 2)
})
