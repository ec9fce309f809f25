// The row of what a mini program shows of itself, begun where there is none, and the changes of it.
import { and, asc, eq, inArray } from 'drizzle-orm'
import { type Locked as LockedFlow, lockFlow } from '#features/programs/program-flow/server-flows.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import {
  type ChangeStep,
  changeTakes,
  hasProfile,
  isOpen,
  leftOf,
  type PartStanding,
  PROFILE_CHANGE_STEPS,
  PROFILE_REFUSALS,
  type ProfilePart,
} from './rules.ts'
import { programProfileChanges as changes, type KnownProfile, programProfiles as profiles } from './tables.ts'

export type Profile = typeof profiles.$inferSelect
export type Change = typeof changes.$inferSelect
export type Locked = LockedFlow & { profile: Profile; current: Change[] }

/** The shop first, then the flow. Refuses one that was deleted, that is not authorised, or that has not come to its data yet. */
export async function lockProfile(ctx: Ctx, applicationId: number): Promise<Locked> {
  const locked = await lockFlow(ctx, applicationId)
  const { flow } = locked
  refuse(hasProfile(flow.state) ? null : 'NOT_NOW', PROFILE_REFUSALS)
  refuse(flow.appid !== null && flow.isAuthorized ? null : 'NOT_AUTHORIZED', PROFILE_REFUSALS)
  const appid = found(flow.appid ?? undefined)
  const [profile] = await ctx.db
    .select()
    .from(profiles)
    .where(and(eq(profiles.applicationId, applicationId), ownRows(ctx, profiles.agentId)))
    .for('update')
  return {
    ...locked,
    profile: await rightProfile(ctx, locked, appid, profile),
    current: await currentChanges(ctx, [applicationId]),
  }
}

/** Begun where there is none; of another mini program than now, it is begun anew. */
async function rightProfile(
  ctx: Ctx,
  { flow }: LockedFlow,
  appid: string,
  profile?: Profile,
): Promise<Profile> {
  const { applicationId, agentId, merchantId } = flow
  if (!profile) {
    const [begun] = await ctx.db
      .insert(profiles)
      .values({ applicationId, agentId, merchantId, appid })
      .returning()
    return found(begun)
  }
  if (profile.appid === appid) return profile
  await ctx.db
    .update(changes)
    .set({ isCurrent: false })
    .where(and(eq(changes.applicationId, applicationId), ownRows(ctx, changes.agentId)))
  return changeProfile(ctx, profile, {
    ...{ appid, known: null, readAt: null, message: '', tries: 0, claim: '', nextAt: null },
  })
}

export async function changeProfile(
  ctx: Ctx,
  profile: Profile,
  given: Partial<typeof profiles.$inferInsert>,
): Promise<Profile> {
  const [after] = await ctx.db
    .update(profiles)
    .set(given)
    .where(and(eq(profiles.id, profile.id), ownRows(ctx, profiles.agentId)))
    .returning()
  return found(after)
}

/** Has the platform asked at once; whoever asks it now goes on by itself. */
export async function wake(ctx: Ctx, profile: Profile): Promise<void> {
  if (profile.claim === '') await changeProfile(ctx, profile, { nextAt: ctx.now.toISOString(), tries: 0 })
}

/** Of these applications, the oldest first. */
export const currentChanges = (ctx: Ctx, applicationIds: readonly number[]): Promise<Change[]> =>
  ctx.db
    .select()
    .from(changes)
    .where(
      and(
        inArray(changes.applicationId, [...applicationIds]),
        eq(changes.isCurrent, true),
        ownRows(ctx, changes.agentId),
      ),
    )
    .orderBy(asc(changes.id))

type Given = Partial<Omit<typeof changes.$inferInsert, 'state'>>

/** False: it stands elsewhere, and nothing was changed. */
export async function stepChange(ctx: Ctx, change: Change, step: ChangeStep, given: Given): Promise<boolean> {
  if (!changeTakes(change.state, step)) return false
  const { from, to } = PROFILE_CHANGE_STEPS[step]
  const ended = step === 'accept' ? {} : { endedAt: ctx.now.toISOString() }
  await ctx.db
    .update(changes)
    .set({ ...ended, ...given, isUncertain: false, state: to })
    .where(and(eq(changes.id, change.id), inArray(changes.state, [...from]), ownRows(ctx, changes.agentId)))
  return true
}

/** Of a part; `known` null: nobody has read it. */
export function standingOfPart(
  part: ProfilePart,
  { row, flow }: Pick<LockedFlow, 'row' | 'flow'>,
  known: KnownProfile | null,
  current: readonly Pick<Change, 'part' | 'state'>[],
): PartStanding {
  return {
    isTakenOver: row.kind === 'existing',
    isReleased: flow.state === 'released',
    // Of categories each is judged for itself.
    isOpen: part !== 'category' && current.some(one => one.part === part && isOpen(one.state)),
    left: known === null ? null : leftIn(part, known),
  }
}

function leftIn(part: ProfilePart, { info, categories }: KnownProfile): number {
  switch (part) {
    case 'name':
      return leftOf(info.nickName)
    case 'headImage':
      return leftOf(info.headImage)
    case 'intro':
      return leftOf(info.signature)
    case 'category':
      return categories.monthlyLeft
  }
}
