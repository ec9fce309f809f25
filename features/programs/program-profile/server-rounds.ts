// The one place that calls the platform about what mini programs show of themselves: it claims what is due, commits, asks, and writes what came of
// it in a transaction of its own, the shop first. A change whose answer was lost is looked for before it is handed in again. What the platform
// tells of a review only has us ask how it stands; of a name whose number was lost it is taken as told.
import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { notify } from '#features/office/notices/server-notify.ts'
import { type Answer, type Asked, askedInto, failureOf } from '#features/programs/platform/server-asking.ts'
import { takeEvent, type UntakenEvent, untakenEvents } from '#features/programs/platform/server-events.ts'
import { platformOf } from '#features/programs/platform/server-platform.ts'
import { lockApplication } from '#features/programs/program-applications/server-decide.ts'
import { correctProgram } from '#features/programs/program-applications/server-flow.ts'
import { programApplications as applications } from '#features/programs/program-applications/tables.ts'
import { secondsToNext } from '#features/programs/program-flow/rules.ts'
import { keepAnswers, verifyProfile } from '#features/programs/program-flow/server-flows.ts'
import { programFlows as flows } from '#features/programs/program-flow/tables.ts'
import type { MiniProgram, MiniProgramPlatform } from '#kit/ports/mini-programs.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { actAsSystem, readAsSystem } from '#server/system.ts'
import { isEndedByTold, isOpen, LIMITS, PROFILE_PARTS, reviewSeconds } from './rules.ts'
import {
  type Change,
  changeProfile,
  currentChanges,
  type Profile,
  stepChange,
  wake,
} from './server-profiles.ts'
import { type Outcome, settleChange } from './server-sending.ts'
import { programProfileChanges as changes, type KnownProfile, programProfiles as profiles } from './tables.ts'

type Round = {
  answers: Answer[]
  known: KnownProfile | null
  /** Why nothing could be asked; null: it could. */
  failure: { message: string; isLater: boolean } | null
  outcomes: { change: Change; outcome: Outcome }[]
}

const EVENTS = ['nameReviewed', 'categoryReviewed'] as const
type Told = UntakenEvent<(typeof EVENTS)[number]>

const CLAIM = `
  update program_profiles set claim = $1, next_at = now() + make_interval(secs => $2), tries = tries + 1
  where id in (select id from program_profiles where next_at <= now() order by next_at, id limit $3 for update skip locked)
  returning id::int`

/** Does a part and answers whether more waits. */
export async function followProfiles(services: Services): Promise<boolean> {
  const platform = platformOf(services)
  if (!platform) return false
  const told = await untakenEvents(services, EVENTS, LIMITS.atOnce)
  for (const one of told) await actAsSystem(services, 'program profile event', ctx => actOn(ctx, one))
  const claim = randomUUID()
  const claimed = await actAsSystem(services, 'program profiles claim', ctx => claimDue(ctx, claim))
  await Promise.all(
    claimed.map(async ({ profile, open }) => {
      const round = await call(services, platform, profile, open)
      await actAsSystem(services, 'program profiles record', ctx => record(ctx, profile, round))
    }),
  )
  return claimed.length === LIMITS.atOnce || told.length === LIMITS.atOnce
}

/** What is sent now is uncertain until its answer is kept, whatever becomes of this program; answered as it stood before. */
async function claimDue(ctx: Ctx, claim: string): Promise<{ profile: Profile; open: Change[] }[]> {
  const { rows } = await ctx.client.query<{ id: number }>({
    name: 'claim_program_profiles',
    text: CLAIM,
    values: [claim, LIMITS.claimSeconds, LIMITS.atOnce],
  })
  if (rows.length === 0) return []
  const claimed = await ctx.db.select().from(profiles).where(eq(profiles.claim, claim))
  const open = (
    await currentChanges(
      ctx,
      claimed.map(({ applicationId }) => applicationId),
    )
  ).filter(({ state }) => isOpen(state))
  const sending = open.filter(({ state }) => state === 'sending').map(({ id }) => id)
  if (sending.length > 0)
    await ctx.db.update(changes).set({ isUncertain: true }).where(inArray(changes.id, sending))
  return claimed.map(profile => ({
    profile,
    open: open.filter(({ applicationId }) => applicationId === profile.applicationId),
  }))
}

