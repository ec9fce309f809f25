// What staff do to a release under way: it pauses, goes on, ends, takes one wave back, and hands in again what was refused alike.
import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { notify } from '#features/office/notices/server-notify.ts'
import { speakAgain } from '#features/programs/program-versions/server-codes.ts'
import { cleanLines } from '#kit/words/cleaned.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import type { releaseTrains as contract } from './contract.ts'
import { TRAIN_FIELDS, TRAIN_FORM } from './fields.ts'
import {
  brokenForm,
  ENDED,
  endText,
  judgedOf,
  TRAIN_REFUSALS,
  TRAIN_SHOP_STEPS,
  TRAIN_STATES,
  TRAIN_STEPS,
  type TrainStep,
  trainTakes,
} from './rules.ts'
import { countsOf } from './server-list.ts'
import { staffOnly } from './server-standing.ts'
import { releaseTrainShops as shops, releaseTrains as trains } from './tables.ts'

export type Train = typeof trains.$inferSelect

export const subjectOf = ({ name, id }: Pick<Train, 'name' | 'id'>) => `${name} (${id})`

/** Which mini programs are under way in which train is changed by one at a time. */
export async function lockMembership(ctx: Ctx): Promise<void> {
  await ctx.client.query(`select pg_advisory_xact_lock(hashtext('mini programs of release trains'))`)
}

/** Locked to the end of the transaction, before any of its rows. */
export async function lockTrain(ctx: Ctx, id: number): Promise<Train> {
  const [train] = await ctx.db
    .select()
    .from(trains)
    .where(and(eq(trains.id, id), staffOnly(ctx)))
    .for('update')
  return found(train)
}

/** Refuses what its state does not let be taken. Whoever takes it wakes the loop. */
export async function takeTrainStep(
  ctx: Ctx,
  train: Train,
  step: TrainStep,
  given: Partial<Omit<typeof trains.$inferInsert, 'state'>> = {},
): Promise<Train> {
  refuse(trainTakes(train.state, step) ? null : 'STEP_NOT_NOW', TRAIN_REFUSALS)
  const { from, to } = TRAIN_STEPS[step]
  const now = ctx.now.toISOString()
  const [after] = await ctx.db
    .update(trains)
    .set({ reason: '', nextAt: now, ...given, state: to, changedAt: now })
    .where(and(eq(trains.id, train.id), inArray(trains.state, [...from])))
    .returning()
  return found(after)
}

async function step(
  ctx: Ctx,
  id: number,
  action: TrainStep,
  given: (train: Train) => Promise<Parameters<typeof takeTrainStep>[3]> = async () => ({}),
) {
  const train = await lockTrain(ctx, id)
  ctx.object('releaseTrain', id)
  const after = await takeTrainStep(ctx, train, action, await given(train))
  noteState(ctx, train, after)
  return { id, state: after.state }
}

function noteState(ctx: Ctx, before: Train, after: Train): void {
  ctx.note(subjectOf(before), [
    {
      name: TRAIN_FIELDS.state.label,
      before: TRAIN_STATES[before.state],
      after: TRAIN_STATES[after.state],
    },
  ])
  ctx.afterCommit(() => ctx.services.wake('releaseTrains'))
}

export const pause: Verb<typeof contract.pause> = (ctx, { id }) => step(ctx, id, 'pause')

/** What was judged until now halts it no more. */
export const resume: Verb<typeof contract.resume> = (ctx, { id }) =>
  step(ctx, id, 'resume', async () => ({ forgiven: judgedOf((await countsOf(ctx, [id])).get(id) ?? {}) }))

export const stop: Verb<typeof contract.stop> = async (ctx, { id }) => {
  const done = await step(ctx, id, 'stop')
  const left = await ctx.db
    .update(shops)
    .set({ state: TRAIN_SHOP_STEPS.leave.to, changedAt: ctx.now.toISOString() })
    .where(and(eq(shops.trainId, id), inArray(shops.state, [...TRAIN_SHOP_STEPS.leave.from])))
    .returning({ applicationId: shops.applicationId })
  // What is at the platform is their agents' from now on.
  if (left.length > 0)
    await speakAgain(
      ctx,
      left.map(({ applicationId }) => applicationId),
    )
  await tellAgents(ctx, await lockTrain(ctx, id), '小程序分批发布已终止')
  return done
}

