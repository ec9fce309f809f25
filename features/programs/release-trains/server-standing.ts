// Mini programs as the office knows them, for whoever judges whether and how they go along; and how many audits of the month are left.
import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  ne,
  notInArray,
  type SQL,
  sql,
} from 'drizzle-orm'
import { programApplications as applications } from '#features/programs/program-applications/tables.ts'
import { standingOf } from '#features/programs/program-flow/server-flows.ts'
import { programFlows as flows } from '#features/programs/program-flow/tables.ts'
import { domainsWanted, preflightOf } from '#features/programs/program-versions/rules.ts'
import { programAudits as audits, programCodes as codes } from '#features/programs/program-versions/tables.ts'
import { refuseDisabled } from '#features/shops/merchants/rules.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { refuseCommon } from '#server/refuse.ts'
import { auditsFree, ENDED, LIMITS, type Standing } from './rules.ts'
import { releaseTrainShops as shops } from './tables.ts'

/** Releases are the vendor's: the first wall of their rows. */
export function staffOnly(ctx: Ctx): SQL | undefined {
  return ctx.actor.isVendorStaff || !ctx.services.walls.explicitScope ? undefined : sql`false`
}

/** For what reads no row of theirs. */
export function refuseOthers(ctx: Ctx): void {
  if (!ctx.actor.isVendorStaff) refuseCommon('NOT_FOUND')
}

export type Program = Standing & {
  applicationId: number
  agentId: number
  merchantId: number
  shopName: string
  programName: string
}

/** Those of these applications, by their number. `trainId`: under way in it they are not elsewhere. */
export async function programsOf(
  ctx: Ctx,
  where: SQL | undefined,
  { trainId = 0, limit }: { trainId?: number; limit?: number } = {},
): Promise<Program[]> {
  const elsewhere = sql<boolean>`exists (${ctx.db
    .select({ one: sql`1` })
    .from(shops)
    .where(
      and(
        eq(shops.applicationId, applications.id),
        ne(shops.trainId, trainId),
        notInArray(shops.state, [...ENDED]),
      ),
    )})`
  const query = ctx.db
    .select({
      ...{
        applicationId: applications.id,
        agentId: applications.agentId,
        merchantId: applications.merchantId,
      },
      ...{ row: applications, flow: flows, code: codes, isElsewhere: elsewhere },
      ...{ shopName: merchants.shopName, status: merchants.status },
      audit: {
        auditId: audits.auditId,
        version: audits.version,
        state: audits.state,
        reason: audits.reason,
      },
    })
    .from(applications)
    .innerJoin(merchants, eq(merchants.id, applications.merchantId))
    .innerJoin(flows, eq(flows.applicationId, applications.id))
    .leftJoin(codes, eq(codes.applicationId, applications.id))
    .leftJoin(audits, and(eq(audits.applicationId, applications.id), eq(audits.isCurrent, true)))
    .where(and(where, ownRows(ctx, applications.agentId)))
    .orderBy(asc(applications.id))
  const rows = await (limit === undefined ? query : query.limit(limit))
  const wanted = domainsWanted(ctx.services.baseUrl())
  return rows.map(({ row, flow, code, status, ...one }) => ({
    ...one,
    programName: row.programName,
    isGone: row.deletedAt !== null || row.state !== 'approved',
    isShopDisabled: refuseDisabled(status) !== null,
    isAuthorized: flow.isAuthorized && flow.appid !== null,
    programType: row.programType,
    flowState: standingOf(row, flow),
    deed: code?.deed ?? '',
    message: code?.message ?? '',
    isReadDue: (code?.nextAt ?? null) !== null,
    version: code?.version ?? '',
    templateId: code?.templateId ?? null,
    known: code?.known ?? null,
    checks: code?.known ? preflightOf(code.known, code.version, wanted) : [],
  }))
}

/** Chosen by what was filtered; those that are deleted are not there. */
export type Range = {
  programType?: Program['programType'] | undefined
  agentId?: number | undefined
  liveVersion?: string | undefined
  state?: 'code' | 'released' | undefined
}
const AT_ONCE = 1_000

/** All of them, some at a time. */
export async function eachProgram(
  ctx: Ctx,
  { programType, agentId, liveVersion, state }: Range,
  visit: (program: Program) => void,
): Promise<void> {
  const chosen = and(
    isNull(applications.deletedAt),
    eq(applications.state, 'approved'),
    programType ? eq(applications.programType, programType) : undefined,
    agentId ? eq(applications.agentId, agentId) : undefined,
    liveVersion ? sql`${codes.known} -> 'live' ->> 'version' = ${liveVersion}` : undefined,
    state ? eq(flows.state, state) : undefined,
  )
  for (let after = 0; ; ) {
    const some = await programsOf(ctx, and(chosen, gt(applications.id, after)), { limit: AT_ONCE })
    for (const program of some) visit(program)
    if (some.length < AT_ONCE) return
    after = some.at(-1)?.applicationId ?? 0
  }
}

export type Quota = { left: number; limit: number; readAt: string }

/** As the platform said it last, of whichever mini program; null: it was never asked. */
export async function quotaRead(ctx: Ctx): Promise<Quota | null> {
  const [row] = await ctx.db
    .select({ known: codes.known, readAt: codes.readAt })
    .from(codes)
    .where(isNotNull(codes.readAt))
    .orderBy(desc(codes.readAt))
    .limit(1)
  if (!row?.known || row.readAt === null) return null
  const { left, limit } = row.known.quota
  return { left, limit, readAt: row.readAt }
}

/** Held to the end of the transaction, so that two trains do not count on the same audit. */
export async function lockAudits(ctx: Ctx): Promise<number> {
  await ctx.client.query(`select pg_advisory_xact_lock(hashtext('audits of mini programs'))`)
  const read = await quotaRead(ctx)
  if (!read) return 0
  const since = new Date(Date.parse(read.readAt) - LIMITS.readingSeconds * 1_000).toISOString()
  const [counted] = await ctx.db
    .select({
      handedInSince: sql<number>`(select count(*)::int from ${audits} where ${audits.submittedAt} >= ${since})`,
      underWay: sql<number>`(select count(*)::int from ${codes} where ${codes.nextAt} is not null and ${codes.deed} = 'submit')`,
    })
    .from(sql`(select 1) as one`)
  return auditsFree({ left: read.left, ...(counted ?? { handedInSince: 0, underWay: 0 }) })
}

export const byApplications = (ids: readonly number[]) => inArray(applications.id, [...ids])
