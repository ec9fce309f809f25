import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before, describe } from 'node:test'
import { addMonths, daysBetween } from '#kit/time.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { makeChain, shopState, tokensOf, writePrice } from '#test/make-purchases.ts'
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
const shopOf = (columns: Record<string, unknown> = {}) =>
  makeMerchant(office, agent.id, { expires_at: EXPIRES, ...columns })

const MOVES: [string, (id: number) => [string, unknown[]], string][] = [
  [
    'its term',
    id => [`update merchants set expires_at = expires_at + interval '1 day' where id = $1`, [id]],
    'QUOTE_STALE',
  ],
  ['its version', id => ['update merchants set version_id = 78 where id = $1', [id]], 'QUOTE_STALE'],
  ['its number of shops', id => ['update merchants set shops_bought = 2 where id = $1', [id]], 'QUOTE_STALE'],
  ['to permanent', id => ['update merchants set expires_at = null where id = $1', [id]], 'QUOTE_STALE'],
  ['its status', id => [`update merchants set status = 'disabled' where id = $1`, [id]], 'MERCHANT_DISABLED'],
  [
    'to another agent',
    id => ['update merchants set agent_id = $2 where id = $1', [id, other.id]],
    'SHOP_UNKNOWN',
  ],
]
for (const [what, move, code] of MOVES)
  test(`a shop that changed ${what} after the quote is not charged`, async () => {
    const id = await shopOf()
    const quote = await me.purchases.quote(form(id))
    const [text, values] = move(id)
    await office.owner.query(text, values)
    const before = await rowsOfAllTables(office)
    assert.equal(await refusalOf(me.purchases.confirm({ orderNo: quote.orderNo })), code)
    assert.deepEqual(await rowsOfAllTables(office), before)
  })

const priceOfYear = (cents: number) =>
  writePrice((text, values) => office.owner.query(text, values), {
    book: 'version',
    item: 12,
    part: 'year',
    cents,
  })

test('renewing all says what the days of a branch of another version become, and does what it says', async () => {
  const { head } = await makeChain(office, agent.id, 1, { expires_at: EXPIRES })
  const own = await shopOf({ version_id: 12, store_kind: 'branch', head_id: head })
  const listed = (await me.purchases.branches({ merchantId: head })).rows.find(({ id }) => id === own)
  assert.deepEqual([listed?.versionId, listed?.yearCents], [12, 29_800])
  const quote = await me.purchases.quote(form(head, { versionId: 3, scope: 'all' }))
  const converted = quote.effects.filter(({ convertedDays }) => convertedDays !== null)
  assert.deepEqual(
    converted.map(({ merchantId }) => merchantId),
    [own],
  )
  const [shown] = converted
  assert.ok(Number(shown?.convertedDays) < Number(shown?.remainingDays))
  const { effects } = await me.purchases.confirm({ orderNo: quote.orderNo })
  const done = effects.find(({ merchantId }) => merchantId === own)
  assert.equal(done?.convertedDays, shown?.convertedDays)
  const state = await shopState(office, own)
  assert.deepEqual([state.version, state.expires], [3, done?.expiresAfter])
  assert.ok(String(state.expires) < plus(12), 'its days were not taken over one to one')
})

test('a version or a set of branches that changed after the quote asks for another look', async () => {
  const id = await shopOf()
  const { head, branches } = await makeChain(office, agent.id, 2)
  const quote = await me.purchases.quote(form(id))
  const whole = await me.purchases.quote(form(head, { versionId: 3, scope: 'all' }))
  const stale = () => refusalOf(me.purchases.confirm({ orderNo: quote.orderNo }))
  await office.owner.query('update versions set enabled = false, renewable = false where id = 12')
  assert.equal(await stale(), 'VERSION_RETIRED')
  await office.owner.query('update versions set enabled = true, renewable = true where id = 12')
  await office.owner.query('update merchants set head_id = null where id = $1', [branches[0]])
  assert.equal(await refusalOf(me.purchases.confirm({ orderNo: whole.orderNo })), 'QUOTE_STALE')
  assert.equal(await stale(), 'accepted')
})

