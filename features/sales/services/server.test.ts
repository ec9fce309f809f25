import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before, beforeEach } from 'node:test'
import type { ORPCError } from '@orpc/client'
import { addMonths } from '#kit/time.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { credit, type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { rowsOfAllTables } from '#test/rows.ts'
import { SERVICE_REFUSALS } from './rules.ts'

const SEAT = 11
const MEMBERS = 21
const SCAN = 31

let office: Office
let agent: MadeAgent
let me: Client
let shop: number

before(async () => {
  office = await openOffice()
})
after(() => office.stop())
beforeEach(async () => {
  // Level 3 pays 60 %.
  agent = await makeAgent(office, { tokens: 2_000, levelId: 3 })
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id)
})

const seats = (quantity: number) => ({ serviceId: SEAT, quantity, years: 1 })
const years = (serviceId: number, count = 1) => ({ serviceId, quantity: 1, years: count })
type Item = ReturnType<typeof seats>
const buy = (items: Item[], totalCents: number, more: object = {}, context: { key?: string } = {}) =>
  me.services.buy({ merchantId: shop, items, totalCents, ...more }, { context })
const tokens = async () => (await me.ledger.wallet()).tokenCents
const offerOf = async (serviceId: number) => {
  const { groups } = await me.services.ofMerchant({ merchantId: shop })
  const offer = groups.flatMap(group => group.services).find(service => service.id === serviceId)
  assert.ok(offer)
  return offer
}
const hold = (serviceId: number, quantity: number, expiresAt: Date | null) =>
  office.owner.query(
    'insert into merchant_services (agent_id, merchant_id, service_id, quantity, expires_at) values ($1, $2, $3, $4, $5)',
    [agent.id, shop, serviceId, quantity, expiresAt?.toISOString() ?? null],
  )
const inDays = (count: number) => new Date(Math.trunc(Date.now() / 1_000) * 1_000 + count * 86_400_000)

test('a shop buys seats and services in one go: an order each, one posting, and what it has afterwards', async () => {
  const answer = await buy([seats(2), years(MEMBERS, 2)], 12_000 + 35_760, { remark: '开业赠送' })
  assert.equal(answer.totalCents, 47_760)
  assert.equal(answer.balanceAfterCents, 200_000 - 47_760)
  assert.equal(await tokens(), 200_000 - 47_760)
  const page = await me.services.ofMerchant({ merchantId: shop })
  assert.deepEqual([page.buyOperatorNumber, page.discountBasisPoints, page.refusal], [2, 6_000, null])
  assert.equal(page.balanceCents, 200_000 - 47_760)
  const members = await offerOf(MEMBERS)
  assert.ok(Math.abs(Date.parse(members.expiresAt ?? '') - addMonths(new Date(), 24).getTime()) < 60_000)
  assert.equal(members.refusal?.code, 'ALREADY_ACTIVE')
  const list = await me.services.orders({})
  assert.deepEqual([list.total, list.totalCents, list.recalledCents], [2, 47_760, 0])
  const seat = list.rows.find(row => row.serviceName === '操作员账号')
  assert.deepEqual(
    [seat?.unitCents, seat?.quantity, seat?.originalCents, seat?.totalCents, seat?.state, seat?.unit],
    [10_000, 2, 20_000, 12_000, 'completed', 'piece'],
  )
  assert.deepEqual(
    [seat?.remark, seat?.payMethod, seat?.merchantId, seat?.shopName],
    ['开业赠送', 'balance', shop, '测试店铺'],
  )
  const { rows } = await office.owner.query(
    `select kind, amount::int, created_at from ledger_transfers where merchant_id = $1 order by id`,
    [shop],
  )
  assert.deepEqual(
    rows.map(row => [row.kind, row.amount]),
    [
      ['service', 12_000],
      ['service', 35_760],
    ],
  )
  assert.equal(rows[0].created_at.getTime(), rows[1].created_at.getTime(), 'posted in one call')
  await office.verifyLedger()
})

