// This month until today and the same days of the last: sums that triggers keep, and the renewals of one agent.
import { and, between, eq, gte, lt, ne, sql } from 'drizzle-orm'
import { profitByDay } from '#features/sales/margins/server-margins.ts'
import { versionOrderEffects, versionOrders } from '#features/sales/orders/tables.ts'
import { salesByDay } from '#features/sales/settlement/server-sales.ts'
import { merchantDays } from '#features/shops/merchants/tables.ts'
import type { Out } from '#kit/declare/op.ts'
import { endOfDay, formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import type { dashboard as contract } from './contract.ts'
import { monthsCompared } from './rules.ts'

type Range = { from: string; to: string }
type Summed = { day: string }

export async function monthOfDay(ctx: Ctx): Promise<Out<typeof contract.month>> {
  const today = formatDay(ctx.now)
  const months = monthsCompared(today)
  const range = { from: months.before[0] ?? today, to: today }
  const compared = <Row extends Summed>(rows: readonly Row[], of: (row: Row) => number) => {
    const byDay = new Map(rows.map(row => [row.day, of(row)]))
    const valuesOf = (days: readonly string[]) => days.map(day => byDay.get(day) ?? 0)
    return { now: valuesOf(months.now), before: valuesOf(months.before) }
  }
  const { isVendorStaff, permissions } = ctx.actor
  const [sales, shops, profit, renewals] = await together([
    salesByDay(ctx, range),
    shopsByDay(ctx, range),
    permissions.has('margins.orders') ? profitByDay(ctx, range) : null,
    isVendorStaff ? null : renewedByDay(ctx, range),
  ])
  const seen = {
    today,
    salesCents: compared(sales, row => row.cents),
    profitFen: profit && compared(profit, row => row.fen),
    registered: compared(shops, row => row.registered),
  }
  if (!renewals) return { ...seen, due: null, renewed: null }
  const renewed = compared(renewals, row => row.shops)
  const lapsed = compared(shops, row => row.expiring)
  const due = (which: 'now' | 'before') => lapsed[which].map((shops, i) => shops + (renewed[which][i] ?? 0))
  return { ...seen, due: { now: due('now'), before: due('before') }, renewed }
}

function shopsByDay(ctx: Ctx, { from, to }: Range) {
  const sumOf = (column: typeof merchantDays.registered | typeof merchantDays.expiring) =>
    sql<number>`sum(${column})`.mapWith(Number)
  return ctx.db
    .select({
      day: merchantDays.day,
      registered: sumOf(merchantDays.registered),
      expiring: sumOf(merchantDays.expiring),
    })
    .from(merchantDays)
    .where(and(ownRows(ctx, merchantDays.agentId), between(merchantDays.day, from, to)))
    .groupBy(merchantDays.day)
}

/** Shops by the day on which their term would have ended, had they not been renewed by an order that stands. */
function renewedByDay(ctx: Ctx, { from, to }: Range) {
  const day = sql<string>`shanghai_day(${versionOrderEffects.expiresBefore})::text`
  return ctx.db
    .select({
      day,
      shops: sql<number>`count(distinct ${versionOrderEffects.merchantId})`.mapWith(Number),
    })
    .from(versionOrderEffects)
    .innerJoin(versionOrders, eq(versionOrders.id, versionOrderEffects.orderId))
    .where(
      and(
        eq(versionOrderEffects.agentId, ctx.actor.agentId),
        gte(versionOrderEffects.expiresBefore, startOfDay(from).toISOString()),
        lt(versionOrderEffects.expiresBefore, endOfDay(to).toISOString()),
        sql`${versionOrderEffects.expiresAfter} is distinct from ${versionOrderEffects.expiresBefore}`,
        eq(versionOrders.status, 'paid'),
        ne(versionOrders.salesType, 'new'),
      ),
    )
    .groupBy(day)
}
