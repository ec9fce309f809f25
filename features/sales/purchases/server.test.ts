import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { addMonths, daysBetween, formatInstant } from '#kit/time.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { makeChain, shopState, tokensOf } from '#test/make-purchases.ts'
import { rowsOfAllTables } from '#test/rows.ts'

let office: Office
let agent: MadeAgent
let me: Client
let other: MadeAgent
let them: Client
let staff: Client

before(async () => {
  office = await openOffice()
  // Level 3 pays 60 %.
  agent = await makeAgent(office, { tokens: 200_000, levelId: 3 })
  other = await makeAgent(office, { tokens: 1_000 })
  me = office.as(await office.login(agent.loginName))
  them = office.as(await office.login(other.loginName))
  staff = office.as(await office.login((await makeAgent(office, { staff: true, tokens: 1_000 })).loginName))
})
after(() => office.stop())

type Form = Parameters<Client['purchases']['quote']>[0]
const form = (merchantId: number, changes: Partial<Form> = {}): Form => ({
  merchantId,
  versionId: 12,
  scope: 'head',
  branchIds: [],
  term: 'year',
  periods: 1,
  shops: 1,
  remark: '',
  ...changes,
})
const EXPIRES = `${new Date().getUTCFullYear() + 1}-03-10T02:30:00.000Z`
const plus = (months: number, from = EXPIRES) => addMonths(from, months).toISOString()
/** Begun years to the end of a shop that more branches are bought for. */
const YEARS_LEFT = addMonths(new Date(), 12) < new Date(EXPIRES) ? 2 : 1
const shopOf = (columns: Record<string, unknown> = {}) =>
  makeMerchant(office, agent.id, { expires_at: EXPIRES, ...columns })

/** An ended term starts at the moment of the confirm, which is later than that of the quote. */
const exceptEnd = <E extends { expiresAfter: unknown }>(effect: E) => ({ ...effect, expiresAfter: null })

/** Quotes and confirms; what the quote showed is what the confirm did. */
async function buy(asked: Form) {
  const tokens = await tokensOf(office, agent.id)
  const quote = await me.purchases.quote(asked)
  assert.equal(quote.balanceBeforeCents, tokens)
  assert.equal(quote.balanceAfterCents, tokens - quote.totalCents)
  assert.equal(await tokensOf(office, agent.id), tokens, 'a quote takes nothing')
  const done = await me.purchases.confirm({ orderNo: quote.orderNo })
  assert.deepEqual([done.orderNo, done.totalCents], [quote.orderNo, quote.totalCents])
  assert.deepEqual(done.effects.map(exceptEnd), quote.effects.map(exceptEnd))
  assert.equal(await tokensOf(office, agent.id), tokens - quote.totalCents)
  return quote
}

