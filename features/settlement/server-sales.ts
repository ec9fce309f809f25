// 销售额 (docs/GLOSSARY.md): sums over the orders that stand, kept per day by triggers, never over orders.
import { and, between, eq, sql } from 'drizzle-orm'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { orderDays } from './tables.ts'

type Asked = { agentId?: number; from: string; to: string }

/** Without an agent the acting agent's, all agents' for vendor staff. Days are YYYY-MM-DD, both included. */
export function salesByMonth(ctx: Ctx, asked: Asked) {
  const month = sql<string>`to_char(${orderDays.day}, 'YYYY-MM')`
  return ctx.db
    .select({ month, kind: orderDays.kind, cents: sql<number>`sum(${orderDays.cents})`.mapWith(Number) })
    .from(orderDays)
    .where(ofDays(ctx, asked))
    .groupBy(month, orderDays.kind)
}

/** The same by day, all kinds together. */
export function salesByDay(ctx: Ctx, asked: Asked) {
  return ctx.db
    .select({ day: orderDays.day, cents: sql<number>`sum(${orderDays.cents})`.mapWith(Number) })
    .from(orderDays)
    .where(ofDays(ctx, asked))
    .groupBy(orderDays.day)
}

function ofDays(ctx: Ctx, { agentId, from, to }: Asked) {
  return and(
    agentId === undefined ? undefined : eq(orderDays.agentId, agentId),
    ownRows(ctx, orderDays.agentId),
    between(orderDays.day, from, to),
  )
}
