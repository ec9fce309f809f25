import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { ORDER_KINDS } from '#features/sales/settlement/rules.ts'
import { addDays, endOfDay, formatDay, startOfDay } from '#kit/time.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { makeOrder } from '#test/make-orders.ts'
import { renewShop } from '#test/make-settlement.ts'
import { CHART_DAYS, comingDays, pastDays, TILE_LISTS, TILES, type Tile } from './rules.ts'

let office: Office
let agent: MadeAgent
let me: Client
let staff: Client
let shop: number

const LONG_AGO = '2025-01-01T04:00:00Z'
const SEATS = { serviceId: 11, quantity: 1, years: 1 }

before(async () => {
  office = await openOffice()
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office, { tokens: 10_000, sms: 500 })
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id, { registered_at: LONG_AGO })
})

type Counts = Record<Tile, number>

async function totalsOn(who: Client, day: string): Promise<Counts> {
  const [sms, merchants, versions, services] = await Promise.all([
    who.smsDesk.orders(TILE_LISTS.sms.filters(day)),
    who.merchants.list(TILE_LISTS.merchants.filters(day)),
    who.orders.list(TILE_LISTS.versions.filters(day)),
    who.services.orders(TILE_LISTS.services.filters(day)),
  ])
  return {
    sms: sms.total,
    merchants: merchants.total,
    versions: versions.total,
    services: services.total,
  }
}

/** What the tiles show, once each was found to be the total of its list. */
async function tiles(who: Client): Promise<{ today: Counts; yesterday: Counts }> {
  const { today, yesterday, tiles } = await who.dashboard.figures()
  const counts = (day: 'today' | 'yesterday') =>
    Object.fromEntries(TILES.map(tile => [tile, tiles[tile][day]])) as Counts
  const shown = { today: counts('today'), yesterday: counts('yesterday') }
  assert.deepEqual(shown.today, await totalsOn(who, today), 'the totals of the lists of today')
  assert.deepEqual(shown.yesterday, await totalsOn(who, yesterday), 'the totals of the lists of yesterday')
  return shown
}

const NONE: Counts = { sms: 0, merchants: 0, versions: 0, services: 0 }

async function openShop(who: Client): Promise<number> {
  const { orderNo } = await who.selling.quote(newMerchantForm())
  return (await who.selling.add({ orderNo })).id
}
const buySms = async (merchantId = shop) =>
  (await me.sms.buy({ merchantId, packageId: 1, totalCents: 2_000 })).orderNo
const buySeats = () => me.services.buy({ merchantId: shop, items: [SEATS], totalCents: 10_000 })

test('a fresh agent has nothing to show, on all days', async () => {
  assert.deepEqual(await tiles(me), { today: NONE, yesterday: NONE })
  const charts = await me.dashboard.charts()
  const { today: shown, ...sums } = charts
  const today = formatDay(new Date())
  assert.equal(shown, today)
  for (const [name, values] of Object.entries(sums)) assert.deepEqual(values, Array(CHART_DAYS).fill(0), name)
})

test('each purchase counts once in its tile, and its undo takes it back', async () => {
  const quoted = await me.selling.quote(newMerchantForm())
  assert.deepEqual((await tiles(me)).today, NONE, 'a quote is no order')
  await me.selling.add({ orderNo: quoted.orderNo })
  assert.deepEqual((await tiles(me)).today, { ...NONE, merchants: 1, versions: 1 })
  const renewal = await renewShop(me, shop)
  const smsNo = await buySms()
  await buySeats()
  assert.deepEqual((await tiles(me)).today, { sms: 1, merchants: 1, versions: 2, services: 1 })
  const reason = '客户退款'
  await me.settlement.undo({ kind: 'sms', orderNo: smsNo, reason })
  await me.settlement.undo({ kind: 'version', orderNo: renewal.orderNo, reason })
  const [bought] = (await me.services.orders({})).rows
  assert.ok(bought)
  await me.settlement.undo({ kind: 'service', orderNo: bought.orderNo, reason })
  assert.deepEqual(await tiles(me), { today: { ...NONE, merchants: 1, versions: 1 }, yesterday: NONE })
  const { versionCents, serviceCents, smsCents } = await me.dashboard.charts()
  const [order] = (await me.orders.list({ status: 'paid' })).rows
  assert.deepEqual([versionCents.at(-1), serviceCents.at(-1), smsCents.at(-1)], [order?.totalCents, 0, 0])
})