type Case = {
  name: string
  columns: Record<string, unknown>
  asked: Partial<Form>
  code: number
  originalCents: number
  /** `restarted`: from now, with this share of the days that were left. */
  left: { version: number; expires: string | null | { restarted: number; months: number }; shops: number }
  kind: 'version-renew' | 'version-upgrade'
  content: string
}
const CASES: Case[] = [
  {
    name: '0: a branch renews itself',
    columns: { store_kind: 'branch', version_id: 3 },
    asked: { versionId: 3 },
    code: 0,
    originalCents: 39_800,
    left: { version: 3, expires: plus(12), shops: 1 },
    kind: 'version-renew',
    content: '续费 测试店铺 连锁版',
  },
  {
    name: '1: two months of the same version, for both shops that were bought',
    columns: { shops_bought: 2 },
    asked: { term: 'month', periods: 2 },
    code: 1,
    originalCents: 20_000,
    left: { version: 12, expires: plus(2), shops: 2 },
    kind: 'version-renew',
    content: '续费 测试店铺 高级版',
  },
  {
    name: '1: a chain changes to the advanced version',
    columns: { version_id: 3, shops_bought: 4 },
    asked: { shops: 2 },
    code: 1,
    originalCents: 59_600,
    left: { version: 12, expires: { restarted: 1, months: 12 }, shops: 2 },
    kind: 'version-upgrade',
    content: '升级 测试店铺 高级版',
  },
  {
    name: '2: more branches',
    columns: { version_id: 3, shops_bought: 4 },
    asked: { versionId: 3, scope: 'addBranches', shops: 3, periods: YEARS_LEFT },
    code: 2,
    originalCents: 119_400 * YEARS_LEFT,
    left: { version: 3, expires: EXPIRES, shops: 7 },
    kind: 'version-renew',
    content: '增购分店 测试店铺 连锁版',
  },
  {
    name: '3: a whole chain without rows of branches',
    columns: { version_id: 3, shops_bought: 4 },
    asked: { versionId: 3, scope: 'all' },
    code: 3,
    originalCents: 159_200,
    left: { version: 3, expires: plus(12), shops: 4 },
    kind: 'version-renew',
    content: '续费 测试店铺 连锁版',
  },
  {
    name: '4: the chain version',
    columns: {},
    asked: { versionId: 3, shops: 4, periods: 5 },
    code: 4,
    originalCents: 796_000,
    left: { version: 3, expires: { restarted: 29_800 / 159_200, months: 60 }, shops: 4 },
    kind: 'version-upgrade',
    content: '升级 测试店铺 连锁版',
  },
  {
    name: '6: the old advanced version',
    columns: { version_id: 4 },
    asked: { versionId: 4 },
    code: 6,
    originalCents: 29_800,
    left: { version: 4, expires: plus(12), shops: 1 },
    kind: 'version-renew',
    content: '续费 测试店铺 高级版（旧）',
  },
  {
    name: '7: a lifetime',
    columns: {},
    asked: { versionId: 1, term: 'lifetime', shops: 2 },
    code: 7,
    originalCents: 396_000,
    left: { version: 1, expires: null, shops: 2 },
    kind: 'version-upgrade',
    content: '升级 测试店铺 永久版',
  },
  {
    name: '7: more shops for life',
    columns: { version_id: 1, expires_at: null, shops_bought: 2 },
    asked: { versionId: 1, term: 'lifetime', shops: 3 },
    code: 7,
    originalCents: 594_000,
    left: { version: 1, expires: null, shops: 5 },
    kind: 'version-renew',
    content: '增购店铺 3 家 测试店铺 永久版',
  },
  {
    name: '8: the extreme version for a permanent shop',
    columns: { version_id: 1, expires_at: null },
    asked: { versionId: 5, term: 'lifetime' },
    code: 8,
    originalCents: 398_000,
    left: { version: 5, expires: null, shops: 1 },
    kind: 'version-upgrade',
    content: '升级 测试店铺 至尊版',
  },
]
for (const { name, columns, asked, code, originalCents, left, kind, content } of CASES)
  test(`case ${name}`, async () => {
    const id = await shopOf(columns)
    const quote = await buy(form(id, { ...asked, remark: ' 老客户 ' }))
    assert.deepEqual(
      [quote.code, quote.originalCents, quote.totalCents],
      [code, originalCents, originalCents * 0.6],
    )
    const state = await shopState(office, id)
    if (left.expires !== null && typeof left.expires === 'object') {
      const { restarted, months } = left.expires
      assert.equal(quote.remainingDays, daysBetween(new Date(), EXPIRES))
      assert.equal(quote.convertedDays, Math.floor((quote.remainingDays ?? 0) * restarted))
      const begins = Date.now() + (quote.convertedDays ?? 0) * 86_400_000
      const end = addMonths(new Date(begins), months).getTime()
      assert.ok(Math.abs(new Date(state.expires as string).getTime() - end) < 60_000, state.expires ?? '')
    } else assert.equal(state.expires, left.expires)
    assert.deepEqual(state, { ...left, expires: state.expires, status: 'normal' })
    const { rows } = await office.owner.query(
      `select o.status, o.purchase_code, o.remark, o.draft, o.content, t.kind, t.amount::int, t.description, t.merchant_id::int
       from version_orders o join ledger_transfers t on t.document = o.order_no where o.order_no = $1`,
      [quote.orderNo],
    )
    const order = { status: 'paid', purchase_code: code, remark: '老客户', draft: null, content }
    const transfer = { kind, amount: quote.totalCents, description: content, merchant_id: id }
    assert.deepEqual(rows, [{ ...order, ...transfer }])
    await office.verifyLedger()
  })

