// What is refused of applications and mended again, as those who decide and hand in tell it.
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import { causeOf, type Refused, type RefusedBy } from './rules.ts'
import { refusalCauses as causes, applicationRefusals as refusals } from './tables.ts'

type Application = { id: number; agentId: number; merchantId: number }

/** The shop is locked. What was refused of it before and not mended is past. */
export async function recordRefusals(
  ctx: Ctx,
  { id: applicationId, agentId, merchantId }: Application,
  refusedBy: RefusedBy,
  refused: readonly Refused[],
): Promise<void> {
  await mendRefusals(ctx, applicationId)
  const now = ctx.now.toISOString()
  // In one order, so that two who refuse at once never wait for each other crosswise.
  const told = refused
    .map(one => ({ ...one, cause: causeOf(one.reason) }))
    .toSorted((a, b) => (a.field + a.cause < b.field + b.cause ? -1 : 1))
  for (const { field, label, reason, cause } of told) {
    const [of] = await ctx.db
      .insert(causes)
      .values({ field, label, cause, reason, refusedBy, firstAt: now, lastAt: now })
      .onConflictDoUpdate({
        target: [causes.refusedBy, causes.field, causes.cause],
        set: { label, reason, lastAt: now, times: sql`${causes.times} + 1` },
      })
      .returning({ id: causes.id })
    await ctx.db
      .insert(refusals)
      .values({ agentId, merchantId, applicationId, causeId: found(of).id, field, refusedAt: now })
  }
}

/** It was handed in anew, or goes on as it is. */
export async function mendRefusals(ctx: Ctx, applicationId: number): Promise<void> {
  await ctx.db
    .update(refusals)
    .set({ mendedAt: ctx.now.toISOString() })
    .where(
      and(
        eq(refusals.applicationId, applicationId),
        isNull(refusals.mendedAt),
        ownRows(ctx, refusals.agentId),
      ),
    )
}

/** What staff advise on what is to be mended now, by field. */
export async function adviceFor(
  ctx: Ctx,
  applicationId: number,
): Promise<{ field: string; advice: string }[]> {
  return ctx.db
    .select({ field: refusals.field, advice: causes.advice })
    .from(refusals)
    .innerJoin(causes, eq(causes.id, refusals.causeId))
    .where(
      and(
        eq(refusals.applicationId, applicationId),
        isNull(refusals.mendedAt),
        ne(causes.advice, ''),
        ownRows(ctx, refusals.agentId),
      ),
    )
    .orderBy(refusals.id)
}
