// A shop renews itself and pays its agent: the money is on both sides of the books, once, also where tokens are missing, somebody
// dies in between, or the shop is another by then.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { type Client, refusalOf } from '#test/app.ts'
import { credit, type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { giveAccount, openTill, outTradeNo, type Till } from '#test/make-payments.ts'
import { makeShopCode, offerRenewals } from '#test/make-shop-pages.ts'
import { ORDERS_PER_HOUR } from './rules.ts'
import { workOnRenewals } from './server-work.ts'

let till: Till
let agent: MadeAgent
let me: Client
let account = 13_700_000_000
before(async () => {
  till = await openTill()
})
after(() => till.stop())
beforeEach(async () => {
  agent = await makeAgent(till.office, { tokens: 10_000 })
  me = till.office.as(await till.office.login(agent.loginName))
  await giveAccount(till, agent.id, 'wechat')
  await giveAccount(till, agent.id, 'alipay')
  await offerRenewals(till.office, agent.id, 39_900, [1, 2])
})

type Shop = { merchantId: number; code: string; expiresAt: string }

async function makeShop(columns: Record<string, unknown> = {}): Promise<Shop> {
  const expiresAt = new Date(Date.now() + 9.5 * 86_400_000).toISOString()
  const more = { account: String(++account), expires_at: expiresAt, version_id: 12, ...columns }
  const merchantId = await makeMerchant(till.office, agent.id, more)
  return { merchantId, code: await makeShopCode(till.office, agent.id, merchantId), expiresAt }
}

const nobody = () => till.office.as(null)
const order = ({ code }: Shop, years = 1, amountFen = 39_900 * years) =>
  nobody().shopPages.renew({ code, versionId: 12, years, amountFen })
const stateOf = async (orderNo: string) =>
  (await till.one<{ state: string }>('select state from online_renewals where order_no = $1', [orderNo]))
    .state
const intentOf = async (orderNo: string) =>
  (
    await till.one<{ id: string }>('select intent_id as id from online_renewals where order_no = $1', [
      orderNo,
    ])
  ).id

/** Orders and pays; what comes of it is left to the program. */
async function pay(shop: Shop, years = 1): Promise<string> {
  const { orderNo } = await order(shop, years)
  const intent = await intentOf(orderNo)
  await till.open(intent, 'wechat')
  await till.pay(intent, 'wechat')
  await till.work()
  return orderNo
}
const work = () => workOnRenewals(till.office.app.services)
const tokens = async () => (await me.ledger.wallet()).tokenCents
const termOf = async ({ merchantId }: Shop) =>
  (await me.merchants.details({ id: merchantId })).expiresAt as string
const noticesOf = async () => (await me.notices.list({ size: 50 })).rows.map(({ title }) => title)
const yearsBetween = (from: string, to: string) =>
  new Date(to).getUTCFullYear() - new Date(from).getUTCFullYear()

test('the page offers what its agent sells of the shop’s own version, and nothing while it is switched off', async () => {
  const shop = await makeShop({ shops_bought: 2 })
  const offers = async () => (await nobody().shopPages.page({ code: shop.code })).renewal.offers
  assert.deepEqual(
    (await offers()).map(({ years, shops, amountFen }) => [years, shops, amountFen]),
    [
      [1, 2, 79_800],
      [2, 2, 159_600],
    ],
  )
  const permanent = await makeShop({ version_id: 1, expires_at: null })
  assert.deepEqual((await nobody().shopPages.page({ code: permanent.code })).renewal.offers, [])
  await till.office.owner.query('update payment_settings set enabled = false where agent_id = $1', [agent.id])
  assert.deepEqual(await offers(), [])
  const { refusal, revision } = await me.shopPages.offer()
  assert.equal(refusal?.code, 'PAYMENT_OFF')
  const prices = [{ versionId: 12, years: 1, priceFen: 100 }]
  assert.equal(await refusalOf(me.shopPages.setOffer({ enabled: true, prices, revision })), 'PAYMENT_OFF')
})

test('a paid renewal takes the agent’s tokens once, and stands in orders, bills and the log like any other', async () => {
  const shop = await makeShop()
  const before = await tokens()
  const orderNo = await pay(shop)
  assert.equal(await stateOf(orderNo), 'paid')
  await work()
  await work()
  assert.equal(await stateOf(orderNo), 'renewed')
  assert.equal(yearsBetween(shop.expiresAt, await termOf(shop)), 1)
  const { rows } = await me.orders.list({ search: String(shop.merchantId) })
  assert.equal(rows.length, 1)
  const [bought] = rows
  assert.equal(await tokens(), before - (bought?.totalCents ?? 0))
  assert.ok((bought?.totalCents ?? 0) > 0)
  assert.equal(bought?.remark, `在线续费 ${orderNo}`)
  const [listed] = (await me.shopPages.renewals({})).rows
  assert.deepEqual(
    [listed?.orderNo, listed?.versionOrderNo, listed?.amountFen, listed?.payMethod],
    [orderNo, bought?.orderNo, 39_900, 'wechat'],
  )
  const { rows: logged } = await till.office.owner.query<{ account_name: string }>(
    `select account_name from operation_logs where agent_id = $1 and $2 = any(objects)`,
    [agent.id, `order:${bought?.orderNo}`],
  )
  assert.deepEqual(
    logged.map(({ account_name }) => account_name),
    ['系统'],
  )
  assert.deepEqual((await me.orderDetails.find({ orderNo })).state.text, '已续费')
  // The money came to the agent's own account: nothing of it is the vendor's.
  const attempt = await till.one<{ settings_id: string | null }>(
    'select settings_id from payment_attempts where intent_id = $1',
    [await intentOf(orderNo)],
  )
  assert.ok(attempt.settings_id)
  assert.ok((await noticesOf()).includes('门店在线续费成功'))
  await till.office.verifyLedger()
})

test('where tokens are missing it waits, the shop and the agent are told, and a top-up completes it by itself', async () => {
  agent = await makeAgent(till.office, { tokens: 10 })
  me = till.office.as(await till.office.login(agent.loginName))
  await giveAccount(till, agent.id, 'wechat')
  await offerRenewals(till.office, agent.id, 39_900)
  const shop = await makeShop()
  const orderNo = await pay(shop)
  await work()
  assert.equal(await stateOf(orderNo), 'short')
  assert.equal(await tokens(), 1_000)
  assert.equal(await termOf(shop), shop.expiresAt)
  assert.equal((await me.orders.list({ search: String(shop.merchantId) })).rows.length, 0)
  const { owed } = (await nobody().shopPages.page({ code: shop.code })).renewal
  assert.deepEqual(
    owed.map(({ orderNo, state }) => [orderNo, state]),
    [[orderNo, 'short']],
  )
  await work()
  assert.equal((await noticesOf()).filter(title => title === '在线续费待充值').length, 1)
  const operator = till.staff
  await operator.ledger.credit({ agentId: agent.id, asset: 'token', amount: 100_000, reason: '充值' })
  await work()
  assert.equal(await stateOf(orderNo), 'renewed')
  assert.equal(yearsBetween(shop.expiresAt, await termOf(shop)), 1)
  assert.deepEqual((await nobody().shopPages.page({ code: shop.code })).renewal.owed, [])
  await till.office.verifyLedger()
})

test('two programs at once, and one that dies before its commit, renew once', async () => {
  const shop = await makeShop()
  const orderNo = await pay(shop)
  await Promise.all([work(), work(), work()])
  for (let i = 0; i < 3; i++) await work()
  assert.equal(await stateOf(orderNo), 'renewed')
  assert.equal((await me.orders.list({ search: String(shop.merchantId) })).rows.length, 1)
  assert.equal(yearsBetween(shop.expiresAt, await termOf(shop)), 1)
})

test('a failure of our own leaves nothing behind, is told, and is tried again later', async () => {
  const shop = await makeShop()
  const orderNo = await pay(shop)
  const before = await tokens()
  await till.office.owner.query('revoke execute on function log_operation(jsonb) from partner_office_app')
  await work()
  await till.office.owner.query('grant execute on function log_operation(jsonb) to partner_office_app')
  assert.deepEqual([await stateOf(orderNo), await tokens()], ['paid', before])
  const row = await till.one<{ tries: number; later: boolean }>(
    'select tries, try_at > now() as later from online_renewals where order_no = $1',
    [orderNo],
  )
  assert.deepEqual([row.tries, row.later], [1, true])
  await till.office.owner.query(
    `update online_renewals set try_at = now() - interval '1 second' where order_no = $1`,
    [orderNo],
  )
  await work()
  assert.equal(await stateOf(orderNo), 'renewed')
})

const CHANGED: [what: string, change: (shop: Shop) => Promise<unknown>, problem: RegExp][] = [
  [
    'disabled',
    ({ merchantId }) =>
      till.office.owner.query(`update merchants set status = 'disabled' where id = $1`, [merchantId]),
    /禁用/,
  ],
  [
    'moved to another agent',
    async ({ merchantId }) => {
      const { id } = await makeAgent(till.office)
      await till.office.owner.query('update merchants set agent_id = $2 where id = $1', [merchantId, id])
    },
    /已转至其他服务商/,
  ],
  [
    'given more shops',
    ({ merchantId }) =>
      till.office.owner.query('update merchants set shops_bought = 3 where id = $1', [merchantId]),
    /店铺数/,
  ],
  [
    'made permanent',
    ({ merchantId }) =>
      till.office.owner.query('update merchants set version_id = 1, expires_at = null where id = $1', [
        merchantId,
      ]),
    /./,
  ],
]
for (const [what, change, problem] of CHANGED)
  test(`a shop that was ${what} after it paid waits for people, takes no tokens, and gets its money back`, async () => {
    const shop = await makeShop()
    const orderNo = await pay(shop)
    const before = await tokens()
    await change(shop)
    await work()
    const [row] = (await me.shopPages.renewals({ state: 'stuck' })).rows
    assert.equal(row?.orderNo, orderNo)
    assert.match(row?.problem ?? '', problem)
    assert.equal(await tokens(), before)
    assert.ok((await noticesOf()).includes('在线续费待处理'))
    const { amountFen } = await me.shopPages.refund({ orderNo, reason: '商户要求' })
    assert.equal(amountFen, 39_900)
    assert.equal(await stateOf(orderNo), 'refunded')
    await till.refunded()
    const refund = await till.one<{ status: string }>(
      'select r.status from payment_refunds r join payment_attempts a on a.id = r.attempt_id where a.out_trade_no = $1',
      [outTradeNo(await intentOf(orderNo), 'wechat')],
    )
    assert.equal(refund.status, 'done')
    assert.equal(await refusalOf(me.shopPages.refund({ orderNo, reason: '再退' })), 'REFUNDED')
    await work()
    assert.equal(await stateOf(orderNo), 'refunded')
  })

test('what stopped is tried again on demand; what was renewed is refunded only once it is undone', async () => {
  const shop = await makeShop()
  const orderNo = await pay(shop)
  const { merchantId } = shop
  await till.office.owner.query(`update merchants set status = 'disabled' where id = $1`, [merchantId])
  await work()
  assert.equal(await stateOf(orderNo), 'stuck')
  await till.office.owner.query(`update merchants set status = 'normal' where id = $1`, [merchantId])
  await me.shopPages.retry({ orderNo })
  await work()
  assert.equal(await stateOf(orderNo), 'renewed')
  assert.equal(await refusalOf(me.shopPages.retry({ orderNo })), 'RETRY_NOT_WANTED')
  assert.equal(await refusalOf(me.shopPages.refund({ orderNo, reason: '商户要求' })), 'REFUND_RENEWED')
  const versionOrderNo = (await me.shopPages.renewals({})).rows[0]?.versionOrderNo ?? ''
  await till.staff.aftersales.cancel({ orderNo: versionOrderNo, reason: '商户退款' } as never)
  await me.shopPages.refund({ orderNo, reason: '商户要求' })
  assert.equal(await stateOf(orderNo), 'refunded')
  await till.office.verifyLedger()
})

test('a second press shows the first order; another price, another version and too many orders are refused', async () => {
  const shop = await makeShop()
  const first = await order(shop)
  assert.equal((await order(shop)).orderNo, first.orderNo)
  assert.match(first.payUrl, /\/c\/[\w-]{20,}$/)
  assert.equal(await refusalOf(order(shop, 1, 1)), 'PRICE_CHANGED')
  assert.equal(await refusalOf(order(shop, 3)), 'RENEWAL_NOT_OFFERED')
  const cashier = await nobody().payments.cashier({ token: first.payUrl.split('/').at(-1) as string })
  assert.equal(cashier.payee, `代理商${agent.id}`)
  const age = `update payment_intents set expires_at = now() + interval '1 minute' where id in (select intent_id from online_renewals where merchant_id = $1)`
  let refused = ''
  for (let i = 0; i < ORDERS_PER_HOUR && refused === ''; i++) {
    await till.office.owner.query(age, [shop.merchantId])
    const answer = await refusalOf(order(shop))
    if (answer !== 'accepted') refused = answer
  }
  assert.equal(refused, 'RENEWALS_TOO_MANY')
})

test('what nobody pays ends by itself; what is paid after its end is renewed all the same', async () => {
  const shop = await makeShop()
  const { orderNo } = await order(shop)
  const intent = await intentOf(orderNo)
  await till.open(intent, 'alipay')
  await till.end(intent)
  await till.office.owner.query(
    `update online_renewals set created_at = created_at - interval '1 hour' where order_no = $1`,
    [orderNo],
  )
  await work()
  assert.equal(await stateOf(orderNo), 'expired')
  assert.equal((await me.shopPages.renewals({})).rows.length, 0, 'what nobody paid is folded away')
  assert.equal((await me.shopPages.renewals({ unpaid: true })).rows.length, 1)
  await till.pay(intent, 'alipay', { late: true })
  await till.work()
  await work()
  assert.equal(await stateOf(orderNo), 'renewed')
})

test('an offer is set with a fresh look, says what it costs, and its changes are readable', async () => {
  const { revision, versions } = await me.shopPages.offer()
  const advanced = versions.find(({ id }) => id === 12)
  assert.ok((advanced?.yearCents ?? 0) > 0)
  const prices = [{ versionId: 12, years: 1, priceFen: 45_000 }]
  await me.shopPages.setOffer({ enabled: true, prices, revision })
  assert.equal(await refusalOf(me.shopPages.setOffer({ enabled: true, prices, revision })), 'STALE')
  const log = await till.one<{ changes: unknown }>(
    `select changes from operation_logs where agent_id = $1 and title = '设置在线续费' order by id desc limit 1`,
    [agent.id],
  )
  assert.deepEqual(log.changes, [
    { name: '高级版 1 年', before: '399.00 元', after: '450.00 元' },
    { name: '高级版 2 年', before: '798.00 元', after: null },
  ])
  await credit(till.office, agent.id, 'token', 1)
})
