// What the operator's pages say is what the start page, the statement and the ledger say, on the demo and after more was sold.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { DEMO_AGENTS } from '#features/office/access/demo.ts'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { renewalRate } from '#features/overview/dashboard/rules.ts'
import { comparedPeriods, daysOfMonth } from '#features/sales/settlement/rules.ts'
import { endOfDay, formatDay } from '#kit/time.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { makeAgent, newMerchantForm } from '#test/make.ts'
import { renewShop } from '#test/make-settlement.ts'
import { FOLD } from './jobs.ts'
import { LINE_MONTHS, OWN_LEVEL, STANDING, STANDING_KEYS } from './rules.ts'
import { verifyInsights } from './verify.ts'

let office: Office
let staff: Client
let agent: Client
before(async () => {
  office = await openOffice({ demo: true })
  staff = office.as(await office.login('10001', DEMO_PASSWORD))
  agent = office.as(await office.login('20001', DEMO_PASSWORD))
})
after(() => office.stop())

const SOUND = { sums: 0, terms: 0, cohorts: 0 }
const today = formatDay(new Date())
const thisMonth = today.slice(0, 7)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

async function ranked(id: number, asked: { period?: 'month' | 'quarter' | 'year'; month?: string } = {}) {
  const { rows } = await staff.insights.partners({ search: String(id), ...asked })
  const row = rows.find(one => one.id === id)
  assert.ok(row, String(id))
  return row
}

test('the sums of the demo are those of its orders, terms and entries, before and after they are folded', async () => {
  assert.deepEqual(await verifyInsights(office.owner), SOUND)
  const { rows: many } = await office.owner.query('select count(*)::int as n from insight_sums')
  await office.owner.query(FOLD)
  const { rows: few } = await office.owner.query('select count(*)::int as n from insight_sums')
  assert.ok(few[0].n < many[0].n)
  assert.deepEqual(await verifyInsights(office.owner), SOUND)
})

/** What the start page and the ranking say of an agency's month, each in its own way. */
async function agrees(): Promise<void> {
  const month = await agent.dashboard.month()
  const row = await ranked(DEMO_AGENTS.first)
  assert.equal(row.salesCents, sum(month.salesCents.now))
  assert.equal(row.beforeCents, sum(month.salesCents.before))
  assert.equal(row.salesCents, row.versionCents + row.serviceCents + row.smsCents)
  const [renewed, due] = [sum(month.renewed?.now ?? []), sum(month.due?.now ?? [])]
  assert.equal(row.renewed, renewed)
  assert.equal(row.lapsed, due - renewed)
  const rate = renewalRate(renewed, due)
  assert.equal(row.renewalRate === null ? null : Math.round(row.renewalRate / 10), rate)
  for (const period of ['quarter', 'year'] as const) {
    const { now } = comparedPeriods(period, thisMonth, today)
    const { sales } = await agent.settlement.statement({ month: thisMonth })
    const told = sales.filter(one => `${one.month}-01` >= now.from).map(({ cents }) => sum(cents))
    assert.equal((await ranked(DEMO_AGENTS.first, { period })).salesCents, sum(told), period)
  }
}

test('sales and renewals are those of the start page and the statement', () => agrees())

test('what is sold, renewed and undone is told at once', async () => {
  const before = await ranked(DEMO_AGENTS.first)
  const { orderNo } = await agent.selling.quote(newMerchantForm())
  const { id } = await agent.selling.add({ orderNo })
  await agent.services.buy({
    merchantId: id,
    items: [{ serviceId: 11, quantity: 1, years: 1 }],
    totalCents: 6_000,
  })
  await agent.sms.buy({ merchantId: id, packageId: 1, totalCents: 1_200 })
  const { orderNo: renewed } = await renewShop(agent, id)
  const after = await ranked(DEMO_AGENTS.first)
  assert.ok(after.salesCents > before.salesCents)
  assert.equal(after.idleDays, 0)
  await agrees()
  assert.deepEqual(await verifyInsights(office.owner), SOUND)
  await agent.settlement.undo({ kind: 'version', orderNo: renewed, reason: '试' })
  assert.deepEqual(await verifyInsights(office.owner), SOUND)
  await agrees()
})