test('a quote keeps the price that it showed, whatever price or discount there is by then', async () => {
  const [dearer, promoted] = [await shopOf(), await shopOf()]
  const quotes = [await me.purchases.quote(form(dearer)), await me.purchases.quote(form(promoted))]
  await priceOfYear(29_900)
  await office.owner.query('update agents set level_id = 1 where id = $1', [agent.id])
  const next = await me.purchases.quote(form(await shopOf()))
  assert.equal(next.totalCents, 29_900)
  for (const { orderNo, totalCents } of quotes)
    assert.equal((await me.purchases.confirm({ orderNo })).totalCents, totalCents)
  await office.owner.query('update agents set level_id = 3 where id = $1', [agent.id])
  await priceOfYear(29_800)
})

test('a branch that left its head, or was disabled, after the quote', async () => {
  const { head, branches } = await makeChain(office, agent.id, 2)
  const { head: elsewhere } = await makeChain(office, agent.id, 1)
  const ask = (scope: 'branches' | 'all') =>
    me.purchases.quote(form(head, { versionId: 3, scope, branchIds: scope === 'all' ? [] : branches }))
  const [chosen, whole] = [await ask('branches'), await ask('all')]
  const confirmed = (orderNo: string) => refusalOf(me.purchases.confirm({ orderNo }))
  const place = (headId: number | null) =>
    office.owner.query('update merchants set head_id = $2 where id = $1', [branches[0], headId])
  for (const headId of [null, elsewhere]) {
    await place(headId)
    assert.equal(await confirmed(chosen.orderNo), 'QUOTE_STALE')
    assert.equal(await confirmed(whole.orderNo), 'QUOTE_STALE')
  }
  await place(head)
  const turn = (status: string) =>
    office.owner.query('update merchants set status = $2 where id = $1', [branches[1], status])
  await turn('disabled')
  const before = await rowsOfAllTables(office)
  for (const { orderNo } of [chosen, whole])
    await assert.rejects(me.purchases.confirm({ orderNo }), {
      code: 'MERCHANT_DISABLED',
      message: '请启用后再进行操作',
    })
  assert.deepEqual(await rowsOfAllTables(office), before)
  await turn('normal')
  assert.equal(await confirmed(chosen.orderNo), 'accepted')
})

test('a quote keeps what the rest becomes; a branch that takes a place asks for another look', async () => {
  const id = await shopOf()
  const quote = await me.purchases.quote(form(id, { versionId: 3, shops: 4 }))
  const confirmed = (orderNo: string) => refusalOf(me.purchases.confirm({ orderNo }))
  await priceOfYear(29_900)
  const done = await me.purchases.confirm({ orderNo: quote.orderNo })
  const [[shown], [given]] = [quote.effects, done.effects]
  assert.equal(daysBetween(String(shown?.expiresAfter), String(given?.expiresAfter)), 0)
  await priceOfYear(29_800)
  const { head } = await makeChain(office, agent.id, 1, { shops_bought: 4, expires_at: EXPIRES })
  const places = await me.purchases.quote(form(head, { versionId: 3 }))
  assert.equal(places.shops, 3)
  await makeMerchant(office, agent.id, { version_id: 3, store_kind: 'branch', head_id: head })
  assert.equal(await confirmed(places.orderNo), 'QUOTE_STALE')
})

test('two quotes of one shop: the second confirm is stale, and a confirm happens once', async () => {
  const id = await shopOf()
  const first = await me.purchases.quote(form(id))
  const second = await me.purchases.quote(form(id))
  const key = randomUUID()
  const done = await me.purchases.confirm({ orderNo: first.orderNo }, { context: { key } })
  assert.deepEqual(await me.purchases.confirm({ orderNo: first.orderNo }, { context: { key } }), done)
  assert.equal(await refusalOf(me.purchases.confirm({ orderNo: first.orderNo })), 'QUOTE_USED')
  assert.equal(await refusalOf(me.purchases.confirm({ orderNo: second.orderNo })), 'QUOTE_STALE')
  assert.equal(
    await refusalOf(me.purchases.confirm({ orderNo: second.orderNo }, { context: { key } })),
    'KEY_REUSED',
  )
  assert.equal((await shopState(office, id)).expires, plus(12))
})

