// Every number of the operator's pages is that of the list it leads to: each cell of the four pages is followed, on the demo.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import { DEMO_AGENTS } from '#features/office/access/demo.ts'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import {
  comparedPeriods,
  daysOfMonth,
  ORDER_KINDS,
  PERIOD_KEYS,
  type Range,
} from '#features/sales/settlement/rules.ts'
import type { Target } from '#kit/declare/pages.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { type Client, type Office, openOffice } from '#test/app.ts'
import { sampled, times } from '#test/lane.ts'
import {
  type CohortFilters,
  cohortTarget,
  incomeTarget,
  levelTarget,
  partTarget,
  rankingTargets,
  SALES_PATH,
} from './fields-targets.ts'
import {
  COHORT_MEASURES,
  type CohortMeasure,
  type CohortUnit,
  cohortShare,
  columnMonths,
  HELD,
  monthsOfYear,
  OWN_LEVEL,
  SPENDING_DAYS,
  STANDING_KEYS,
} from './rules.ts'

let office: Office
let staff: Client
let cookie: string
before(async () => {
  office = await openOffice({ demo: true })
  cookie = await office.login('10001', DEMO_PASSWORD)
  staff = office.as(cookie)
})
after(() => office.stop())

const today = formatDay(new Date())
/** Of ten days ago: in one that has just begun nothing may have happened yet. */
const month = addDays(today, -10).slice(0, 7)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

type Row = Record<string, number>
type Listed = { total: number; rows: Row[] }

/** The lists of pages that have several of them. */
const APIS: Record<string, string> = {
  '/admin/operations/payments': '/api/payments/intents',
  '/admin/detail/billingDetails?view=requests': '/api/settlement/undo-requests',
}

const saidBy = (target: Target): Readonly<Record<string, unknown>> => ({ ...target.search })

function apiOf(target: Target): string {
  const { path } = target
  const { view } = saidBy(target)
  const found = APIS[view === undefined ? path : `${path}?view=${view}`]
  const page = ROUTE_PAGES.find(one => one.path === path)
  assert.ok(page, path)
  const api = found ?? page.list
  assert.ok(api, `${path} has no list`)
  return api
}

const known = new Map<string, Promise<Listed>>()
/** All rows of the list that a number leads to; what its address says is asked for as it stands, and nothing else. */
function listed(target: Target): Promise<Listed> {
  const { view: _, ...search } = saidBy(target)
  const address = `${apiOf(target)}?${new URLSearchParams(
    Object.entries(search).map(([key, value]): [string, string] => [key, String(value)]),
  )}`
  const asked = known.get(address) ?? readAll(address)
  known.set(address, asked)
  return asked
}

async function readAll(address: string): Promise<Listed> {
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const url = `${address}&page=${page}&size=100`
    const { statusCode, body } = await office.app.http.inject({ url, headers: { cookie } })
    assert.equal(statusCode, 200, `${url} ${body}`)
    const answer = JSON.parse(body) as Listed
    rows.push(...answer.rows)
    if (rows.length >= answer.total || answer.rows.length === 0) {
      assert.equal(rows.length, answer.total, address)
      return { total: answer.total, rows }
    }
  }
}

const sumIn = async (target: Target, key: string) =>
  sum((await listed(target)).rows.map(row => row[key] ?? 0))
const told = (target: Target) => `${target.path} ${JSON.stringify(target.search)}`

/** What a page of sales says of the address, each of its cells followed on. */
async function salesAt(target: Target): Promise<{ now: number; before: number | null }> {
  assert.equal(target.path, SALES_PATH)
  const sales = await staff.insights.sales(target.search as never)
  const parts = async (sold: (typeof sales)['now']) => {
    for (const { cents, from, to } of sold.months)
      for (const kind of ORDER_KINDS) {
        const part = partTarget(kind, { from, to }, sales.agentId)
        assert.equal(cents[kind], await sumIn(part, 'totalCents'), told(part))
      }
    return sum(sold.months.flatMap(({ cents }) => ORDER_KINDS.map(kind => cents[kind])))
  }
  return { now: await parts(sales.now), before: sales.before && (await parts(sales.before)) }
}