test('pieces add up; a yearly service is renewed only in its last 30 days, and from its end', async () => {
  await buy([seats(2)], 12_000)
  await buy([seats(3)], 18_000)
  assert.equal((await offerOf(SEAT)).quantity, 5)
  const end = inDays(29)
  await hold(MEMBERS, 1, end)
  const renewed = await buy([years(MEMBERS)], 17_880)
  assert.equal(renewed.orders[0]?.expiresAfter, addMonths(end, 12).toISOString())
  assert.equal(await refusalOf(buy([years(MEMBERS)], 17_880)), 'ALREADY_ACTIVE')
  await hold(SCAN, 1, inDays(-3))
  assert.equal((await offerOf(SCAN)).refusal, null)
  const reopened = await buy([years(SCAN)], 23_880)
  const expected = addMonths(new Date(), 12).getTime()
  assert.ok(Math.abs(Date.parse(reopened.orders[0]?.expiresAfter ?? '') - expected) < 60_000)
  await office.verifyLedger()
})

test('every refusal has its message and writes nothing', async () => {
  const branch = await makeMerchant(office, agent.id, { store_kind: 'branch' })
  const disabled = await makeMerchant(office, agent.id, { status: 'disabled' })
  const stranger = await makeAgent(office, { tokens: 1 })
  const theirs = await makeMerchant(office, stranger.id)
  await hold(MEMBERS, 1, inDays(31))
  const cases: [string, Promise<unknown>][] = []
  const add = async (code: string, items: Item[], total: number, more: object = {}) => {
    const call = buy(items, total, more)
    cases.push([code, call])
    await refusalOf(call)
  }
  const before = await rowsOfAllTables(office)
  await add('NOTHING_CHOSEN', [], 0)
  await add('CHOSEN_TWICE', [seats(1), seats(1)], 12_000)
  await add('SERVICE_UNKNOWN', [{ serviceId: 999, quantity: 1, years: 1 }], 0)
  await add('SERVICE_UNKNOWN', [{ serviceId: 1, quantity: 1, years: 1 }], 0)
  await add('YEARS_OUT_OF_RANGE', [years(SCAN, 6)], 0)
  await add('PIECES_OUT_OF_RANGE', [seats(0)], 0)
  await add('PRICE_CHANGED', [seats(1)], 5_999)
  await add('ALREADY_ACTIVE', [seats(1), years(MEMBERS)], 6_000 + 17_880)
  await add('HEAD_ONLY', [seats(1)], 6_000, { merchantId: branch })
  await add('MERCHANT_DISABLED', [seats(1)], 6_000, { merchantId: disabled })
  await add('NOT_FOUND', [seats(1)], 6_000, { merchantId: theirs })
  await add('INSUFFICIENT', [seats(40)], 240_000)
  await add('REMARK_TOO_LONG', [seats(1)], 6_000, { remark: '长'.repeat(51) })
  for (const [code, call] of cases) {
    const error = (await call.catch(refused => refused)) as ORPCError<string, Record<string, unknown>>
    assert.equal(error.code, code)
    if (code in SERVICE_REFUSALS)
      assert.equal(error.message, SERVICE_REFUSALS[code as keyof typeof SERVICE_REFUSALS])
    if (code === 'INSUFFICIENT') assert.equal(error.data.missing, 40_000)
    if (code === 'PRICE_CHANGED') assert.equal(error.data.totalCents, 6_000)
  }
  assert.deepEqual(await rowsOfAllTables(office), before)
})

test('the page of a disabled shop, of a branch and of an unknown one says what can be bought', async () => {
  const disabled = await makeMerchant(office, agent.id, { status: 'disabled' })
  const page = await me.services.ofMerchant({ merchantId: disabled })
  assert.equal(page.refusal?.message, '请启用后再进行操作')
  shop = await makeMerchant(office, agent.id, { store_kind: 'branch' })
  assert.equal((await offerOf(SEAT)).refusal?.message, '分店不允许购买操作员')
  assert.equal((await offerOf(MEMBERS)).refusal, null)
  assert.equal(await refusalOf(me.services.ofMerchant({ merchantId: 99_999_999 })), 'NOT_FOUND')
})

