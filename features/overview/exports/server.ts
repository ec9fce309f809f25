import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { fileChanges } from '#server/documents/export.ts'
import { equal, ownCondition, rowsAndTotal } from '#server/list.ts'
import { found, refuse, refuseCommon } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { exports as contract } from './contract.ts'
import { EXPORT_STATES, EXPORT_STEPS, REFUSALS, refuseCancel, refuseStart } from './rules.ts'
import { exportJobs } from './tables.ts'

/** Names the lock under which an account's exports are counted. */
const START_LOCK = 7_211_010

const SHOWN = {
  id: exportJobs.id,
  title: exportJobs.title,
  conditions: exportJobs.conditions,
  state: exportJobs.state,
  rowsWritten: exportJobs.rowsWritten,
  rowsExpected: exportJobs.rowsExpected,
  byteSize: exportJobs.byteSize,
  error: exportJobs.error,
  createdAt: exportJobs.createdAt,
  finishedAt: exportJobs.finishedAt,
  expiresAt: exportJobs.expiresAt,
}

/** The rows of the acting account, whatever else its agent's staff or the vendor may see. */
export function ownJobs(ctx: Ctx) {
  return and(ownRows(ctx, exportJobs.agentId), eq(exportJobs.accountId, ctx.actor.accountId))
}

/** Refuses an unknown list, a list that the account may not export, a filter it would not take, and one too many. */
const startExport: Verb<typeof contract.start> = async (ctx, input) => {
  const download = ctx.services.exports.find(handler => handler.download.path === input.path)?.download
  if (!download) refuse('EXPORT_UNKNOWN', REFUSALS)
  const { permission, fileName, input: shape } = download as NonNullable<typeof download>
  if (permission !== 'session' && !ctx.actor.permissions.has(permission)) refuseCommon('FORBIDDEN')
  const parsed = shape.safeParse(input.query)
  if (!parsed.success)
    refuseCommon('INPUT_INVALID', { issues: parsed.error.issues.map(issue => issue.message) })
  const { accountId, agentId } = ctx.actor
  await ctx.db.execute(sql`select pg_advisory_xact_lock(${START_LOCK}, ${accountId}::int)`)
  const unfinished = await ctx.db.$count(
    exportJobs,
    and(ownJobs(ctx), inArray(exportJobs.state, EXPORT_STEPS.cancel.from)),
  )
  refuse(refuseStart(unfinished), REFUSALS)
  const [job] = await ctx.db
    .insert(exportJobs)
    .values({
      agentId,
      accountId,
      path: input.path,
      title: fileName,
      conditions: input.conditions,
      query: input.query,
      state: 'queued',
      rowsExpected: input.rowsExpected,
      createdAt: sql`now()`,
    })
    .returning(SHOWN)
  ctx.note(fileName, fileChanges(download as NonNullable<typeof download>, parsed.data))
  ctx.services.exportQueued()
  return found(job)
}

const listExports: Verb<typeof contract.list> = async (ctx, input) => {
  const list = {
    name: 'exports',
    table: exportJobs,
    conditions: [
      ...equal('accountId', exportJobs.accountId, ctx.actor.accountId),
      ...ownCondition(ctx, exportJobs.agentId),
    ],
    sort: 'id desc',
    order: [desc(exportJobs.id)],
  }
  return rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select(SHOWN)
      .from(page)
      .innerJoin(exportJobs, eq(exportJobs.id, page.id))
      .orderBy(desc(exportJobs.id)),
  )
}

/** The program that writes it hears within a second that it is no longer wanted. */
const cancelExport: Verb<typeof contract.cancel> = async (ctx, { id }) => {
  const own = and(ownJobs(ctx), eq(exportJobs.id, id))
  const [job] = await ctx.db.select(SHOWN).from(exportJobs).where(own).for('update')
  const { title, state } = found(job)
  refuse(refuseCancel(state), REFUSALS)
  const [cancelled] = await ctx.db
    .update(exportJobs)
    .set({ state: EXPORT_STEPS.cancel.to, finishedAt: sql`now()` })
    .where(and(own, inArray(exportJobs.state, EXPORT_STEPS.cancel.from)))
    .returning(SHOWN)
  ctx.note(`${title} (${id})`, [
    { name: '状态', before: EXPORT_STATES[state], after: EXPORT_STATES[EXPORT_STEPS.cancel.to] },
  ])
  return found(cancelled)
}

export const exportsRouter = serve(contract, {
  start: startExport,
  list: listExports,
  cancel: cancelExport,
})
