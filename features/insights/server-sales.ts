// 销售额 of one agent on some days by month and part, as the ranking adds it up: sums that are kept per day.
import { and, eq } from 'drizzle-orm'
import { agents } from '#features/agents/tables.ts'
import { ORDER_KINDS } from '#features/settlement/rules.ts'
import { salesByMonth } from '#features/settlement/server-sales.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuseCommon } from '#server/refuse.ts'
import type { insights as contract } from './contract.ts'
import { monthsOf, type Range } from './rules.ts'

export const findSales: Verb<typeof contract.sales> = async (ctx, input) => {
  const { agentId, from, to, beforeFrom, beforeTo } = input
  const [agent] = await ctx.db
    .select({ agentId: agents.id, companyName: agents.companyName })
    .from(agents)
    .where(and(eq(agents.id, agentId), ownRows(ctx, agents.id)))
  const compared = beforeFrom !== undefined && beforeTo !== undefined
  return {
    ...found(agent),
    now: await soldIn(ctx, agentId, { from, to }),
    before: compared ? await soldIn(ctx, agentId, { from: beforeFrom, to: beforeTo }) : null,
  }
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
