// The row of a mini program's code, begun where there is none, its audit that counts, and how often one was withdrawn.
import { and, count, desc, eq, gte, inArray, sql } from 'drizzle-orm'
import { type Locked as LockedFlow, lockFlow } from '#features/programs/program-flow/server-flows.ts'
import { formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import { VERSION_REFUSALS, type Withdrawals } from './rules.ts'
import { programAudits as audits, programCodes as codes } from './tables.ts'

export type Code = typeof codes.$inferSelect
export type Audit = typeof audits.$inferSelect
export type Locked = LockedFlow & { code: Code; audit: Audit | null }

/** The shop first, then the flow. Refuses one that was deleted, or that is not authorised. */
export async function lockCode(ctx: Ctx, applicationId: number): Promise<Locked> {
  const locked = await lockFlow(ctx, applicationId)
  const { flow } = locked
  refuse(flow.appid !== null && flow.isAuthorized ? null : 'NOT_AUTHORIZED', VERSION_REFUSALS)
  const appid = found(flow.appid ?? undefined)
  const [code] = await ctx.db
    .select()
    .from(codes)
    .where(and(eq(codes.applicationId, applicationId), ownRows(ctx, codes.agentId)))
    .for('update')
  return {
    ...locked,
    code: await rightCode(ctx, locked, appid, code),
    audit: await currentAudit(ctx, applicationId),
  }
}

/** Begun where there is none; of another mini program than now, it is begun anew. */
async function rightCode(ctx: Ctx, { flow }: LockedFlow, appid: string, code?: Code): Promise<Code> {
  const { applicationId, agentId, merchantId } = flow
  if (!code) {
    const [begun] = await ctx.db
      .insert(codes)
      .values({ applicationId, agentId, merchantId, appid })
      .returning()
    return found(begun)
  }
  if (code.appid === appid) return code
  await ctx.db
    .update(audits)
    .set({ isCurrent: false })
    .where(and(eq(audits.applicationId, applicationId), ownRows(ctx, audits.agentId)))
  return changeCode(ctx, code, {
    ...{ appid, version: '', templateId: null, committedAt: null, known: null, readAt: null },
    ...{ message: '', deed: '', args: {}, tries: 0, claim: '', nextAt: null },
  })
}

export async function changeCode(
  ctx: Ctx,
  code: Code,
  given: Partial<typeof codes.$inferInsert>,
): Promise<Code> {
  const [after] = await ctx.db
    .update(codes)
    .set(given)
    .where(and(eq(codes.id, code.id), ownRows(ctx, codes.agentId)))
    .returning()
  return found(after)
}

/** What is asked for now, and the audit that comes of it, is told to nobody: whoever asked tells it. */
export async function hush(ctx: Ctx, applicationId: number): Promise<void> {
  await ctx.db
    .update(codes)
    .set({ args: sql`${codes.args} || '{"isQuiet": true}'` })
    .where(and(eq(codes.applicationId, applicationId), ownRows(ctx, codes.agentId)))
}

/** What is under way for these is told again, by whom it concerns. */
export async function speakAgain(ctx: Ctx, applicationIds: readonly number[]): Promise<void> {
  const of = [...applicationIds]
  await ctx.db
    .update(codes)
    .set({ args: sql`${codes.args} - 'isQuiet'` })
    .where(and(inArray(codes.applicationId, of), ownRows(ctx, codes.agentId)))
  await ctx.db
    .update(audits)
    .set({ isQuiet: false })
    .where(and(inArray(audits.applicationId, of), eq(audits.isCurrent, true), ownRows(ctx, audits.agentId)))
}

export async function currentAudit(ctx: Ctx, applicationId: number): Promise<Audit | null> {
  const [audit] = await ctx.db
    .select()
    .from(audits)
    .where(
      and(eq(audits.applicationId, applicationId), eq(audits.isCurrent, true), ownRows(ctx, audits.agentId)),
    )
    .orderBy(desc(audits.id))
    .limit(1)
  return audit ?? null
}

/** By us, of this mini program, by the days of the office. */
export async function withdrawalsOf(ctx: Ctx, appid: string): Promise<Withdrawals> {
  const day = formatDay(ctx.now)
  const [today, month] = [startOfDay(day), startOfDay(`${day.slice(0, 8)}01`)].map(one => one.toISOString())
  const [row] = await ctx.db
    .select({
      today: sql<number>`count(*) filter (where ${audits.withdrawnAt} >= ${today})`.mapWith(Number),
      thisMonth: count(),
    })
    .from(audits)
    .where(and(eq(audits.appid, appid), gte(audits.withdrawnAt, month ?? ''), ownRows(ctx, audits.agentId)))
  return row ?? { today: 0, thisMonth: 0 }
}
