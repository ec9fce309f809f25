// What is to be handed in at the services, and what is not any more. The loop does it: no call happens here.
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Ctx } from '#server/ctx.ts'
import { SIGNATURE_STEPS } from './rules.ts'
import { type AtService, stepTo } from './server-states.ts'
import { shopSignatures as table } from './tables.ts'

/** One row at each service that reviews; of a signature that was there before, its review begins anew. */
export async function beginReviews(
  ctx: Ctx,
  asked: { agentId: number; merchantId: number; requestId: number; signature: string },
): Promise<void> {
  const at = ctx.now.toISOString()
  const { from, to } = SIGNATURE_STEPS.begin
  for (const { name: service } of ctx.services.providers.signatureDesks)
    await ctx.db
      .insert(table)
      .values({ ...asked, service, state: 'waiting', again: true, nextAt: at, changedAt: at, createdAt: at })
      .onConflictDoUpdate({
        target: [table.merchantId, table.service, table.signature],
        set: {
          ...{ agentId: asked.agentId, requestId: asked.requestId, claim: '', tries: 0, again: true },
          ...{ code: '', answer: '', state: to, nextAt: at, changedAt: at },
        },
        setWhere: inArray(table.state, [...from]),
      })
  ctx.afterCommit(() => ctx.services.wake('signatures'))
}

/** Of a request that was withdrawn, replaced or rejected by hand: what lies with a service is not waited for. */
export async function endReviews(ctx: Ctx, requestIds: readonly number[]): Promise<void> {
  if (requestIds.length === 0) return
  await ctx.db
    .update(table)
    .set({
      ...{ claim: '', nextAt: null, changedAt: sql`now()` },
      state: SIGNATURE_STEPS.end.to,
    })
    .where(
      and(inArray(table.requestId, [...requestIds]), inArray(table.state, [...SIGNATURE_STEPS.end.from])),
    )
}

/** Once more from the beginning; what the service refused is handed in again. */
export async function beginAgain(ctx: Ctx, row: AtService): Promise<void> {
  await stepTo(ctx, row, 'begin', {
    ...{ again: true, tries: 0, claim: '', nextAt: ctx.now.toISOString() },
  })
  ctx.afterCommit(() => ctx.services.wake('signatures'))
}

/** The service is asked now and not when it is its turn. */
export async function askNow(ctx: Ctx, id: number): Promise<void> {
  await ctx.db
    .update(table)
    .set({ nextAt: sql`now()` })
    .where(and(eq(table.id, id), eq(table.claim, '')))
  ctx.afterCommit(() => ctx.services.wake('signatures'))
}
