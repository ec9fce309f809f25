// A chain's head renews itself and its branches online, as its agent would, and what it paid is what its agent's margin is reckoned by.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { type Client, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { giveAccount, openTill, type Till } from '#test/make-payments.ts'
import { makeShopCode, offerRenewals } from '#test/make-shop-pages.ts'
import { workOnRenewals } from './server-work.ts'

const CHAIN_VERSION = 3
const PRICE_FEN = 50_000
const DAY_MS = 86_400_000

let till: Till
let agent: MadeAgent
let me: Client
let account = 13_500_000_000
before(async () => {
  till = await openTill()
})
after(() => till.stop())
beforeEach(() => begin(10_000))

async function begin(tokens: number) {
  agent = await makeAgent(till.office, { tokens })
  me = till.office.as(await till.office.login(agent.loginName))
  await giveAccount(till, agent.id, 'wechat')
  await offerRenewals(till.office, agent.id, PRICE_FEN, [1, 2], CHAIN_VERSION)
}

const endsIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

/** A head that has bought a place more than it has branches; each ends on a day of its own. */
async function makeChain(branches = 2, columns: Record<string, unknown> = {}) {
  const make = (more: Record<string, unknown>) =>
    makeMerchant(till.office, agent.id, {
      ...{ account: String(++account), version_id: CHAIN_VERSION, expires_at: endsIn(9) },
      ...more,
    })
  const head = await make({ store_kind: 'head', shops_bought: branches + 1, ...columns })
  const below: number[] = []
  for (let i = 0; i < branches; i++)
    below.push(await make({ store_kind: 'branch', head_id: head, expires_at: endsIn(20 + i) }))
  return { head, branches: below, code: await makeShopCode(till.office, agent.id, head) }
}

const nobody = () => till.office.as(null)
const offersOf = async (code: string) => (await nobody().shopPages.page({ code })).renewal.offers
const work = () => workOnRenewals(till.office.app.services)
const termOf = async (id: number) => (await me.merchants.details({ id })).expiresAt as string
const termsOf = (ids: readonly number[]) => Promise.all(ids.map(termOf))
const yearLater = (instant: string) => `${Number(instant.slice(0, 4)) + 1}${instant.slice(4, 10)}`
const renewalOf = (orderNo: string) =>
  till.one<{
    state: string
    scope: string
    shops: number
    problem: string
    intent_id: string
    version_order_no: string
  }>(
    'select state, scope, shops, problem, intent_id, version_order_no from online_renewals where order_no = $1',
    [orderNo],
  )

async function pay(code: string, amountFen: number): Promise<string> {
  const { orderNo } = await nobody().shopPages.renew({ code, versionId: CHAIN_VERSION, years: 1, amountFen })
  const { intent_id } = await renewalOf(orderNo)
  await till.open(intent_id, 'wechat')
  await till.pay(intent_id, 'wechat')
  await till.work()
  return orderNo
}

test('a head is offered its whole chain for the price times its shops, pays that, and every shop ends a year later', async () => {
  const { head, branches, code } = await makeChain()
  const [offer] = await offersOf(code)
  assert.deepEqual(
    [offer?.scope, offer?.branches, offer?.branchesLeft, offer?.shops, offer?.amountFen],
    ['all', 2, 0, 3, 3 * PRICE_FEN],
  )
  const all = [head, ...branches]
  const before = await termsOf(all)
  const orderNo = await pay(code, 3 * PRICE_FEN)
  const intent = await till.one<{ amount_fen: string; subject: string }>(
    'select amount_fen, subject from payment_intents where id = $1',
    [(await renewalOf(orderNo)).intent_id],
  )
  assert.equal(Number(intent.amount_fen), 3 * PRICE_FEN)
  assert.match(intent.subject, /总店及全部分店/)
  await work()
  const renewed = await renewalOf(orderNo)
  assert.deepEqual([renewed.state, renewed.scope, renewed.shops], ['renewed', 'all', 3])
  assert.deepEqual(
    (await termsOf(all)).map(end => end.slice(0, 10)),
    before.map(yearLater),
  )
  const { rows } = await me.orders.list({ search: String(head) })
  assert.equal(rows.length, 1)
  const order = await till.one<{ purchase_code: number; effects: number }>(
    `select purchase_code, (select count(*)::int from version_order_effects e where e.order_id = o.id) as effects
     from version_orders o where order_no = $1`,
    [renewed.version_order_no],
  )
  assert.deepEqual([order.purchase_code, order.effects], [3, 3])
  await till.office.verifyLedger()
})