/** Each agent once, of all of its mini programs: while the train ran, nobody was told of one. */
export async function tellAgents(
  ctx: Ctx,
  { id, version }: Pick<Train, 'id' | 'version'>,
  title: string,
): Promise<void> {
  const rows = await ctx.db
    .select({ agentId: shops.agentId, state: shops.state, count: sql<number>`count(*)::int` })
    .from(shops)
    .where(and(eq(shops.trainId, id), staffOnly(ctx)))
    .groupBy(shops.agentId, shops.state)
  for (const [agentId, of] of Map.groupBy(rows, one => one.agentId)) {
    const counts = Object.fromEntries(of.map(({ state, count }) => [state, count]))
    await notify(ctx, {
      ...{ agentId, holding: 'programFlow.list', topic: 'Approval_Notify', title },
      body: `版本 ${version}：${endText(counts)}，请在小程序进度中查看`,
      link: '/admin/schedule/AppletFlow',
    })
  }
}

export const rollBackWave: Verb<typeof contract.rollBackWave> = async (ctx, { id, wave }) => {
  await lockMembership(ctx)
  const train = await lockTrain(ctx, id)
  ctx.object('releaseTrain', id)
  const now = ctx.now.toISOString()
  const taken = await ctx.db
    .update(shops)
    .set({ state: TRAIN_SHOP_STEPS.takeBack.to, reason: '', changedAt: now })
    .where(
      and(
        ...[eq(shops.trainId, id), eq(shops.wave, wave)],
        inArray(shops.state, [...TRAIN_SHOP_STEPS.takeBack.from]),
        notElsewhere(ctx),
      ),
    )
    .returning({ id: shops.id })
  refuse(taken.length === 0 ? 'WAVE_NOT_THERE' : null, TRAIN_REFUSALS)
  const after =
    train.state === 'running' ? await takeTrainStep(ctx, train, 'pause') : await wakeTrain(ctx, train)
  ctx.note(subjectOf(train), [
    { name: `第 ${wave} 批`, before: null, after: `回退 ${taken.length} 家` },
    ...(after.state === train.state
      ? []
      : [
          {
            name: TRAIN_FIELDS.state.label,
            before: TRAIN_STATES[train.state],
            after: TRAIN_STATES[after.state],
          },
        ]),
  ])
  ctx.afterCommit(() => ctx.services.wake('releaseTrains'))
  return { id, state: after.state, shops: taken.length }
}

async function wakeTrain(ctx: Ctx, train: Train): Promise<Train> {
  await ctx.db.update(trains).set({ nextAt: ctx.now.toISOString() }).where(eq(trains.id, train.id))
  return train
}

const others = alias(shops, 'others')
/** One mini program is under way in one train alone. */
const notElsewhere = (ctx: Ctx) =>
  sql`not exists (${ctx.db
    .select({ one: sql`1` })
    .from(others)
    .where(and(eq(others.applicationId, shops.applicationId), notInArray(others.state, [...ENDED])))})`

/** Each is set anew with the template and handed in once more, in the wave in which it is; the train goes on where it had come to its end. */
export const correct: Verb<typeof contract.correct> = async (ctx, input) => {
  const { id, reasonKey, templateId, version } = input
  const feedback = cleanLines(input.feedback)
  await lockMembership(ctx)
  const train = await lockTrain(ctx, id)
  ctx.object('releaseTrain', id)
  const broken = brokenForm({ ...train, feedback }).find(({ field }) => field === 'feedback')
  if (broken) refuse(broken.code, TRAIN_REFUSALS, { field: 'feedback' })
  refuse(train.state === 'stopped' ? 'STEP_NOT_NOW' : null, TRAIN_REFUSALS)
  const corrected = await ctx.db
    .update(shops)
    .set({
      ...{ state: TRAIN_SHOP_STEPS.correct.to, reason: '', reasonKey: '', templateId, version, feedback },
      ...{ corrections: sql`${shops.corrections} + 1`, changedAt: ctx.now.toISOString() },
    })
    .where(
      and(
        ...[eq(shops.trainId, id), eq(shops.reasonKey, reasonKey)],
        inArray(shops.state, [...TRAIN_SHOP_STEPS.correct.from]),
        notElsewhere(ctx),
      ),
    )
    .returning({ id: shops.id })
  refuse(corrected.length === 0 ? 'GROUP_EMPTY' : null, TRAIN_REFUSALS)
  const after =
    train.state === 'finished' ? await takeTrainStep(ctx, train, 'reopen') : await wakeTrain(ctx, train)
  ctx.note(subjectOf(train), [
    { name: '重新提交', before: null, after: `${corrected.length} 家` },
    { name: TRAIN_FIELDS.version.label, before: train.version, after: version },
    ...(feedback === ''
      ? []
      : [{ name: TRAIN_FORM.feedback.label, before: train.feedback, after: feedback }]),
  ])
  ctx.afterCommit(() => ctx.services.wake('releaseTrains'))
  return { id, state: after.state, shops: corrected.length }
}