const RANKINGS = PERIOD_KEYS.flatMap(period => SPENDING_DAYS.map(days => [period, days] as const))
for (const [period, days] of sampled(RANKINGS, 3))
  test(`every number of the ranking leads to what it counts: ${period}, ${days} days`, async () => {
    const compared = comparedPeriods(period, month, today)
    const { rows } = await staff.insights.partners({
      period,
      month,
      spending: days,
      size: 100,
      own: true,
    })
    assert.ok(rows.length > 3)
    let counted = 0
    for (const row of rows) {
      const to = rankingTargets(row, compared, days, today)
      assert.equal(row.salesCents, (await salesAt(to.salesCents)).now, told(to.salesCents))
      assert.equal(row.beforeCents, (await salesAt(to.beforeCents)).now, told(to.beforeCents))
      assert.deepEqual(await salesAt(to.growth), { now: row.salesCents, before: row.beforeCents })
      for (const key of ['versionCents', 'serviceCents', 'smsCents'] as const)
        assert.equal(row[key], await sumIn(to[key], 'totalCents'), told(to[key]))
      assert.equal(row.renewed, (await listed(to.renewed)).total, told(to.renewed))
      assert.deepEqual(to.renewalRate, to.renewed)
      for (const key of ['lapsed', 'shops'] as const)
        assert.equal(row[key], (await listed(to[key])).total, told(to[key]))
      assert.equal(row.shopSms, await sumIn(to.shopSms, 'smsBalance'), told(to.shopSms))
      assert.equal(row.tokenCents, (await listed(to.tokenCents)).rows[0]?.balanceAfterCents ?? 0)
      assert.equal(row.smsPieces, (await listed(to.smsPieces)).rows[0]?.after ?? 0)
      assert.equal(row.spentCents, 0 - (await sumIn(to.spentCents, 'amountCents')), told(to.spentCents))
      assert.deepEqual(to.daysLeft, to.spentCents)
      if (row.boughtOn !== null) assert.ok((await salesAt(to.boughtOn)).now > 0, told(to.boughtOn))
      counted += row.salesCents + row.renewed + row.lapsed
    }
    assert.ok(counted > 0)
  })

const MEASURES = Object.keys(COHORT_MEASURES) as CohortMeasure[]

/** A year of a cohort is over after twelve months. */
const COHORTS = { month: times(12, 36), year: times(24, 36) }

async function followCohorts(unit: CohortUnit, filters: CohortFilters): Promise<number> {
  const { rows } = await staff.insights.cohorts({ unit, rows: COHORTS[unit], ...filters })
  assert.equal(rows.length, COHORTS[unit])
  let counted = 0
  for (const cohort of rows.filter(({ shops }) => shops > 0)) {
    const countOf = async (what: Parameters<typeof cohortTarget>[0], column: Range) =>
      (await listed(cohortTarget(what, cohort.month, column, filters))).total
    assert.equal(cohort.shops, await countOf('shops', columnMonths(unit, cohort.month, 0)), cohort.month)
    for (const [at, cell] of cohort.cells.entries()) {
      const column = columnMonths(unit, cohort.month, at)
      for (const measure of MEASURES) {
        const share = cohortShare(cohort, cell, measure)
        if (!share) continue
        const target = cohortTarget(measure, cohort.month, column, filters)
        assert.equal(share.part, (await listed(target)).total, told(target))
        counted += share.part
      }
      assert.equal(cell.lapsed, await countOf('lapsed', column))
    }
  }
  return counted
}

test('every cell of the cohorts leads to the shops or terms that it counts', async () => {
  assert.ok((await followCohorts('month', {})) > 0)
  assert.ok((await followCohorts('year', {})) > 0)
})