test('a refused purchase counts nothing', async () => {
  const poor = await makeAgent(office)
  const client = office.as(await office.login(poor.loginName))
  const theirs = await makeMerchant(office, poor.id, { registered_at: LONG_AGO })
  const bought = client.sms.buy({ merchantId: theirs, packageId: 1, totalCents: 2_000 })
  assert.equal(await refusalOf(bought), 'INSUFFICIENT')
  assert.deepEqual(await tiles(client), { today: NONE, yesterday: NONE })
})

test('a day begins and ends at midnight of Asia/Shanghai, as in the lists', async () => {
  const today = formatDay(new Date())
  const yesterday = addDays(today, -1)
  const first = startOfDay(today).toISOString()
  const last = new Date(startOfDay(today).getTime() - 1).toISOString()
  const beforeYesterday = new Date(startOfDay(yesterday).getTime() - 1).toISOString()
  const order = (paidAt: string) =>
    makeOrder(office, { agentId: agent.id, createdBy: agent.accountId, merchantId: shop, paidAt })
  for (const at of [first, last, last, startOfDay(yesterday).toISOString(), beforeYesterday]) await order(at)
  for (const at of [first, new Date(endOfDay(today).getTime() - 1).toISOString(), last, beforeYesterday])
    await makeMerchant(office, agent.id, { registered_at: at })
  const smsNo = await buySms()
  await buySeats()
  await office.owner.query('update sms_orders set created_at = $2 where order_no = $1', [smsNo, last])
  await office.owner.query('update service_orders set created_at = $2 where agent_id = $1', [agent.id, first])
  assert.deepEqual(await tiles(me), {
    today: { sms: 0, merchants: 2, versions: 1, services: 1 },
    yesterday: { sms: 1, merchants: 1, versions: 3, services: 0 },
  })
})

test('another agent’s orders and shops are not counted; vendor staff see the sum of all', async () => {
  const other = await makeAgent(office, { tokens: 10_000 })
  const they = office.as(await office.login(other.loginName))
  const [before, chartsBefore] = [await tiles(staff), await staff.dashboard.charts()]
  await openShop(me)
  await openShop(they)
  await openShop(they)
  await buySms()
  assert.deepEqual((await tiles(me)).today, { ...NONE, sms: 1, merchants: 1, versions: 1 })
  assert.deepEqual((await tiles(they)).today, { ...NONE, merchants: 2, versions: 2 })
  const after = await tiles(staff)
  assert.deepEqual(after.yesterday, before.yesterday)
  assert.deepEqual(after.today, {
    sms: before.today.sms + 1,
    merchants: before.today.merchants + 3,
    versions: before.today.versions + 3,
    services: before.today.services,
  })
  const [mine, theirs, all] = await Promise.all([
    me.dashboard.charts(),
    they.dashboard.charts(),
    staff.dashboard.charts(),
  ])
  for (const name of ['versionCents', 'smsCents', 'registered', 'expiring'] as const)
    assert.deepEqual(
      all[name].map((value, i) => value - (chartsBefore[name][i] ?? 0)),
      mine[name].map((value, i) => value + (theirs[name][i] ?? 0)),
      name,
    )
})

test('the charts show each day’s sales by kind, new shops, ending terms and segments', async () => {
  const today = formatDay(new Date())
  const noon = (day: string) => `${day}T12:00:00+08:00`
  const day = addDays(today, -7)
  const made = { agentId: agent.id, createdBy: agent.accountId, merchantId: shop }
  await makeOrder(office, { ...made, paidAt: noon(day), totalCents: 12_300 })
  await makeOrder(office, { ...made, paidAt: noon(day), totalCents: 700 })
  await makeOrder(office, { ...made, paidAt: noon(day), totalCents: 99, status: 'recycled' })
  await makeOrder(office, { ...made, paidAt: noon(addDays(today, -CHART_DAYS)), totalCents: 55 })
  await makeMerchant(office, agent.id, { registered_at: noon(day), expires_at: noon(addDays(today, 3)) })
  await makeMerchant(office, agent.id, {
    registered_at: noon(addDays(today, -CHART_DAYS)),
    expires_at: noon(addDays(today, CHART_DAYS)),
  })
  const used =
    'insert into sms_days (payer, payer_id, day, agent_id, messages, segments) values ($1, $2, $3, $4, $5, $6)'
  await office.owner.query(used, ['agent', agent.id, day, agent.id, 2, 3])
  await office.owner.query(used, ['merchant', shop, day, agent.id, 4, 5])
  const charts = await me.dashboard.charts()
  const only = (days: string[], on: string, value: number) => days.map(one => (one === on ? value : 0))
  assert.deepEqual(charts.versionCents, only(pastDays(charts.today), day, 13_000))
  assert.deepEqual(charts.registered, only(pastDays(charts.today), day, 1))
  assert.deepEqual(charts.expiring, only(comingDays(charts.today), addDays(today, 3), 1))
  assert.deepEqual(charts.segments, only(pastDays(charts.today), day, 8))
})

