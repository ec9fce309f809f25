// Which partners may sell a version (is_authority, D2 §6): each way of selling one asks, and refuses in the same words.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { workOnRenewals } from '#features/sales/shop-pages/server-work.ts'
import { type Client, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { giveAccount, openTill, type Till } from '#test/make-payments.ts'
import { makeShopCode, offerRenewals } from '#test/make-shop-pages.ts'
import { rowsOfAllTables } from '#test/rows.ts'

const CODE = 'VERSION_NOT_AUTHORIZED'
const [ADVANCED, CHAIN, OLD, PACK] = [12, 3, 4, 78]
const reason = '客户要求'
const EXPIRES = new Date(Date.now() + 40 * 86_400_000).toISOString()

let till: Till
let agent: MadeAgent
let named: MadeAgent
let me: Client
let them: Client
let staff: Client

before(async () => {
  till = await openTill()
  const { office } = till
  agent = await makeAgent(office, { tokens: 50_000, sms: 10 })
  named = await makeAgent(office, { tokens: 50_000, sms: 10 })
  const vendor = await makeAgent(office, { staff: true })
  me = office.as(await office.login(agent.loginName))
  them = office.as(await office.login(named.loginName))
  staff = office.as(await office.login(vendor.loginName))
})
after(() => till.stop())

const shopOf = (agentId: number, columns: Record<string, unknown> = {}) =>
  makeMerchant(till.office, agentId, { version_id: ADVANCED, expires_at: EXPIRES, ...columns })
const purchase = (merchantId: number, versionId: number) => ({
  ...{ merchantId, versionId, scope: 'head' as const, branchIds: [], term: 'year' as const },
  ...{ periods: 1, shops: 1, remark: '' },
})
const bulk = (merchantIds: number[]) => ({ merchantIds, term: 'year' as const, periods: 1, remark: '' })

/** `sellers` of these versions, naming these agents, while `work` runs. */
async function sold(sellers: 'only' | 'except', agents: number[], work: () => Promise<void>): Promise<void> {
  const { owner } = till.office
  const ids = [ADVANCED, CHAIN, OLD, PACK]
  await owner.query('update versions set sellers = $1 where id = any($2)', [sellers, ids])
  await owner.query(
    'insert into version_sellers (version_id, agent_id) select v, a from unnest($1::int[]) v, unnest($2::bigint[]) a',
    [ids, agents],
  )
  try {
    await work()
  } finally {
    await owner.query('delete from version_sellers')
    await owner.query(`update versions set sellers = 'all'`)
  }
}

const RULES: ['only' | 'except', () => number[]][] = [
  ['only', () => [named.id]],
  ['except', () => [agent.id]],
]
for (const [sellers, agents] of RULES)
  test(`where a version is for ${sellers} some, every way of selling it refuses the others alone`, async () => {
    const shop = await shopOf(agent.id)
    const sale = await me.selling.quote(newMerchantForm({ versionId: ADVANCED }))
    const renewal = await me.purchases.quote(purchase(shop, ADVANCED))
    const change = await me.purchases.quote(purchase(await shopOf(agent.id), PACK))
    const kept = await shopOf(agent.id, { version_id: ADVANCED })
    const batch = await me.purchases.bulkQuote(bulk([kept]))
    const old = await shopOf(agent.id, { version_id: OLD })
    const { shop: found } = await staff.aftersales.extendFind({ search: String(old) })
    const offer = await me.shopPages.offer()
    await sold(sellers, agents(), async () => {
      const before = await rowsOfAllTables(till.office)
      const prices = [{ versionId: ADVANCED, years: 1, priceFen: 100 }]
      const ways: Record<string, () => Promise<unknown>> = {
        'a new shop': () => me.selling.quote(newMerchantForm({ versionId: ADVANCED })),
        'a new shop that was quoted': () => me.selling.add({ orderNo: sale.orderNo }),
        renewal: () => me.purchases.quote(purchase(shop, ADVANCED)),
        'renewal that was quoted': () => me.purchases.confirm({ orderNo: renewal.orderNo }),
        change: () => me.purchases.quote(purchase(shop, PACK)),
        'change that was quoted': () => me.purchases.confirm({ orderNo: change.orderNo }),
        'price of a renewal online': () =>
          me.shopPages.setOffer({ enabled: false, revision: offer.revision, prices }),
        adjustment: () =>
          staff.aftersales.adjustVersion({
            ...{ id: old, revision: found?.revision ?? 0, versionId: CHAIN, reason },
          }),
      }
      for (const [way, call] of Object.entries(ways)) assert.equal(await refusalOf(call()), CODE, way)
      assert.equal(await refusalOf(me.purchases.bulkConfirm({ batchNo: batch.batchNo })), 'NOTHING_PAYABLE')
      assert.deepEqual(await rowsOfAllTables(till.office), before)
      const quoted = await me.purchases.bulkQuote(bulk([kept]))
      assert.deepEqual(
        quoted.lines.map(line => line.refusal?.code),
        [CODE],
      )
      const theirs = await shopOf(named.id)
      assert.equal(await refusalOf(them.selling.quote(newMerchantForm({ versionId: ADVANCED }))), 'accepted')
      assert.equal(await refusalOf(them.purchases.quote(purchase(theirs, PACK))), 'accepted')
    })
    assert.equal(await refusalOf(me.purchases.confirm({ orderNo: renewal.orderNo })), 'accepted')
  })

test('what a shop paid online for such a version is left to people, with the reason', async () => {
  const { office } = till
  const payee = await makeAgent(office, { tokens: 10_000 })
  const mine = office.as(await office.login(payee.loginName))
  await giveAccount(till, payee.id, 'wechat')
  await offerRenewals(office, payee.id, 39_900, [1])
  const merchantId = await shopOf(payee.id)
  const code = await makeShopCode(office, payee.id, merchantId)
  const ask = { code, versionId: ADVANCED, years: 1, amountFen: 39_900 }
  const { orderNo } = await office.as(null).shopPages.renew(ask)
  const { id } = await till.one<{ id: string }>(
    'select intent_id as id from online_renewals where order_no = $1',
    [orderNo],
  )
  await till.open(id, 'wechat')
  await till.pay(id, 'wechat')
  await sold('only', [named.id], async () => {
    await till.work()
    await workOnRenewals(office.app.services)
    assert.deepEqual((await office.as(null).shopPages.page({ code })).renewal.offers, [])
  })
  const { rows } = await mine.shopPages.renewals({})
  assert.deepEqual(
    rows.map(row => [row.state, row.problem]),
    [['stuck', '您未获授权销售该版本，如需销售请联系厂商']],
  )
})

test('choices show what an agent may sell, filters also what its shops have', async () => {
  await shopOf(agent.id, { version_id: PACK })
  const names = (rows: { id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b)
  await sold('only', [named.id], async () => {
    const [mine, theirs] = [await me.versions.list(), await them.versions.list()]
    assert.deepEqual(names(mine.rows), [1, 5])
    assert.deepEqual(names(theirs.rows), [1, 3, 4, 5, 12, 78])
    assert.deepEqual(names((await me.merchants.options({})).versions), [1, 4, 5, 12, 78])
    const { offers } = await me.purchases.offers({ merchantId: await shopOf(agent.id) })
    assert.deepEqual(
      offers.map(({ versionId, scopes }) => [versionId, scopes.map(({ refusal }) => refusal?.code)]),
      [
        [ADVANCED, [CODE]],
        [1, [undefined]],
        [5, [undefined]],
      ],
    )
  })
})

test('a retired version is renewed by who has it as long as that stands, and sold to nobody else', async () => {
  const { owner } = till.office
  const shop = await shopOf(agent.id, { version_id: PACK })
  const cases: [renewable: boolean, until: string | null, code: string][] = [
    [true, null, 'accepted'],
    [true, '2100-01-01', 'accepted'],
    [true, '2020-01-01', 'VERSION_RETIRED'],
    [false, null, 'VERSION_RETIRED'],
  ]
  try {
    for (const [renewable, until, code] of cases) {
      await owner.query(
        'update versions set enabled = false, renewable = $1, renew_until = $2 where id = 78',
        [renewable, until],
      )
      assert.equal(await refusalOf(me.purchases.quote(purchase(shop, PACK))), code)
      const line = (await me.purchases.bulkQuote(bulk([shop]))).lines[0]
      assert.equal(line?.refusal?.code ?? 'accepted', code)
      assert.equal(
        await refusalOf(me.purchases.quote(purchase(await shopOf(agent.id), PACK))),
        'VERSION_RETIRED',
      )
    }
  } finally {
    await owner.query('update versions set enabled = true, renewable = true, renew_until = null')
  }
})