test('what stands on the accounts at the end of each month is what the ledger says, and its days', async () => {
  const { months, levels } = await staff.insights.funds()
  assert.equal(months.length, LINE_MONTHS)
  const lines = Object.fromEntries(
    STANDING_KEYS.map(key => [key, months.map((_, at) => sum(levels.map(({ line }) => line[key][at] ?? 0)))]),
  )
  for (const [at, month] of months.entries()) {
    const until = endOfDay(daysOfMonth(month).last).toISOString()
    const { rows } = await office.owner.query<{ kind: string; held: string }>(
      `select owner_kind || '-' || asset as kind, sum(balance_after) as held from ledger_accounts a
        join lateral (select balance_after from ledger_entries e where e.account_id = a.id and e.created_at < $1
          order by sequence desc limit 1) as last on true
       where owner_kind <> 'vendor' group by 1`,
      [until],
    )
    for (const key of STANDING_KEYS) {
      const held = Number(rows.find(({ kind }) => kind === STANDING[key].kind)?.held ?? 0)
      assert.equal(lines[key]?.[at], held, `${month} ${key}`)
    }
    const { rows: days } = await office.owner.query<{ asset: string; held: string }>(
      `select asset, sum(income - spent) as held from ledger_days where day < $1::timestamptz at time zone 'Asia/Shanghai' group by 1`,
      [until],
    )
    const ofDays = (asset: string) => Number(days.find(day => day.asset === asset)?.held ?? 0)
    assert.equal(lines.tokens?.[at], ofDays('token'), `${month} tokens by days`)
    assert.equal(lines.agentSms?.[at], ofDays('sms'), `${month} SMS by days`)
  }
  for (const { now, line } of levels)
    for (const key of STANDING_KEYS) assert.equal(now[key], line[key].at(-1))
  const { rows: agencies } = await staff.insights.partners({ size: 100 })
  for (const { id, now } of levels.filter(({ id }) => id !== OWN_LEVEL)) {
    const { rows } = await staff.insights.partners({ levelId: id, size: 100 })
    assert.equal(sum(rows.map(({ tokenCents }) => tokenCents)), now.tokens)
    assert.equal(sum(rows.map(({ smsPieces }) => smsPieces)), now.agentSms)
    assert.equal(sum(rows.map(({ shopSms }) => shopSms)), now.shopSms)
  }
  assert.ok(sum(agencies.map(({ tokenCents }) => tokenCents)) > 0)
  assert.ok(new Set(lines.tokens).size > 6)
})

test('what is held is what its lists have', async () => {
  const { held } = await staff.insights.funds()
  const countOf = (key: string) => held.find(one => one.key === key)?.count
  assert.equal(countOf('intents'), (await staff.paymentDesk.intents({ status: 'waiting' })).total)
  assert.equal(countOf('undos'), (await staff.settlement.undoRequests({ state: 'pending' })).total)
  for (const state of ['paid', 'short', 'stuck'] as const)
    assert.equal(countOf(state), (await staff.shopPages.renewals({ state })).total, state)
  assert.ok((countOf('undos') ?? 0) > 0)
})

test('filters, sorts and months of the ranking', async () => {
  const { rows, total } = await staff.insights.partners({ size: 100 })
  assert.equal(rows.length, total)
  assert.ok(rows.length > 3)
  const levels = (await staff.insights.levels()).rows.filter(({ id }) => id !== OWN_LEVEL)
  for (const { id, name } of levels)
    assert.deepEqual(
      (await staff.insights.partners({ levelId: id, size: 100 })).rows.map(row => row.id),
      rows.filter(row => row.levelName === name).map(row => row.id),
      name,
    )
  const ours = (await staff.insights.partners({ levelId: OWN_LEVEL, size: 100 })).rows.map(row => row.id)
  assert.ok(ours.length > 0)
  const whole = (await staff.insights.partners({ own: true, size: 100 })).rows.map(row => row.id)
  assert.deepEqual(whole.toSorted(), [...rows.map(row => row.id), ...ours].toSorted())
  const below = (await staff.insights.partners({ parentId: DEMO_AGENTS.first })).rows
  assert.ok(below.some(({ id }) => id === DEMO_AGENTS.below))
  const idle = (await staff.insights.partners({ idle: 30, size: 100 })).rows
  assert.deepEqual(
    idle.map(({ id }) => id).toSorted(),
    rows
      .filter(({ idleDays }) => idleDays === null || idleDays >= 30)
      .map(({ id }) => id)
      .toSorted(),
  )
  const thirty = await ranked(DEMO_AGENTS.first)
  const { rows: ninety } = await staff.insights.partners({ search: String(DEMO_AGENTS.first), spending: 90 })
  assert.ok((ninety[0]?.spentCents ?? 0) > thirty.spentCents)
  assert.equal(thirty.daysLeft, Math.floor((thirty.tokenCents * 30) / thirty.spentCents))
  assert.equal(await refusalOf(staff.insights.partners({ month: '2026-13' })), 'INPUT_INVALID')
})

test('an agent that never bought is dormant for ever, and nothing is divided by nothing', async () => {
  const { id } = await makeAgent(office)
  const row = await ranked(id)
  assert.deepEqual(
    [row.idleDays, row.boughtOn, row.growth, row.renewalRate, row.daysLeft, row.salesCents],
    [null, null, null, null, null, 0],
  )
  assert.ok((await staff.insights.partners({ idle: 180, size: 100 })).rows.some(one => one.id === id))
})

test('an agent sees none of it', async () => {
  assert.equal(await refusalOf(agent.insights.partners({})), 'FORBIDDEN')
  assert.equal(await refusalOf(agent.insights.levels()), 'FORBIDDEN')
  assert.equal(await refusalOf(agent.insights.funds()), 'FORBIDDEN')
})