test('yuan for SMS credit from outside is told apart from tokens', async () => {
  await buySms()
  await office.owner.query(
    `insert into sms_orders (order_no, agent_id, kind, name, pieces, original_cents, discount_basis_points, total_cents,
       pay_method, status, created_by, created_by_name, created_at)
     values (next_order_no(), $1, 'recharge', '短信充值', 200, 1000, 10000, 1000, 'wechat', 'quoted', $2, '姓名', now())`,
    [agent.id, agent.accountId],
  )
  assert.equal((await me.dashboard.charts()).rechargeFen.at(-1), 0, 'not paid yet')
  await office.owner.query(`update sms_orders set status = 'paid' where agent_id = $1`, [agent.id])
  const charts = await me.dashboard.charts()
  assert.deepEqual([charts.smsCents.at(-1), charts.rechargeFen.at(-1)], [2_000, 1_000])
  assert.equal((await tiles(me)).today.sms, 2)
})

test('an account whose role does not hold the figures is refused', async () => {
  const { loginName } = await makeAccount(office, agent.id, { nodeIds: [27, 51] })
  const client = office.as(await office.login(loginName))
  assert.equal(await refusalOf(client.dashboard.figures()), 'FORBIDDEN')
  assert.equal(await refusalOf(client.dashboard.charts()), 'FORBIDDEN')
})

const RECOUNT = `
  select agent_id::int, day::text, kind, sum(orders)::int as orders, sum(cents)::int as cents, sum(fen)::int as fen from (
    select agent_id, (paid_at at time zone 'Asia/Shanghai')::date as day, 'version' as kind, 1 as orders, total_cents as cents, 0 as fen
      from version_orders where status = 'paid'
    union all select agent_id, (created_at at time zone 'Asia/Shanghai')::date, 'service', 1, total_cents, 0
      from service_orders where state = 'completed'
    union all select agent_id, (created_at at time zone 'Asia/Shanghai')::date, 'sms', 1,
      case when kind = 'recharge' then 0 else total_cents end, case when kind = 'recharge' then total_cents else 0 end
      from sms_orders where status = 'paid') as recounted
  group by 1, 2, 3 order by 1, 2, 3`
const KEPT = `
  select agent_id::int, day::text, kind, orders::int, cents::int, fen::int from order_days
  where orders <> 0 or cents <> 0 or fen <> 0 order by 1, 2, 3`

test('after any changes in any order, at once and in one transaction, what is kept equals a recount', async () => {
  const other = await makeAgent(office, { tokens: 10_000 })
  let seed = 20_261
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const at = () => new Date(Date.now() - random(40) * 43_200_000).toISOString()
  const numbers: string[] = []
  for (let i = 0; i < 12; i++)
    numbers.push(
      await makeOrder(office, {
        agentId: i % 2 ? agent.id : other.id,
        createdBy: agent.accountId,
        merchantId: shop,
        paidAt: at(),
        totalCents: random(5_000),
      }),
    )
  await buySms()
  await buySms()
  await buySeats()
  const changes: (() => [string, unknown[]])[] = [
    () => [
      'update version_orders set status = $2 where order_no = $1',
      [pick(), pickOf('paid', 'recycled', 'quoted')],
    ],
    () => ['update version_orders set paid_at = $2 where order_no = $1', [pick(), at()]],
    () => ['update version_orders set total_cents = $2 where order_no = $1', [pick(), random(9_000)]],
    () => [
      'update version_orders set agent_id = $2 where order_no = $1',
      [pick(), random(2) ? agent.id : other.id],
    ],
    () => [
      'update sms_orders set status = $2, kind = $3 where agent_id = $1',
      [agent.id, pickOf('paid', 'recycled'), pickOf('package', 'recharge')],
    ],
    () => ['update sms_orders set created_at = $2 where agent_id = $1', [agent.id, at()]],
    () => [
      'update service_orders set state = $2 where agent_id = $1',
      [agent.id, pickOf('completed', 'recalled')],
    ],
    () => [
      'update service_orders set created_at = $2, total_cents = $3 where agent_id = $1',
      [agent.id, at(), random(900)],
    ],
  ]
  const pick = () => numbers[random(numbers.length)]
  const pickOf = (...words: string[]) => words[random(words.length)]
  for (let round = 0; round < 25; round++) {
    const together = Array.from(
      { length: 4 },
      () => changes[random(changes.length)]?.() as [string, unknown[]],
    )
    if (round % 2 === 0) await Promise.all(together.map(([text, values]) => office.owner.query(text, values)))
    else await inOneTransaction(together)
  }
  await office.owner.query('delete from version_orders where order_no = $1', [numbers[0]])
  const [kept, recounted] = await Promise.all([office.owner.query(KEPT), office.owner.query(RECOUNT)])
  assert.ok(recounted.rows.length > 5)
  assert.deepEqual(
    kept.rows,
    recounted.rows.filter(row => row.orders !== 0),
  )
  await tiles(me)
})

