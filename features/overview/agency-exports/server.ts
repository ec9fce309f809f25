import { and, desc, eq, ilike, inArray, or, type SQL, sql } from 'drizzle-orm'
import { lockAgent } from '#features/office/agents/server-operator.ts'
import { agents } from '#features/office/agents/tables.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { agencyExports as contract } from './contract.ts'
import {
  AGENCY_EXPORT_REFUSALS,
  AGENCY_EXPORT_STATES,
  AGENCY_EXPORT_STEPS,
  refuseReason,
  refuseRetry,
  refuseStart,
} from './rules.ts'
import { weigh } from './server-weigh.ts'
import { agencyExports } from './tables.ts'

const previewExport: Verb<typeof contract.preview> = async (ctx, { agentId }) => {
  const [agent] = await ctx.db
    .select({ companyName: agents.companyName })
    .from(agents)
    .where(and(eq(agents.id, agentId), ownRows(ctx, agents.id)))
  const { companyName } = found(agent)
  return { companyName, ...(await weigh(ctx.client, agentId)) }
}

/** Of one agency one at a time is made: whoever presses twice, or at the same time as another, is told so. */
const startExport: Verb<typeof contract.start> = async (ctx, { agentId, reason }) => {
  const { companyName, isOperator, isVendorStaff } = await lockAgent(ctx, agentId)
  const unfinished = await ctx.db.$count(
    agencyExports,
    and(eq(agencyExports.agentId, agentId), inArray(agencyExports.state, AGENCY_EXPORT_STEPS.begin.from)),
  )
  const refusal = refuseStart({ isVendor: isOperator || isVendorStaff }, unfinished)
  refuse(refusal, AGENCY_EXPORT_REFUSALS, { field: 'agentId' })
  refuse(refuseReason(reason), AGENCY_EXPORT_REFUSALS, { field: 'reason' })
  const why = reason.trim()
  const [begun] = await ctx.db
    .insert(agencyExports)
    .values({
      ...{ agentId, reason: why, state: 'queued' },
      ...{ createdBy: ctx.actor.accountId, createdByName: ctx.actor.name },
      createdAt: ctx.now.toISOString(),
    })
    .returning({ id: agencyExports.id })
  ctx.about(agentId)
  ctx.object('agent', agentId)
  ctx.note(`${companyName} (${agentId})`, [{ name: '移交原因', before: null, after: why }])
  ctx.services.exportQueued()
  return found(begun)
}

const ROW = {
  id: agencyExports.id,
  companyName: agents.companyName,
  agentId: agencyExports.agentId,
  state: agencyExports.state,
  rowsWritten: agencyExports.rowsWritten,
  rowsExpected: agencyExports.rowsExpected,
  filesWritten: agencyExports.filesWritten,
  byteSize: agencyExports.byteSize,
  reason: agencyExports.reason,
  error: agencyExports.error,
  isCertified: sql<boolean>`${agencyExports.certificate} is not null`,
  createdByName: agencyExports.createdByName,
  createdAt: agencyExports.createdAt,
  finishedAt: agencyExports.finishedAt,
  expiresAt: agencyExports.expiresAt,
}

const listExports: Verb<typeof contract.list> = async (ctx, input) => {
  const where = and(
    ownRows(ctx, agencyExports.agentId),
    input.state === undefined ? undefined : eq(agencyExports.state, input.state),
    matches(input.search),
  )
  const rows = await ctx.db
    .select(ROW)
    .from(agencyExports)
    .innerJoin(agents, eq(agents.id, agencyExports.agentId))
    .where(where)
    .orderBy(desc(agencyExports.createdAt), desc(agencyExports.id))
    .limit(input.size)
    .offset((input.page - 1) * input.size)
  const [counted] = await ctx.db
    .select({ total: sql<number>`count(*)`.mapWith(Number) })
    .from(agencyExports)
    .innerJoin(agents, eq(agents.id, agencyExports.agentId))
    .where(where)
  return { rows, total: counted?.total ?? 0, totalCapped: false }
}

function matches(search: string | undefined): SQL | undefined {
  if (!search) return undefined
  const byName = ilike(agents.companyName, `%${search.replace(/[\\%_]/g, '\\$&')}%`)
  return /^\d{1,15}$/.test(search) ? or(eq(agencyExports.agentId, Number(search)), byName) : byName
}

const retryExport: Verb<typeof contract.retry> = async (ctx, { id }) => {
  const own = and(eq(agencyExports.id, id), ownRows(ctx, agencyExports.agentId))
  const [of] = await ctx.db.select({ agentId: agencyExports.agentId }).from(agencyExports).where(own)
  // The order of locks is that of `start`.
  const { companyName } = await lockAgent(ctx, found(of).agentId)
  const [locked] = await ctx.db.select().from(agencyExports).where(own).for('update')
  const { agentId, state } = found(locked)
  refuse(refuseRetry(state), AGENCY_EXPORT_REFUSALS)
  const unfinished = await ctx.db.$count(
    agencyExports,
    and(eq(agencyExports.agentId, agentId), inArray(agencyExports.state, AGENCY_EXPORT_STEPS.begin.from)),
  )
  refuse(refuseStart({ isVendor: false }, unfinished), AGENCY_EXPORT_REFUSALS)
  const { from, to } = AGENCY_EXPORT_STEPS.retry
  await ctx.db
    .update(agencyExports)
    .set({ state: to, error: '', attempts: 0, finishedAt: null })
    .where(and(own, inArray(agencyExports.state, from)))
  ctx.about(agentId)
  ctx.note(`${companyName} (${agentId})`, [
    { name: '状态', before: AGENCY_EXPORT_STATES[state], after: AGENCY_EXPORT_STATES[to] },
  ])
  ctx.services.exportQueued()
  return { id }
}

export const agencyExportsRouter = serve(contract, {
  preview: previewExport,
  start: startExport,
  list: listExports,
  retry: retryExport,
})

/** One of them, as whoever asks for its file or its certificate may see it. */
export async function rowOf(ctx: Ctx, id: number) {
  const [row] = await ctx.db
    .select({
      companyName: agents.companyName,
      agentId: agencyExports.agentId,
      state: agencyExports.state,
      attempts: agencyExports.attempts,
      rowsWritten: agencyExports.rowsWritten,
      byteSize: agencyExports.byteSize,
      certificate: agencyExports.certificate,
      sealedKey: agencyExports.sealedKey,
      createdAt: agencyExports.createdAt,
      expiresAt: agencyExports.expiresAt,
    })
    .from(agencyExports)
    .innerJoin(agents, eq(agents.id, agencyExports.agentId))
    .where(and(eq(agencyExports.id, id), ownRows(ctx, agencyExports.agentId)))
  return found(row)
}
