import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice } from '#test/app.ts'
import { copyQuotes } from '#test/faults/quotes.ts'
import { type MadeAgent, makeAccount, makeAgent, newMerchantForm } from '#test/make.ts'
import { call } from '#test/walk.ts'
import { OPEN_QUOTES_MAX, ORDER_REFUSALS, ORDER_STATUSES, SALES_TYPES } from './rules.ts'

const QUOTE = { method: 'POST', path: '/merchants/quotes' }

let office: Office
let agent: MadeAgent
let me: Client

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 10_000, levelId: 3 })
  me = office.as(await office.login(agent.loginName))
})
after(() => office.stop())

async function orderOf(orderNo: string): Promise<Record<string, unknown>> {
  const { rows } = await office.owner.query(
    `select sales_type, status, version_id, term, periods, shops, branches, unit, unit_cents::int, original_cents::int,
       discount_basis_points, total_cents::int, content, pay_method, merchant_id, created_by::int, paid_at, agent_id::int
     from version_orders where order_no = $1`,
    [orderNo],
  )
  return rows[0]
}

test('a quote is an order with its priced line that waits for its confirm', async () => {
  const quote = await me.selling.quote(
    newMerchantForm({ versionId: 3, periods: 2, branches: 3, shopName: '订单面馆' }),
  )
  assert.deepEqual(await orderOf(quote.orderNo), {
    sales_type: 'new',
    status: 'quoted',
    version_id: 3,
    term: 'year',
    periods: 2,
    shops: 1,
    branches: 3,
    unit: '年',
    unit_cents: 39_800,
    original_cents: 318_400,
    discount_basis_points: 6_000,
    total_cents: 191_040,
    content: '新增商户 订单面馆 连锁版',
    pay_method: 'balance',
    merchant_id: null,
    created_by: agent.accountId,
    paid_at: null,
    agent_id: agent.id,
  })
  const { id } = await me.selling.add({ orderNo: quote.orderNo })
  const order = await orderOf(quote.orderNo)
  assert.deepEqual([order.status, Number(order.merchant_id)], ['paid', id])
  assert.ok(Date.now() - (order.paid_at as Date).getTime() < 60_000)
})

test('so many quotes of an account may be open, and what is too many is told with the way out', async () => {
  const agency = await makeAgent(office, { tokens: 10_000, levelId: 3 })
  const colleague = await makeAccount(office, agency.id, { nodeIds: [21] })
  const cookie = await office.login(agency.loginName)
  const quote = () => call(office.app, cookie, QUOTE, newMerchantForm())
  const { orderNo } = await office.as(cookie).selling.quote(newMerchantForm())
  await copyQuotes(office.owner, orderNo, OPEN_QUOTES_MAX - 2)
  assert.equal((await quote()).status, 200)
  const refused = await quote()
  assert.deepEqual([refused.status, refused.code], [429, 'TOO_MANY_OPEN'])
  assert.match(refused.message ?? '', /已有500个.*作废/)
  const waits = Number(refused.headers['retry-after'])
  assert.ok(waits > 86_000 && waits <= 86_400, `until the oldest is over: ${waits}`)
  const ofColleague = await office.login(colleague.loginName)
  assert.equal((await call(office.app, ofColleague, QUOTE, newMerchantForm())).status, 200)
  await office.as(cookie).orders.discard({ orderNo })
  assert.equal((await quote()).status, 200)
  assert.equal((await quote()).code, 'TOO_MANY_OPEN')
  await office.owner.query(
    `update version_orders set created_at = created_at - interval '1 day' where created_by = $1`,
    [agency.accountId],
  )
  assert.equal((await quote()).status, 200)
})

test('order numbers sort by time and differ in the eight characters that lists show', async () => {
  const hour = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 13).replace(/\D/g, '')
  const before = hour()
  const { rows } = await office.owner.query<{ no: string }>(
    'select next_order_no() as no from generate_series(1, 1000)',
  )
  const numbers = rows.map(row => row.no)
  assert.deepEqual(numbers, numbers.toSorted())
  assert.equal(new Set(numbers.map(number => number.slice(-8))).size, 1_000)
  for (const number of numbers) assert.match(number, /^\d{22}$/)
  assert.ok([before, hour()].includes(numbers[0]?.slice(0, 10) as string), 'the hour of Shanghai')
})

test('states, sales types and refusals are named as the documents name them', () => {
  assert.deepEqual(SALES_TYPES, { new: '新增', renew: '续费', upgrade: '升级' })
  assert.equal(ORDER_STATUSES.recycled, '已撤销')
  assert.equal(ORDER_REFUSALS.QUOTE_UNKNOWN, '下单失败！请刷新后重试')
})
