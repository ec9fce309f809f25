// 销售额 (docs/GLOSSARY.md): sums over the orders that stand, kept per day by triggers, never over orders.
import { and, between, eq, sql } from 'drizzle-orm'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { orderDays } from './tables.ts'

type Asked = { agentId?: number; from: string; to: string }

/** Of one agent, where the acting one may see it. Days are YYYY-MM-DD, both included. */
export function salesByMonth(ctx: Ctx, asked: Required<Asked>) {
  const isOwn = ownRows(ctx, orderDays.agentId) !== undefined
  const key = `sales_by_month_${isOwn ? 'own' : 'all'}`
  return ctx
    .prepared(key, db => {
      const month = sql<string>`to_char(${orderDays.day}, 'YYYY-MM')`
      return db
        .select({ month, kind: orderDays.kind, cents: sql<number>`sum(${orderDays.cents})`.mapWith(Number) })
        .from(orderDays)
        .where(
          and(
            eq(orderDays.agentId, sql.placeholder('agentId')),
            isOwn ? eq(orderDays.agentId, sql.placeholder('actingAgentId')) : undefined,
            between(orderDays.day, sql.placeholder('from'), sql.placeholder('to')),
          ),
        )
        .groupBy(month, orderDays.kind)
        .prepare(key)
    })
    .execute({ ...asked, actingAgentId: ctx.actor.agentId })
}

/** By day, all kinds together; without an agent the acting agent's, all agents' for vendor staff. */
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