test('fifty confirms of one quote at once buy once; confirms of two quotes renew twice or not at all', async () => {
  const id = await shopOf()
  const { orderNo } = await me.purchases.quote(form(id))
  const tokens = await tokensOf(office, agent.id)
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => refusalOf(me.purchases.confirm({ orderNo }))),
  )
  assert.equal(answers.filter(answer => answer === 'accepted').length, 1)
  assert.ok(answers.every(answer => ['accepted', 'QUOTE_USED', 'BUSY'].includes(answer)))
  assert.equal(await tokensOf(office, agent.id), tokens - 17_880)
  assert.equal((await shopState(office, id)).expires, plus(12))

  const { head } = await makeChain(office, agent.id, 3)
  const quotes = await Promise.all(
    (['head', 'all', 'branches'] as const).map(async scope =>
      me.purchases.quote(
        form(head, {
          versionId: 3,
          scope,
          branchIds:
            scope === 'branches'
              ? (await me.purchases.branches({ merchantId: head })).rows.map(row => row.id)
              : [],
        }),
      ),
    ),
  )
  const done = await Promise.all(quotes.map(quote => refusalOf(me.purchases.confirm(quote))))
  const paid = quotes.filter((_, i) => done[i] === 'accepted')
  assert.ok(paid.length >= 1 && done.every(code => ['accepted', 'QUOTE_STALE'].includes(code)), done.join())
  await office.verifyLedger()
})

test('a quote is confirmed by the account that asked for it, and no longer than a day', async () => {
  const id = await shopOf()
  const { orderNo } = await me.purchases.quote(form(id))
  assert.equal(await refusalOf(them.purchases.confirm({ orderNo })), 'QUOTE_UNKNOWN')
  assert.equal(await refusalOf(staff.purchases.confirm({ orderNo })), 'QUOTE_UNKNOWN')
  assert.equal(await refusalOf(me.selling.add({ orderNo })), 'QUOTE_UNKNOWN')
  await office.owner.query(
    `update version_orders set created_at = now() - interval '25 hours' where order_no = $1`,
    [orderNo],
  )
  assert.equal(await refusalOf(me.purchases.confirm({ orderNo })), 'QUOTE_UNKNOWN')
})

describe('what a change leaves behind', () => {
  test('a change to a lifetime tells how many paid days end with it, and what they are worth to the agent', async () => {
    const id = await shopOf()
    const days = daysBetween(new Date(), EXPIRES)
    const quote = await me.purchases.quote(form(id, { versionId: 1, term: 'lifetime' }))
    // A year costs 298, of which the agent pays 60 %.
    const worth = Math.round((Math.floor((29_800 * days) / 365) * 60) / 100)
    assert.deepEqual(quote.forfeit, { days, cents: worth })
  })

  test('nothing is lost where a term is extended, converted, or has ended', async () => {
    const ended = await shopOf({ expires_at: '2020-01-01T00:00:00Z' })
    const quotes = await Promise.all([
      me.purchases.quote(form(await shopOf())),
      me.purchases.quote(form(await shopOf(), { versionId: 3 })),
      me.purchases.quote(form(ended, { versionId: 1, term: 'lifetime' })),
    ])
    assert.deepEqual(
      quotes.map(({ forfeit }) => forfeit),
      [null, null, null],
    )
  })

  test('whoever buys for a head is told which branches it has', async () => {
    const { head } = await makeChain(office, agent.id, 4)
    const { branchCount, branchNames } = await me.purchases.offers({ merchantId: head })
    assert.deepEqual([branchCount, branchNames], [4, ['分店1', '分店2', '分店3']])
    assert.deepEqual((await me.purchases.offers({ merchantId: await shopOf() })).branchNames, [])
  })
})
