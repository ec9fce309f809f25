// 销售额 of one agent on some days by month and part, as the ranking adds it up: sums that are kept per day.
import { and, eq, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { ORDER_KINDS, type Range } from '#features/sales/settlement/rules.ts'
import { salesByMonth } from '#features/sales/settlement/server-sales.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import { found, refuseCommon } from '#server/refuse.ts'
import type { insights as contract } from './contract.ts'
import { monthsOf } from './rules.ts'

export const findSales: Verb<typeof contract.sales> = async (ctx, input) => {
  const { agentId, from, to, beforeFrom, beforeTo } = input
  const own = ownRows(ctx, agents.id)
  const key = `insight_agent_${own ? 'own' : 'all'}`
  const agent = ctx.prepared(key, db =>
    db
      .select({ agentId: agents.id, companyName: agents.companyName })
      .from(agents)
      .where(
        and(
          eq(agents.id, sql.placeholder('agentId')),
          own ? eq(agents.id, sql.placeholder('actingAgentId')) : undefined,
        ),
      )
      .prepare(key),
  )
  const compared = beforeFrom !== undefined && beforeTo !== undefined
  const [[known], now, before] = await together([
    agent.execute({ agentId, actingAgentId: ctx.actor.agentId }),
    soldIn(ctx, agentId, { from, to }),
    compared ? soldIn(ctx, agentId, { from: beforeFrom, to: beforeTo }) : null,
  ])
  return { ...found(known), now, before }
}

/** A range of so many years is nobody's question. */
const MONTHS_MOST = 60

async function soldIn(ctx: Ctx, agentId: number, range: Range) {
  const months = monthsOf(range)
  if (months.length > MONTHS_MOST || range.from > range.to) refuseCommon('INPUT_INVALID')
  const sums = await salesByMonth(ctx, { agentId, ...range })
  const centsOf = (month: string, kind: string) =>
    sums.find(sum => sum.month === month && sum.kind === kind)?.cents ?? 0
  return {
    ...range,
    months: months.map(part => ({
      ...part,
      cents: Object.fromEntries(ORDER_KINDS.map(kind => [kind, centsOf(part.month, kind)])) as Record<
        (typeof ORDER_KINDS)[number],
        number
      >,
    })),
  }
}