test('case 0 for chosen branches and case 3 for all: each from its own end, the rest as they were', async () => {
  const { head, branches } = await makeChain(office, agent.id, 3, { expires_at: EXPIRES })
  const [first, second, third] = branches as [number, number, number]
  await office.owner.query(`update merchants set expires_at = '2020-01-01T00:00:00Z' where id = $1`, [first])
  const before = await shopState(office, third)
  const chosen = await buy(
    form(head, { versionId: 3, scope: 'branches', branchIds: [second, first, first], periods: 2 }),
  )
  assert.deepEqual([chosen.code, chosen.shops, chosen.originalCents], [0, 2, 159_200])
  assert.deepEqual(
    chosen.effects.map(({ merchantId, shopName, versionAfter }) => [merchantId, shopName, versionAfter]),
    [
      [first, '分店1', '连锁版'],
      [second, '分店2', '连锁版'],
    ],
  )
  const ended = (await shopState(office, first)).expires as string
  assert.ok(Math.abs(new Date(ended).getTime() - addMonths(new Date(), 24).getTime()) < 60_000)
  assert.equal((await shopState(office, head)).expires, EXPIRES)
  assert.deepEqual(await shopState(office, third), before)

  const all = await buy(form(head, { versionId: 3, scope: 'all' }))
  assert.deepEqual([all.code, all.shops, all.originalCents, all.effects.length], [3, 4, 159_200, 4])
  assert.equal((await shopState(office, head)).expires, plus(12))
  assert.equal((await shopState(office, third)).expires, plus(12, before.expires as string))
  assert.equal((await shopState(office, head)).shops, 4)
  await office.verifyLedger()
})

test('what a shop can buy, and why nothing', async () => {
  const { head, branches } = await makeChain(office, agent.id, 2)
  const shop = await me.purchases.offers({ merchantId: head })
  assert.deepEqual(
    [shop.branchCount, shop.shopsBought, shop.discountBasisPoints, shop.refusal],
    [2, 3, 6_000, null],
  )
  assert.equal(shop.balanceCents, await tokensOf(office, agent.id))
  const ways = (offers: typeof shop.offers) =>
    offers.map(offer => `${offer.versionId}:${offer.scopes.map(way => `${way.scope}=${way.code}`).join(',')}`)
  assert.deepEqual(ways(shop.offers), [
    '12:head=1',
    '3:head=1,all=3,branches=0,addBranches=2',
    '1:head=7',
    '5:head=8',
    '78:head=4',
  ])
  const chain = shop.offers.find(offer => offer.isCurrent)
  assert.deepEqual(
    chain?.scopes.map(way => [way.asksShops, way.asksBranches, way.shopsCounted]),
    [
      [false, false, 1],
      [false, false, 3],
      [false, true, null],
      [true, false, null],
    ],
  )
  assert.deepEqual(chain?.scopes[0]?.terms, ['year'])
  assert.equal(shop.offers[0]?.scopes[0]?.shopsDefault, 1)
  const branch = await me.purchases.offers({ merchantId: branches[0] as number })
  assert.deepEqual(ways(branch.offers), ['12:head=1', '3:head=0', '1:head=7', '5:head=8', '78:head=4'])
  assert.ok(branch.offers.every(offer => offer.scopes.every(way => !way.asksShops)))
  const permanent = await shopOf({ version_id: 1, expires_at: null })
  assert.deepEqual(ways((await me.purchases.offers({ merchantId: permanent })).offers), [
    '1:head=7',
    '5:head=8',
  ])
  const old = await me.purchases.offers({ merchantId: await shopOf({ version_id: 4 }) })
  assert.ok(ways(old.offers).includes('4:head=6'))
  const disabled = await me.purchases.offers({ merchantId: await shopOf({ status: 'disabled' }) })
  assert.deepEqual(disabled.refusal, { code: 'MERCHANT_DISABLED', message: '请启用后再进行操作' })
  assert.equal((await staff.purchases.offers({ merchantId: head })).refusal?.code, 'NOT_OWN_SHOP')
  assert.equal(await refusalOf(them.purchases.offers({ merchantId: head })), 'NOT_FOUND')
})