test('its margin is what it paid, whatever the price of that time, and stands without any price', async () => {
  const { head, code } = await makeChain()
  assert.equal((await me.dashboard.month()).profitFen, null)
  await pay(code, 3 * PRICE_FEN)
  await work()
  const totalCents = (await me.orders.list({ search: String(head) })).rows[0]?.totalCents ?? 0
  const margins = async () =>
    (await me.margins.orders({})).rows.map(({ sellingFen, profitFen }) => [sellingFen, profitFen])
  assert.deepEqual(await margins(), [[3 * PRICE_FEN, 3 * PRICE_FEN - totalCents]])
  assert.equal((await me.dashboard.month()).profitFen?.now.at(-1), 3 * PRICE_FEN - totalCents)
  const prices = { yearFen: 1, monthFen: null, lifetimeFen: null }
  await me.margins.setPrice({ versionId: CHAIN_VERSION, merchantId: null, ...prices })
  await pay(code, 3 * PRICE_FEN)
  await work()
  assert.deepEqual(
    (await margins()).map(([selling]) => selling),
    [3 * PRICE_FEN, 3 * PRICE_FEN],
  )
})

test('with tokens missing for the whole chain nothing of it is renewed, until the top-up renews all of it', async () => {
  await begin(10)
  const { head, branches, code } = await makeChain()
  const all = [head, ...branches]
  const before = await termsOf(all)
  const orderNo = await pay(code, 3 * PRICE_FEN)
  await work()
  assert.equal((await renewalOf(orderNo)).state, 'short')
  assert.deepEqual(await termsOf(all), before)
  await till.staff.ledger.credit({ agentId: agent.id, asset: 'token', amount: 1_000_000, reason: '充值' })
  await work()
  assert.equal((await renewalOf(orderNo)).state, 'renewed')
  assert.deepEqual(
    (await termsOf(all)).map(end => end.slice(0, 10)),
    before.map(yearLater),
  )
  await till.office.verifyLedger()
})

const set = (text: string, id: number | undefined) => till.office.owner.query(text, [id])
const LEFT: [what: string, change: (branch: number | undefined) => Promise<unknown>][] = [
  ['disabled', branch => set(`update merchants set status = 'disabled' where id = $1`, branch)],
  ['permanent', branch => set('update merchants set expires_at = null where id = $1', branch)],
]
for (const [what, change] of LEFT) {
  test(`with a branch that is ${what} the head alone is offered, and the page says what is left out`, async () => {
    const { branches, code } = await makeChain(2, { shops_bought: 4 })
    await change(branches[0])
    const [offer] = await offersOf(code)
    // The head, and the place that it has no branch for yet.
    assert.deepEqual(
      [offer?.scope, offer?.branches, offer?.branchesLeft, offer?.shops, offer?.amountFen],
      ['head', 0, 2, 2, 2 * PRICE_FEN],
    )
    const whole = nobody().shopPages.renew({
      code,
      versionId: CHAIN_VERSION,
      years: 1,
      amountFen: 4 * PRICE_FEN,
    })
    assert.equal(await refusalOf(whole), 'PRICE_CHANGED')
  })

  test(`a branch that is ${what} after its head paid stops the whole, in words`, async () => {
    const { head, branches, code } = await makeChain()
    const orderNo = await pay(code, 3 * PRICE_FEN)
    const before = await termOf(head)
    await change(branches[1])
    await work()
    const { state, problem } = await renewalOf(orderNo)
    assert.deepEqual([state, await termOf(head)], ['stuck', before])
    assert.match(problem, /分店/)
  })
}

test('another branch since it paid stops the renewal, since it is another price', async () => {
  const { head, code } = await makeChain()
  const orderNo = await pay(code, 3 * PRICE_FEN)
  await makeMerchant(till.office, agent.id, {
    ...{ account: String(++account), version_id: CHAIN_VERSION, expires_at: endsIn(30) },
    ...{ store_kind: 'branch', head_id: head },
  })
  await work()
  const { state, problem } = await renewalOf(orderNo)
  assert.equal(state, 'stuck')
  assert.match(problem, /店铺数/)
})

test('a branch renews itself alone at its own page', async () => {
  const { branches } = await makeChain()
  const code = await makeShopCode(till.office, agent.id, branches[0] ?? 0)
  const [offer] = await offersOf(code)
  assert.deepEqual([offer?.scope, offer?.branchesLeft, offer?.amountFen], ['head', 0, PRICE_FEN])
})
