// The row of a flow: found with its application, begun where nothing was done yet, and moved from state to state with the documents' numbers.
import { and, eq, inArray } from 'drizzle-orm'
import type { Answer } from '#features/programs/platform/server-asking.ts'
import { lockApplication } from '#features/programs/program-applications/server-decide.ts'
import { setFlowNumbers } from '#features/programs/program-applications/server-flow.ts'
import type { Application } from '#features/programs/program-applications/server-rows.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import {
  FLOW_REFUSALS,
  FLOW_STEPS,
  type FlowState,
  type FlowStep,
  LIMITS,
  numbersOf,
  stateOf,
  takes,
} from './rules.ts'
import { programFlowAnswers as answers, programFlows as flows } from './tables.ts'

export type Flow = typeof flows.$inferSelect
export type Changed = Partial<Omit<typeof flows.$inferInsert, 'state'>>
export type Locked = Awaited<ReturnType<typeof lockApplication>> & { flow: Flow }

/** The state of an application, with its flow or before there is one. */
export function standingOf(
  row: Application | Pick<Application, 'flowStatus' | 'flowStep' | 'submitStatus'>,
  flow?: Pick<Flow, 'state'> | null,
): FlowState {
  // A review that was taken back and given again is the application's own.
  return flow?.state ?? found(stateOf(row) ?? undefined)
}

/** The shop first, as whoever reviews does; the flow is begun where there is none. Refuses one that was deleted. */
export async function lockFlow(ctx: Ctx, applicationId: number): Promise<Locked> {
  const locked = await lockApplication(ctx, applicationId)
  const { row } = locked
  refuse(row.deletedAt === null ? null : 'DELETED_ALREADY', FLOW_REFUSALS)
  refuse(row.state === 'approved' ? null : 'NOT_NOW', FLOW_REFUSALS)
  const [flow] = await ctx.db
    .select()
    .from(flows)
    .where(and(eq(flows.applicationId, row.id), ownRows(ctx, flows.agentId)))
    .for('update')
  return { ...locked, flow: flow ?? (await begin(ctx, row)) }
}

async function begin(ctx: Ctx, row: Application): Promise<Flow> {
  const { id: applicationId, agentId, merchantId } = row
  const [flow] = await ctx.db
    .insert(flows)
    .values({
      ...{ applicationId, agentId, merchantId },
      // It was approved, or was there before.
      state: row.kind === 'existing' ? 'toTakeOver' : FLOW_STEPS.review.to,
      changedAt: ctx.now.toISOString(),
    })
    .returning()
  return found(flow)
}

/** Takes the step where the state lets it be taken, else changes the rest alone. */
export async function stepFlow(
  ctx: Ctx,
  { row, flow }: Pick<Locked, 'row' | 'flow'>,
  step: FlowStep,
  given: Changed,
): Promise<Flow> {
  if (!takes(flow.state, step)) return changeFlow(ctx, flow, given)
  const { from, to } = FLOW_STEPS[step]
  const [after] = await ctx.db
    .update(flows)
    .set({ ...given, state: to, changedAt: ctx.now.toISOString() })
    .where(and(eq(flows.id, flow.id), inArray(flows.state, [...from]), ownRows(ctx, flows.agentId)))
    .returning()
  await setFlowNumbers(ctx, row.id, numbersOf(to, row.kind === 'existing'))
  return found(after)
}

export async function changeFlow(ctx: Ctx, flow: Flow, given: Changed): Promise<Flow> {
  if (Object.keys(given).length === 0) return flow
  const [after] = await ctx.db
    .update(flows)
    .set({ ...given })
    .where(and(eq(flows.id, flow.id), ownRows(ctx, flows.agentId)))
    .returning()
  return found(after)
}

/** For what looks after what a mini program shows of itself: how all of it stands is asked, and the flow goes on once all of it is there. */
export async function verifyProfile(ctx: Ctx, flow: Flow): Promise<void> {
  if (!flow.isAuthorized || !takes(flow.state, 'passProfile')) return
  await changeFlow(ctx, flow, { isVerifying: true, tries: 0, claim: '', nextAt: ctx.now.toISOString() })
}

/** What the code of a mini program moves; each lies between a press or the platform's word and what stands then (D2 §4). */
export type VersionStep = 'submitAudit' | 'returnAudit' | 'release' | 'upgrade'

/**
 * For what looks after a mini program's code: takes the step of a flow that is locked, with the documents' numbers. `message`: what the platform
 * said, empty where nothing is wrong. Null: it stands elsewhere, and nothing was changed.
 */
export async function takeVersionStep(
  ctx: Ctx,
  locked: Pick<Locked, 'row' | 'flow'>,
  step: VersionStep,
  message = '',
): Promise<Flow | null> {
  return takes(locked.flow.state, step) ? stepFlow(ctx, locked, step, { message }) : null
}

/** For what looks after a mini program's code: what users have and what is to come, as the list shows it. */
export async function noteVersions(
  ctx: Ctx,
  flow: Flow,
  versions: Pick<Flow, 'liveVersion' | 'newVersion'>,
): Promise<void> {
  if (flow.liveVersion !== versions.liveVersion || flow.newVersion !== versions.newVersion)
    await changeFlow(ctx, flow, versions)
}

export async function keepAnswers(ctx: Ctx, flow: Flow, given: readonly Answer[]): Promise<void> {
  if (given.length === 0) return
  const { applicationId, agentId, merchantId } = flow
  await ctx.db.insert(answers).values(
    given.map(answer => ({
      ...answer,
      words: answer.words.slice(0, LIMITS.answer),
      ...{ applicationId, agentId, merchantId, at: ctx.now.toISOString() },
    })),
  )
}