async function inOneTransaction(changes: [string, unknown[]][]): Promise<void> {
  const client = await office.owner.connect()
  try {
    await client.query('begin')
    for (const [text, values] of changes) await client.query(text, values)
    await client.query('commit')
  } finally {
    client.release()
  }
}

test('segments of an agent stay the sum over it and its shops, whatever happens to their rows', async () => {
  const other = await makeAgent(office)
  const day = formatDay(new Date())
  const run = (text: string, values: unknown[] = []) => office.owner.query(text, values)
  const upsert = `insert into sms_days (payer, payer_id, day, agent_id, messages, segments)
    select 'merchant', id, $2, $1, 1, 2 from generate_series($3::int, $3::int + 9) as id
    on conflict (payer, payer_id, day) do update set messages = sms_days.messages + 1, segments = sms_days.segments + excluded.segments`
  await run(upsert, [agent.id, day, 1])
  await run(upsert, [agent.id, day, 5])
  await run(upsert, [other.id, addDays(day, -1), 100])
  assert.equal((await me.dashboard.charts()).segments.at(-1), 40)
  await run('update sms_days set segments = segments - 1 where agent_id = $1 and payer_id < 4', [agent.id])
  await run('delete from sms_days where payer_id = 10')
  await run('update sms_days set agent_id = $1 where payer_id = 100', [agent.id])
  const sums = async (table: string) =>
    (
      await run(
        `select agent_id::int, day::text, sum(messages)::int as messages, sum(segments)::int as segments from ${table}
         group by 1, 2 having sum(segments) <> 0 order by 1, 2`,
      )
    ).rows
  assert.deepEqual(await sums('sms_agent_days'), await sums('sms_days'))
  const { segments } = await me.dashboard.charts()
  assert.deepEqual(segments.slice(-2), [2, 33])
})

const COUNTS = {
  both: [true, true],
  'the explicit scope alone': [true, false],
  'row security alone': [false, true],
} as const
for (const [name, [explicitScope, rowSecurity]] of Object.entries(COUNTS))
  test(`another agent’s figures stay apart behind ${name}`, async () => {
    assert.deepEqual(await seenOfAnother({ explicitScope, rowSecurity }), [0, 0, 0])
  })

test('without both walls another agent’s figures would be seen', async () => {
  assert.deepEqual(await seenOfAnother({ explicitScope: false, rowSecurity: false }), [1, 700, 3])
})

/** New shops, tokens and segments of another agent in the figures of one that has none. */
async function seenOfAnother(walls: { explicitScope: boolean; rowSecurity: boolean }): Promise<unknown[]> {
  const walled = await openOffice({ walls })
  try {
    const [a, b] = [await makeAgent(walled), await makeAgent(walled)]
    const merchantId = await makeMerchant(walled, a.id)
    const today = formatDay(new Date())
    const paidAt = new Date().toISOString()
    await makeOrder(walled, { agentId: a.id, createdBy: a.accountId, merchantId, paidAt, totalCents: 700 })
    await walled.owner.query(`insert into sms_days values ('merchant', $1, $2, $3, 3, 3)`, [
      merchantId,
      today,
      a.id,
    ])
    const client = walled.as(await walled.login(b.loginName))
    const [figures, charts] = [await client.dashboard.figures(), await client.dashboard.charts()]
    return [figures.tiles.merchants.today, charts.versionCents.at(-1), charts.segments.at(-1)]
  } finally {
    await walled.stop()
  }
}

test('all kinds of orders that are kept are shown by a chart', async () => {
  const { rows } = await office.owner.query<{ kind: string }>(
    'select distinct kind from order_days order by kind',
  )
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ORDER_KINDS.toSorted(),
  )
})
