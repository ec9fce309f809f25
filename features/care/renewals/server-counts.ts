// What the desk counts: windows, managers, months. Windows stop at COUNT_CAP; months read sums that triggers keep.
import { and, asc, count, eq, gte, lte, sql } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { merchantDays, merchants } from '#features/shops/merchants/tables.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { addMonths, formatDay } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import type { renewals as contract } from './contract.ts'
import { type MarkState, WINDOWS, type Window } from './rules.ts'
import { windowConditions } from './server-desk.ts'
import { latestMarks } from './server-marks.ts'

const MONTHS = 12

export const countsOfDesk: Verb<typeof contract.counts> = async (ctx, input) => {
  const { now } = ctx
  const windows = []
  for (const window of WINDOWS) {
    const limited = ctx.db
      .select({ one: sql`1`.as('one') })
      .from(merchants)
      .where(and(...windowConditions(ctx, window, input.agentId, now)))
      .limit(COUNT_CAP + 1)
      .as('limited')
    const [row] = await ctx.db.select({ total: count() }).from(limited)
    const total = row?.total ?? 0
    windows.push({ window, count: Math.min(total, COUNT_CAP), capped: total > COUNT_CAP })
  }
  const agentId = ownRows(ctx, merchants.agentId) ? ctx.actor.agentId : input.agentId
  return { windows, managers: agentId === undefined ? [] : await managersOf(ctx, agentId, input.window, now) }
}

async function managersOf(ctx: Ctx, agentId: number, window: Window, now: Date) {
  const latest = latestMarks(ctx, agentId, now)
  const marked = (state: MarkState) =>
    sql<number>`count(*) filter (where ${latest.state} = ${state})`.mapWith(Number)
  const counted = await ctx.db
    .select({
      managerId: merchants.managerId,
      due: count(),
      contacted: marked('contacted'),
      promised: marked('promised'),
      lost: marked('lost'),
    })
    .from(merchants)
    .leftJoin(latest, and(eq(latest.merchantId, merchants.id), eq(latest.agentId, merchants.agentId)))
    .where(and(...windowConditions(ctx, window, agentId, now)))
    .groupBy(merchants.managerId)
  const names = await ctx.db
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .where(eq(accounts.agentId, agentId))
    .orderBy(asc(accounts.id))
  return [{ id: 0, name: '未分配' }, ...names].flatMap(({ id, name }) => {
    const found = counted.find(row => (row.managerId ?? 0) === id)
    return found ? [{ ...found, managerId: id, managerName: name }] : []
  })
}

export const monthsOfDesk: Verb<typeof contract.months> = async (ctx, input) => {
  const { now } = ctx
  const month = (offset: number) => formatDay(addMonths(firstOfMonth(now), offset)).slice(0, 7)
  const past = Array.from({ length: MONTHS }, (_, i) => month(i - MONTHS + 1))
  const coming = Array.from({ length: MONTHS }, (_, i) => month(i))
  // First by day, in the order of an index that holds the sums: a day has a row of each agent.
  const days = ctx.db
    .select({
      day: merchantDays.day,
      registered: sql<number>`sum(${merchantDays.registered})`.as('registered_sum'),
      expiring: sql<number>`sum(${merchantDays.expiring})`.as('expiring_sum'),
    })
    .from(merchantDays)
    .where(
      and(
        ownRows(ctx, merchantDays.agentId),
        input.agentId === undefined ? undefined : eq(merchantDays.agentId, input.agentId),
        gte(merchantDays.day, `${past[0]}-01`),
        lte(merchantDays.day, `${coming.at(-1)}-31`.replace(/-31$/, lastDay(coming.at(-1) as string))),
      ),
    )
    .groupBy(merchantDays.day)
    .as('days')
  const name = sql<string>`to_char(${days.day}, 'YYYY-MM')`
  const rows = await ctx.db
    .select({
      month: name,
      registered: sql<number>`sum(${days.registered})`.mapWith(Number),
      expiring: sql<number>`sum(${days.expiring})`.mapWith(Number),
    })
    .from(days)
    .groupBy(name)
  const of = (wanted: string, key: 'registered' | 'expiring') =>
    rows.find(row => row.month === wanted)?.[key] ?? 0
  return {
    registered: past.map(month => ({ month, count: of(month, 'registered') })),
    expiring: coming.map(month => ({ month, count: of(month, 'expiring') })),
  }
}

function firstOfMonth(now: Date): Date {
  return new Date(`${formatDay(now).slice(0, 7)}-01T00:00:00+08:00`)
}

function lastDay(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return `-${String(new Date(Date.UTC(year, number, 0)).getUTCDate()).padStart(2, '0')}`
}