async function call(
  services: Services,
  platform: MiniProgramPlatform,
  profile: Profile,
  open: readonly Change[],
): Promise<Round> {
  const round: Round = { answers: [], known: null, failure: null, outcomes: [] }
  const asked = askedInto(round.answers, platform)
  const program = platform.of(profile.appid)
  try {
    const known = await readAll(program, asked)
    round.known = known
    const licenceId = await licenceOf(services, profile)
    for (const change of open) {
      const outcome = await settleChange({ services, platform, program, asked, known, licenceId }, change)
      if (outcome !== null) round.outcomes.push({ change, outcome })
    }
    if (round.outcomes.some(({ outcome }) => outcome.kind !== 'later'))
      round.known = await readAll(program, asked)
  } catch (error) {
    round.failure = failureOf(services, platform, error)
  }
  return round
}

async function licenceOf(services: Services, { applicationId }: Profile): Promise<number | null> {
  const row = await readAsSystem(services, ctx => applicationOf(ctx, applicationId))
  return row?.licenceId ?? null
}

const readAll = (program: MiniProgram, asked: Asked): Promise<KnownProfile> =>
  asked(
    '读取小程序资料',
    async () => ({ info: await program.info(), categories: await program.categories() }),
    ({ info, categories }) =>
      `名称：${info.nickName.value || '未设置'}；头像：${info.headImage.url === '' ? '未设置' : '已设置'}；简介：${info.signature.value || '未设置'}；类目：${categories.categories.length} 个`,
  )

/** A round whose claim was lost changes nothing; what it was answered is kept, and what it sent stays uncertain. */
async function record(ctx: Ctx, before: Profile, round: Round): Promise<void> {
  const { shop, row } = await lockApplication(ctx, before.applicationId)
  const [flow] = await ctx.db
    .select()
    .from(flows)
    .where(eq(flows.applicationId, before.applicationId))
    .for('update')
  const [profile] = await ctx.db.select().from(profiles).where(eq(profiles.id, before.id)).for('update')
  if (!flow || !profile) return
  await keepAnswers(ctx, flow, round.answers)
  if (profile.claim !== before.claim) return
  const refused: string[] = []
  let hasPassed = false
  for (const { change, outcome } of round.outcomes) {
    if (outcome.kind === 'later') {
      if (!outcome.isUncertain)
        await ctx.db.update(changes).set({ isUncertain: false }).where(eq(changes.id, change.id))
      continue
    }
    const { kind, ...given } = outcome
    if (!(await stepChange(ctx, change, kind, given))) continue
    if (kind === 'refuse') refused.push(refusedText(change, outcome.reason))
    if (kind === 'pass') {
      hasPassed = true
      await (change.args.isRemoval ? leave(ctx, row, change, round.known) : correct(ctx, row, change))
    }
  }
  // What was not reached was not sent.
  const reached = round.outcomes.map(({ change }) => change.id)
  const open = (await currentChanges(ctx, [profile.applicationId])).filter(({ state }) => isOpen(state))
  const later = round.outcomes.find(({ outcome }) => outcome.kind === 'later')?.outcome
  const message = round.failure?.message ?? (later?.kind === 'later' ? later.message : '')
  const isLater = later !== undefined || round.failure?.isLater === true
  const now = ctx.now
  const after = await changeProfile(ctx, profile, {
    ...{ claim: '', askedAt: now.toISOString(), message, tries: isLater ? profile.tries : 0 },
    ...(round.known === null ? {} : { known: round.known, readAt: now.toISOString() }),
  })
  const isNew = open.some(({ id, state }) => state === 'sending' && !reached.includes(id))
  const seconds = secondsUntil(now, open, isNew && round.failure === null, isLater ? after.tries : null)
  await changeProfile(ctx, after, {
    nextAt: seconds === null ? null : new Date(now.getTime() + seconds * 1_000).toISOString(),
  })
  if (hasPassed) await verifyProfile(ctx, flow)
  if (refused.length > 0)
    await notify(ctx, {
      ...{ agentId: shop.agentId, merchantId: shop.id, holding: 'merchants.list' },
      topic: 'Approval_Notify',
      title: '小程序资料未通过审核',
      body: `${shop.shopName}：${refused.join('；')}`,
      link: `/admin/schedule/AppletFlow?id=${row.id}`,
      args: { merchantId: shop.id },
    })
}

