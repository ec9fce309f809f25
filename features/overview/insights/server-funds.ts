// Where money stands: what the ledger's accounts gained, kept per month, and what is on its way.
import { eq, sql } from 'drizzle-orm'
import { agentLevels, agents } from '#features/office/agents/tables.ts'
import { paymentIntents } from '#features/sales/payments/tables.ts'
import { monthsUntil } from '#features/sales/settlement/rules.ts'
import { undoRequests } from '#features/sales/settlement/tables.ts'
import { onlineRenewals } from '#features/sales/shop-pages/tables.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatDay } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import type { insights as contract } from './contract.ts'
import {
  type HeldKey,
  LINE_MONTHS,
  OWN_LEVEL,
  OWN_LEVEL_NAME,
  STANDING,
  STANDING_KEYS,
  type StandingKey,
  type SumKind,
} from './rules.ts'
import { insightSums } from './tables.ts'

type Funds = Out<typeof contract.funds>
type Gained = { levelId: number; month: string; kind: SumKind; amount: number }

const LEVEL = sql<number>`case when ${agents.isVendorStaff} then ${sql.raw(String(OWN_LEVEL))} else ${agents.levelId} end`

export async function findFunds(ctx: Ctx): Promise<Funds> {
  const months = monthsUntil(formatDay(ctx.now).slice(0, 7), LINE_MONTHS)
  const [levels, gained, held] = await together([levelsOf(ctx), gainedByMonth(ctx), heldNow(ctx)])
  return {
    months,
    levels: levels.map(level => {
      const line = linesOf(
        gained.filter(({ levelId }) => levelId === level.id),
        months,
      )
      const now = Object.fromEntries(STANDING_KEYS.map(key => [key, line[key].at(-1) ?? 0]))
      return { ...level, line, now: now as Record<StandingKey, number> }
    }),
    held,
  }
}

function levelsOf(ctx: Ctx) {
  return ctx.db
    .select({
      id: LEVEL,
      name: sql<string>`case when ${agents.isVendorStaff} then ${sql.raw(`'${OWN_LEVEL_NAME}'`)} else ${agentLevels.name} end`,
      agents: sql<number>`count(*)`.mapWith(Number),
    })
    .from(agents)
    .innerJoin(agentLevels, eq(agentLevels.id, agents.levelId))
    .where(ownRows(ctx, agents.id))
    .groupBy(sql`1`, sql`2`)
    .orderBy(sql`1`)
}

function gainedByMonth(ctx: Ctx): Promise<Gained[]> {
  const kinds = STANDING_KEYS.map(key => STANDING[key].kind)
  return ctx.db
    .select({
      levelId: LEVEL,
      month: sql<string>`to_char(${insightSums.month}, 'YYYY-MM')`,
      kind: insightSums.kind,
      amount: sql<number>`sum(${insightSums.amount})`.mapWith(Number),
    })
    .from(insightSums)
    .innerJoin(agents, eq(agents.id, insightSums.agentId))
    .where(
      sql`${insightSums.kind} = any(${sql.param(kinds)}::text[]) and ${ownRows(ctx, insightSums.agentId) ?? sql`true`}`,
    )
    .groupBy(sql`1`, insightSums.month, insightSums.kind)
}

/** What stood at the end of each month: all that was gained until then. */
function linesOf(gained: readonly Gained[], months: readonly string[]): Record<StandingKey, number[]> {
  const lines = STANDING_KEYS.map((key): [StandingKey, number[]] => {
    const own = gained.filter(({ kind }) => kind === STANDING[key].kind)
    const until = (month: string) =>
      own.reduce((sum, one) => (one.month <= month ? sum + one.amount : sum), 0)
    return [key, months.map(until)]
  })
  return Object.fromEntries(lines) as Record<StandingKey, number[]>
}

async function heldNow(ctx: Ctx): Promise<Funds['held']> {
  const counted = { count: sql<number>`count(*)`.mapWith(Number) }
  const [intents, undos, renewals] = await together([
    ctx.db
      .select({
        ...counted,
        cents: sql<number>`coalesce(sum(${paymentIntents.amountFen}), 0)`.mapWith(Number),
      })
      .from(paymentIntents)
      .where(
        sql`${paymentIntents.status} = 'waiting' and ${ownRows(ctx, paymentIntents.agentId) ?? sql`true`}`,
      ),
    ctx.db
      .select({
        ...counted,
        cents: sql<number>`coalesce(sum(${undoRequests.totalCents}), 0)`.mapWith(Number),
      })
      .from(undoRequests)
      .where(sql`${undoRequests.state} = 'pending' and ${ownRows(ctx, undoRequests.agentId) ?? sql`true`}`),
    ctx.db
      .select({
        ...counted,
        state: onlineRenewals.state,
        cents: sql<number>`coalesce(sum(${onlineRenewals.amountFen}), 0)`.mapWith(Number),
      })
      .from(onlineRenewals)
      .where(
        sql`${onlineRenewals.state} in ('paid', 'short', 'stuck') and ${ownRows(ctx, onlineRenewals.agentId) ?? sql`true`}`,
      )
      .groupBy(onlineRenewals.state),
  ])
  const held = (key: HeldKey, row: { count: number; cents: number } | undefined) => ({
    key,
    count: row?.count ?? 0,
    cents: row?.cents ?? 0,
  })
  return [
    held('intents', intents[0]),
    held('undos', undos[0]),
    ...(['paid', 'short', 'stuck'] as const).map(state =>
      held(
        state,
        renewals.find(row => row.state === state),
      ),
    ),
  ]
}