test("vendor staff see another agent's shop and its orders, and cannot buy for it", async () => {
  await buy([seats(1)], 6_000)
  const staff = await makeAgent(office, { staff: true, tokens: 1_000 })
  const asStaff = office.as(await office.login(staff.loginName))
  const page = await asStaff.services.ofMerchant({ merchantId: shop })
  assert.deepEqual([page.refusal?.code, page.buyOperatorNumber], ['NOT_OWN_SHOP', 1])
  const bought = asStaff.services.buy({ merchantId: shop, items: [seats(1)], totalCents: 10_000 })
  assert.equal(await refusalOf(bought), 'NOT_OWN_SHOP')
  const ofAgent = await asStaff.services.orders({ agentId: agent.id })
  assert.deepEqual([ofAgent.total, ofAgent.rows[0]?.agentName], [1, `代理商${agent.id}`])
})

test('a double press buys once, and its key serves no other purchase', async () => {
  const context = { key: randomUUID() }
  const answers = await Promise.all(Array.from({ length: 6 }, () => buy([seats(1)], 6_000, {}, context)))
  assert.equal(new Set(answers.map(answer => JSON.stringify(answer))).size, 1)
  assert.equal((await offerOf(SEAT)).quantity, 1)
  assert.equal(await tokens(), 194_000)
  assert.equal(await refusalOf(buy([seats(2)], 12_000, {}, context)), 'KEY_REUSED')
  await office.verifyLedger()
})

test('two purchases and tokens for one: one is bought, the other is told what is missing', async () => {
  for (let round = 0; round < 5; round++) {
    const poor = await makeAgent(office, { levelId: 3 })
    await credit(office, poor.id, 'token', 6_000)
    const client = office.as(await office.login(poor.loginName))
    const shops = await Promise.all([makeMerchant(office, poor.id), makeMerchant(office, poor.id)])
    const codes = await Promise.all(
      shops.map(merchantId =>
        refusalOf(client.services.buy({ merchantId, items: [seats(1)], totalCents: 6_000 })),
      ),
    )
    assert.deepEqual(codes.sort(), ['INSUFFICIENT', 'accepted'])
    assert.equal((await client.ledger.wallet()).tokenCents, 0)
    assert.equal((await client.services.orders({})).total, 1)
  }
  await office.verifyLedger()
})

test('one yearly service bought by two people at once is opened once', async () => {
  const codes = await Promise.all([1, 2, 3].map(() => refusalOf(buy([years(SCAN)], 23_880))))
  assert.deepEqual(codes.sort(), ['ALREADY_ACTIVE', 'ALREADY_ACTIVE', 'accepted'])
  const both = await Promise.all([1, 2].map(() => refusalOf(buy([seats(2)], 12_000))))
  assert.deepEqual(both, ['accepted', 'accepted'])
  assert.equal((await offerOf(SEAT)).quantity, 4, 'neither purchase of pieces is lost')
})

test('a price that changes after the page was shown refuses the purchase', async () => {
  await office.owner.query('update agents set level_id = 2 where id = $1', [agent.id])
  assert.equal(await refusalOf(buy([seats(1)], 6_000)), 'PRICE_CHANGED')
  assert.equal((await buy([seats(1)], 7_000)).totalCents, 7_000)
})

test('a shop that moves takes its services along, and the orders stay with who paid them', async () => {
  await buy([seats(3)], 18_000)
  const heir = await makeAgent(office, { tokens: 100, levelId: 3 })
  await office.owner.query('update merchants set agent_id = $2 where id = $1', [shop, heir.id])
  const asHeir = office.as(await office.login(heir.loginName))
  assert.equal((await asHeir.services.ofMerchant({ merchantId: shop })).buyOperatorNumber, 3)
  await asHeir.services.buy({ merchantId: shop, items: [seats(1)], totalCents: 6_000 })
  assert.equal((await asHeir.services.ofMerchant({ merchantId: shop })).buyOperatorNumber, 4)
  const mine = await me.services.orders({})
  assert.deepEqual([mine.total, mine.rows[0]?.shopName], [1, null])
})