test('a head with branches pays for itself: what is proposed, priced, converted and said is one shop', async () => {
  const left = addMonths(new Date(), 1).toISOString()
  /** [version, what the head has, list price, shops bought afterwards]. */
  const changes: [number, Record<string, unknown>, number, number][] = [
    [12, {}, 29_800, 4],
    [78, {}, 49_800, 4],
    [1, {}, 198_000, 4],
    [5, {}, 398_000, 4],
    [12, { version_id: 12 }, 29_800, 4],
    [3, { version_id: 12 }, 39_800, 4],
    [1, { version_id: 12, shops_bought: 5 }, 396_000, 5],
  ]
  for (const [versionId, columns, originalCents, shopsAfter] of changes) {
    const { head, branches } = await makeChain(office, agent.id, 3, { expires_at: left, ...columns })
    const was = await Promise.all(branches.map(id => shopState(office, id)))
    const shop = await me.purchases.offers({ merchantId: head })
    const [way] = shop.offers.find(offer => offer.versionId === versionId)?.scopes ?? []
    assert.ok(way)
    const [term = 'year'] = way.terms
    const shops = way.shopsDefault
    const quote = await buy(form(head, { versionId, term, shops }))
    assert.deepEqual([quote.originalCents, shop.rest.shops], [originalCents, quote.shops])
    const dearer = versionId === 78 || (versionId === 3 && shop.versionId === 12)
    if (quote.convertedDays !== null) assert.equal(quote.convertedDays < (quote.remainingDays ?? 0), dearer)
    if (quote.forfeit) assert.ok((quote.forfeit.cents ?? 0) < 39_800 * 0.6 * quote.shops * (32 / 365))
    assert.deepEqual(
      quote.effects.map(effect => [effect.merchantId, effect.shopsBefore, effect.shopsAfter]),
      [[head, shop.shopsBought, shopsAfter]],
    )
    assert.deepEqual(await Promise.all(branches.map(id => shopState(office, id))), was)
    assert.equal((await me.purchases.offers({ merchantId: head })).rest.shops, quote.shops)
  }
  await office.verifyLedger()
})

test('branches are listed page by page and searched by name, account and id', async () => {
  const { head, branches } = await makeChain(office, agent.id, 12)
  const first = await me.purchases.branches({ merchantId: head })
  assert.deepEqual([first.total, first.rows.length], [12, 10])
  const second = await me.purchases.branches({ merchantId: head, page: 2 })
  assert.deepEqual(
    [...first.rows, ...second.rows].map(({ id }) => id),
    branches,
  )
  const named = await me.purchases.branches({ merchantId: head, search: '分店12' })
  assert.deepEqual(
    named.rows.map(({ shopName }) => shopName),
    ['分店12'],
  )
  const byId = await me.purchases.branches({ merchantId: head, search: String(branches[3]) })
  assert.equal(byId.rows[0]?.id, branches[3])
  assert.equal((await me.purchases.branches({ merchantId: head, search: '100%' })).total, 0)
  const another = await makeChain(office, agent.id, 1)
  assert.equal((await me.purchases.branches({ merchantId: another.head })).total, 1)
  assert.equal((await me.purchases.branches({ merchantId: await shopOf() })).total, 0)
})