test('the cohorts of a version and of an agent do too', async () => {
  const { versions } = await staff.merchants.options({})
  const counted = await Promise.all(
    versions.slice(0, 4).map(({ id: versionId }) => followCohorts('year', { versionId })),
  )
  assert.ok(sum(counted) > 0)
  assert.ok((await followCohorts('month', { agentId: DEMO_AGENTS.first })) > 0)
  const [first] = versions
  await followCohorts('year', { agentId: DEMO_AGENTS.first, versionId: first?.id })
})

test('the cohorts are whole: all shops of the months, however they are filtered', async () => {
  const count = async (filters: CohortFilters) => {
    const { rows } = await staff.insights.cohorts({ rows: 60, ...filters })
    return sum(rows.map(({ shops }) => shops))
  }
  const { versions } = await staff.merchants.options({})
  const byVersion = await Promise.all(versions.map(({ id: versionId }) => count({ versionId })))
  const { rows } = await staff.insights.partners({ own: true, size: 100 })
  const byAgent = await Promise.all(rows.map(({ id: agentId }) => count({ agentId })))
  const all = await count({})
  assert.ok(all > 0)
  assert.equal(sum(byVersion), all)
  assert.equal(sum(byAgent), all)
})

test('every cell of the income leads to the orders that it adds up', async () => {
  const amounts = { 'token-recharge': 'amountFen', 'sms-recharge': 'rechargeFen' } as Record<string, string>
  let kindsWithSome = 0
  for (const year of [Number(today.slice(0, 4)), Number(today.slice(0, 4)) - 1]) {
    const { kinds } = await staff.insights.income({ year })
    for (const { kind, months } of kinds) {
      const amount = amounts[kind] ?? 'totalCents'
      const check = async (range: Range, entries: number, cents: number) => {
        const target = incomeTarget(kind, range)
        assert.equal(entries, (await listed(target)).total, told(target))
        assert.equal(cents, await sumIn(target, amount), told(target))
      }
      for (const [at, month] of monthsOfYear(year).entries()) {
        const { first: from, last: to } = daysOfMonth(month)
        await check({ from, to }, months[at]?.entries ?? 0, months[at]?.cents ?? 0)
      }
      const entries = sum(months.map(one => one.entries))
      await check({ from: `${year}-01-01`, to: `${year}-12-31` }, entries, sum(months.map(one => one.cents)))
      if (entries > 0) kindsWithSome++
    }
  }
  assert.ok(kindsWithSome >= 8, String(kindsWithSome))
})

test('every number of the funds leads to what holds it', async () => {
  const { levels, held } = await staff.insights.funds()
  const columns = { tokens: 'tokenCents', agentSms: 'smsPieces', shopSms: 'shopSms' } as const
  assert.ok(levels.some(({ id }) => id === OWN_LEVEL))
  for (const { id, agents, now } of levels) {
    assert.equal(agents, (await listed(levelTarget(id))).total, String(id))
    for (const key of STANDING_KEYS)
      assert.equal(now[key], await sumIn(levelTarget(id), columns[key]), `${id} ${key}`)
  }
  assert.equal(sum(levels.map(({ agents }) => agents)), (await listed(levelTarget())).total)
  for (const key of STANDING_KEYS)
    assert.equal(sum(levels.map(({ now }) => now[key])), await sumIn(levelTarget(), columns[key]), key)
  const amountOf = {
    intents: 'amountFen',
    undos: 'totalCents',
    paid: 'amountFen',
    short: 'amountFen',
    stuck: 'amountFen',
  }
  for (const { key, count, cents } of held) {
    const target: Target = { path: HELD[key].path, search: HELD[key].search }
    assert.equal(count, (await listed(target)).total, key)
    assert.equal(cents, await sumIn(target, amountOf[key]), key)
  }
})