const refusedText = ({ part, value, args }: Change, reason: string) =>
  args.isRemoval
    ? `${PROFILE_PARTS[part]}「${value}」删除未成功：${reason}`
    : `${PROFILE_PARTS[part]}${value === '' ? '' : `「${value}」`}未通过：${reason}`

/** The application tells what the mini program shows from now on. */
async function correct(
  ctx: Ctx,
  row: Parameters<typeof correctProgram>[1],
  { part, value, args }: Change,
): Promise<void> {
  if (part === 'name') await correctProgram(ctx, row, { programName: value })
  if (part === 'intro') await correctProgram(ctx, row, { intro: value })
  const { levels = [] } = args
  if (part === 'category')
    await correctProgram(ctx, row, {
      ...{ categoryLevels: levels, categoryName: value, categoryId: levels.at(-1)?.id ?? null },
    })
}

/** Where the application told the category that was taken away, it tells another that holds. */
async function leave(
  ctx: Ctx,
  row: Parameters<typeof correctProgram>[1],
  { secondId }: Change,
  known: KnownProfile | null,
): Promise<void> {
  if (row.categoryLevels[1]?.id !== secondId) return
  const other = known?.categories.categories.find(
    ({ second, state }) => state === 'passed' && second !== secondId,
  )
  const levels = other
    ? [
        { id: other.first, name: other.firstName },
        { id: other.second, name: other.secondName },
      ]
    : []
  await correctProgram(ctx, row, {
    ...{ categoryLevels: levels, categoryName: levels.map(({ name }) => name).join(' / ') },
    categoryId: other?.second ?? null,
  })
}

function secondsUntil(
  now: Date,
  open: readonly Change[],
  isNew: boolean,
  tries: number | null,
): number | null {
  if (isNew) return 0
  if (tries !== null) return secondsToNext('answer', tries)
  const waits = open
    .filter(({ state }) => state === 'reviewing')
    .map(({ submittedAt }) => reviewSeconds((now.getTime() - Date.parse(submittedAt)) / 1_000))
  return waits.length === 0 ? null : Math.min(...waits)
}

async function applicationOf(ctx: Ctx, id: number) {
  const [row] = await ctx.db.select().from(applications).where(eq(applications.id, id))
  return row
}

/** Once: how the review stands is asked, whatever is told and whenever it comes. */
async function actOn(ctx: Ctx, { eventId, event }: Told): Promise<void> {
  const [known] = await ctx.db
    .select({ id: flows.id, applicationId: flows.applicationId })
    .from(flows)
    .where(eq(flows.appid, event.appid))
  const locked = known ? await lockApplication(ctx, known.applicationId) : null
  if (!(await takeEvent(ctx, eventId)) || !known || !locked) return
  const [flow] = await ctx.db.select().from(flows).where(eq(flows.id, known.id)).for('update')
  if (!flow) return
  const what = event.kind === 'nameReviewed' ? `名称「${event.name}」` : '类目'
  const reason = event.reason ? `：${event.reason}` : ''
  const isTrouble = event.state === 'refused'
  const words = `${what}${isTrouble ? `未通过审核${reason}` : '已审核通过'}`
  await keepAnswers(ctx, flow, [{ title: '微信通知：资料审核', code: '', advice: '', words, isTrouble }])
  const [profile] = await ctx.db
    .select()
    .from(profiles)
    .where(and(eq(profiles.applicationId, known.applicationId), eq(profiles.appid, event.appid)))
    .for('update')
  if (profile) {
    if (event.kind === 'nameReviewed') await endUnnumbered(ctx, profile, event)
    await wake(ctx, profile)
  }
  await verifyProfile(ctx, flow)
}

/** A name whose number was lost can be asked by nobody. */
async function endUnnumbered(
  ctx: Ctx,
  profile: Profile,
  event: Extract<Told['event'], { kind: 'nameReviewed' }>,
): Promise<void> {
  const open = await currentChanges(ctx, [profile.applicationId])
  const change = open.find(one => isEndedByTold(one, event))
  if (!change) return
  await stepChange(ctx, change, 'refuse', { reason: event.reason ?? '微信没有说明原因' })
}