test('what cannot be bought is refused with its message, and writes nothing', async () => {
  const { head, branches } = await makeChain(office, agent.id, 2)
  const stranger = await makeChain(office, agent.id, 1)
  await office.owner.query(`update merchants set status = 'disabled' where id = $1`, [branches[1]])
  const shop = await shopOf()
  const theirs = await makeMerchant(office, other.id)
  const closed = await shopOf({ status: 'disabled' })
  const forever = await shopOf({ version_id: 1, expires_at: null })
  const chain = { versionId: 3 } as const
  const cases: [Client, Form, string][] = [
    [me, form(theirs), 'NOT_FOUND'],
    [me, form(99_999_999), 'NOT_FOUND'],
    [staff, form(shop), 'NOT_OWN_SHOP'],
    [me, form(closed), 'MERCHANT_DISABLED'],
    [me, form(shop, { versionId: 77 }), 'VERSION_REQUIRED'],
    [me, form(shop, { versionId: 4 }), 'NOTHING_TO_BUY'],
    [me, form(forever), 'LIFETIME_NO_YEARLY'],
    [me, form(shop, { scope: 'all' }), 'SCOPE_NOT_OFFERED'],
    [me, form(head, { ...chain, scope: 'branches' }), 'BRANCHES_REQUIRED'],
    [me, form(head, { ...chain, scope: 'branches', branchIds: stranger.branches }), 'BRANCH_UNKNOWN'],
    [me, form(head, { ...chain, scope: 'branches', branchIds: [theirs] }), 'BRANCH_UNKNOWN'],
    [me, form(head, { ...chain, scope: 'branches', branchIds: branches }), 'MERCHANT_DISABLED'],
    [me, form(head, { ...chain, scope: 'all' }), 'MERCHANT_DISABLED'],
    [me, form(head, { ...chain, term: 'month' }), 'TERM_REQUIRED'],
    [me, form(shop, { periods: 6 }), 'YEARS_OUT_OF_RANGE'],
    [me, form(shop, { term: 'month', periods: 13 }), 'MONTHS_OUT_OF_RANGE'],
    [me, form(shop, { versionId: 1, term: 'lifetime', shops: 0 }), 'SHOPS_TOO_FEW'],
    [me, form(shop, { remark: '长'.repeat(51) }), 'REMARK_TOO_LONG'],
  ]
  const before = await rowsOfAllTables(office)
  for (const [client, asked, code] of cases)
    assert.equal(await refusalOf(client.purchases.quote(asked)), code, JSON.stringify(asked))
  assert.deepEqual(await rowsOfAllTables(office), before)
})

test('who cannot pay is told what is missing, and nothing is written', async () => {
  const poor = await makeAgent(office, { tokens: 100 })
  const client = office.as(await office.login(poor.loginName))
  const id = await makeMerchant(office, poor.id)
  const quote = await client.purchases.quote(form(id))
  assert.equal(quote.balanceAfterCents, 10_000 - 29_800)
  const before = await rowsOfAllTables(office)
  await assert.rejects(client.purchases.confirm({ orderNo: quote.orderNo }), {
    code: 'INSUFFICIENT',
    message: '账户余额不足',
    data: { asset: 'token', balance: 10_000, missing: 19_800, owner: 'agent' },
  })
  assert.deepEqual(await rowsOfAllTables(office), before)
})

test('the log tells shop, order and what changed, and is about the shop', async () => {
  const id = await shopOf({ shop_name: '老张面馆' })
  const quote = await buy(form(id, { versionId: 78 }))
  const { rows } = await office.owner.query(
    'select title, subject, changes from operation_logs where merchant_id = $1 order by id',
    [id],
  )
  assert.deepEqual(
    rows.map(row => [row.title, row.subject]),
    [
      ['版本购买报价', `老张面馆 (${id})`],
      ['版本购买', `老张面馆 (${id})`],
    ],
  )
  assert.deepEqual(rows[1].changes, [
    { name: '订单号', before: null, after: quote.orderNo },
    { name: '结算', before: null, after: '298.80 代币' },
    { name: '软件版本', before: '高级版', after: '餐饮套餐版' },
    {
      name: '到期时间',
      before: formatInstant(EXPIRES),
      after: formatInstant((await shopState(office, id)).expires as string),
    },
  ])
})
