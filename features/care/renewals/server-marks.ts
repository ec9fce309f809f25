// The mark that counts for a shop: the last one that its present agent made within MARK_VALID_DAYS.
import { and, desc, eq, gte, lte, type SQL, sql } from 'drizzle-orm'
import { merchants } from '#features/shops/merchants/tables.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { MARK_VALID_DAYS, type MarkState } from './rules.ts'
import { renewalMarks } from './tables.ts'

export type MarkFilter = 'none' | 'due' | MarkState

function isValid(ctx: Ctx, now: Date): SQL | undefined {
  const since = new Date(now.getTime() - MARK_VALID_DAYS * 86_400_000).toISOString()
  return and(ownRows(ctx, renewalMarks.agentId), gte(renewalMarks.createdAt, since))
}

/** The mark of a shop of the outer statement, for a join with few rows. */
export function latestMark(ctx: Ctx, now: Date) {
  return ctx.db
    .select({
      id: renewalMarks.id,
      state: renewalMarks.state,
      note: renewalMarks.note,
      nextOn: renewalMarks.nextOn,
      createdByName: renewalMarks.createdByName,
      createdAt: renewalMarks.createdAt,
    })
    .from(renewalMarks)
    .where(
      and(
        eq(renewalMarks.merchantId, merchants.id),
        eq(renewalMarks.agentId, merchants.agentId),
        isValid(ctx, now),
      ),
    )
    .orderBy(desc(renewalMarks.id))
    .limit(1)
    .as('latest')
}

/** The last marks, one for each shop; of one agent, or of all that may be seen. */
export function latestMarks(ctx: Ctx, agentId: number | undefined, now: Date) {
  return ctx.db
    .selectDistinctOn([renewalMarks.merchantId, renewalMarks.agentId], {
      merchantId: renewalMarks.merchantId,
      agentId: renewalMarks.agentId,
      state: renewalMarks.state,
      nextOn: renewalMarks.nextOn,
    })
    .from(renewalMarks)
    .where(and(ofAgent(agentId), isValid(ctx, now)))
    .orderBy(renewalMarks.merchantId, renewalMarks.agentId, desc(renewalMarks.id))
    .as('latest_marks')
}

function ofAgent(agentId: number | undefined): SQL | undefined {
  return agentId === undefined ? undefined : eq(renewalMarks.agentId, agentId)
}

/** Shops with such a mark that are looked up one by one: the window may hold many times as many. */
const LOOKED_UP_MAX = 5_000

/**
 * Shops whose mark fits the filter. Where they are many, written so that the marks are read once into a hash while the window is walked in
 * its order and left at the last row that is wanted: a join would read and sort the whole window first.
 */
export async function marked(
  ctx: Ctx,
  filter: MarkFilter | undefined,
  { agentId, today, now }: { agentId: number | undefined; today: string; now: Date },
): Promise<SQL | undefined> {
  if (filter === undefined) return undefined
  const shop = sql`(${merchants.id}, ${merchants.agentId})`
  if (filter === 'none') {
    const any = ctx.db
      .select({ merchantId: renewalMarks.merchantId, agentId: renewalMarks.agentId })
      .from(renewalMarks)
      .where(and(ofAgent(agentId), isValid(ctx, now)))
    return sql`${shop} not in ${any}`
  }
  const latest = latestMarks(ctx, agentId, now)
  const fitting = ctx.db
    .select({ merchantId: latest.merchantId, agentId: latest.agentId })
    .from(latest)
    .where(filter === 'due' ? lte(latest.nextOn, today) : eq(latest.state, filter))
  // "is true" keeps it a filter; a bare "in" would become the join.
  const fits = sql`(${shop} in ${fitting}) is true`
  const few = await ctx.db
    .select()
    .from(fitting.as('fitting'))
    .limit(LOOKED_UP_MAX + 1)
  if (few.length > LOOKED_UP_MAX) return fits
  const ids = few.map(({ merchantId }) => merchantId)
  return and(sql`${merchants.id} = any(${sql.param(ids)}::bigint[])`, fits)
}
