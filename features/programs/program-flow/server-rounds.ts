// The one place that calls the platform about flows: it acts on what the platform told, claims what is due, commits, asks, and writes what came of
// it in a transaction of its own, the shop first. A registration whose answer was lost is asked about, and handed in again only once the platform
// has said that it is not there. What the platform tells makes us ask it; of a registration's end alone it is taken as told.
import { randomUUID } from 'node:crypto'
import { and, desc, eq, inArray, isNotNull, ne } from 'drizzle-orm'
import { notify } from '#features/office/notices/server-notify.ts'
import {
  type Answer,
  type Asked,
  askedInto,
  failureOf,
  SILENT,
} from '#features/programs/platform/server-asking.ts'
import { takeEvent, type UntakenEvent, untakenEvents } from '#features/programs/platform/server-events.ts'
import { platformOf } from '#features/programs/platform/server-platform.ts'
import { lockApplication } from '#features/programs/program-applications/server-decide.ts'
import { correctProgram } from '#features/programs/program-applications/server-flow.ts'
import { programApplications as applications } from '#features/programs/program-applications/tables.ts'
import type {
  BasicInfo,
  CategoryStanding,
  MiniProgramPlatform,
  Registration,
} from '#kit/ports/mini-programs.ts'
import { ProviderRefused } from '#kit/ports/providers.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { actAsSystem, readAsSystem } from '#server/system.ts'
import {
  LIMITS,
  lackingText,
  missingText,
  OTHER_PROGRAM,
  PERSONAL,
  REGISTERING,
  secondsToNext,
  TAKEN_ALREADY,
  takes,
  toldMove,
  UNAUTHORIZED,
} from './rules.ts'
import { registrationKeyOf } from './server-ask.ts'
import { changeFlow, type Flow, keepAnswers, type Locked, stepFlow } from './server-flows.ts'
import { programFlows as flows } from './tables.ts'

type Outcome =
  | { kind: 'accepted' }
  | { kind: 'running' }
  | { kind: 'finished' }
  | { kind: 'refused'; message: string }
  | { kind: 'traded'; appid: string; scopes: readonly number[] }
  | { kind: 'codeRefused'; message: string }
  | { kind: 'read'; scopes: readonly number[]; info: BasicInfo | null; message: string }
  /** As read, and what it shows of itself was looked at: `message` empty where all of it is there. */
  | { kind: 'checked'; scopes: readonly number[]; info: BasicInfo; message: string }
  | { kind: 'personal' | 'unauthorized' }
  | { kind: 'readRefused'; message: string }
  /** Nothing was done, or nobody knows; it is asked again. */
  | { kind: 'later'; message: string }
type Round = { outcome: Outcome; answers: Answer[] }

/** The platform's numbers. */
const TASK_RUNNING = '89249'
const TASK_UNKNOWN = '89250'
const UNDER_WAY = ['89251', '89252']
const NOT_AUTHORIZED = ['61003', '61023']
/** A task that ended is told by an event: until that has come, the platform knows of none. */
const UNKNOWN_ROUNDS = 3

const EVENTS = ['registered', 'authorized', 'authorizationChanged', 'unauthorized'] as const
type Told = UntakenEvent<(typeof EVENTS)[number]>

const CLAIM = `
  update program_flows set claim = $1, next_at = now() + make_interval(secs => $2), tries = tries + 1
  where id in (select id from program_flows where next_at <= now() order by next_at, id limit $3 for update skip locked)
  returning id::int`

/** Does a part and answers whether more waits. */
export async function followPlatform(services: Services): Promise<boolean> {
  const platform = platformOf(services)
  if (!platform) return false
  const told = await untakenEvents(services, EVENTS, LIMITS.atOnce)
  for (const one of told) await actAsSystem(services, 'program flow event', ctx => actOn(ctx, one))
  const claim = randomUUID()
  const rows = await actAsSystem(services, 'program flows claim', async ctx => {
    const { rows } = await ctx.client.query<{ id: number }>({
      name: 'claim_program_flows',
      text: CLAIM,
      values: [claim, LIMITS.claimSeconds, LIMITS.atOnce],
    })
    return rows.length === 0 ? [] : ctx.db.select().from(flows).where(eq(flows.claim, claim))
  })
  await Promise.all(
    rows.map(async row => {
      const round = await call(services, platform, row)
      const dropped = await actAsSystem(services, 'program flows record', ctx => record(ctx, row, round))
      if (dropped !== null) await platform.forget(dropped)
    }),
  )
  return rows.length === LIMITS.atOnce || told.length === LIMITS.atOnce
}

async function call(services: Services, platform: MiniProgramPlatform, row: Flow): Promise<Round> {
  const answers: Answer[] = []
  const asked = askedInto(answers, platform, UNDER_WAY)
  try {
    return { outcome: await roundOf(services, platform, row, asked), answers }
  } catch (error) {
    return { outcome: failed(services, platform, row, error), answers }
  }
}

async function roundOf(
  services: Services,
  platform: MiniProgramPlatform,
  row: Flow,
  asked: Asked,
): Promise<Outcome> {
  const { authCode, appid } = row
  if (authCode !== null) {
    const code = services.secrets.decrypt(authCode)
    const traded = await asked(
      '换取授权',
      () => platform.authorize(code),
      one => `已授权：${one.appid}`,
    )
    return { kind: 'traded', ...traded }
  }
  if (row.state === 'creating') return register(services, platform, row, asked)
  if (row.state === 'faceCheck') return standing(platform, registrationOf(services, row), asked)
  if (appid === null) return { kind: 'later', message: row.message }
  const { isPersonal, scopes } = await asked(
    '查询授权信息',
    () => platform.authorizerInfo(appid),
    one => `主体：${one.principalName}；权限：${one.scopes.join('、')}`,
  )
  if (isPersonal) return { kind: 'personal' }
  const message = lackingText(scopes) ?? ''
  if (message !== '') return { kind: 'read', scopes, info: null, message }
  const info = await asked(
    '读取基本信息',
    () => platform.of(appid).info(),
    one => `名称：${one.nickName.value || '未设置'}；主体：${one.principalName}`,
  )
  if (info.isPersonal) return { kind: 'personal' }
  if (!(row.isVerifying && takes(row.state, 'passProfile'))) return { kind: 'read', scopes, info, message }
  const { categories } = await asked(
    '查询类目',
    () => platform.of(appid).categories(),
    one => categoriesText(one.categories),
  )
  const missing = missingText({
    ...{ name: info.nickName.value, headImage: info.headImage.url, intro: info.signature.value },
    hasCategory: categories.some(({ state }) => state === 'passed'),
  })
  return { kind: 'checked', scopes, info, message: missing ?? '' }
}

const CATEGORY_STATES = { reviewing: '审核中', refused: '未通过', passed: '已通过' } as const
const categoriesText = (categories: readonly CategoryStanding[]) =>
  categories
    .map(
      ({ firstName, secondName, state, reason }) =>
        `${firstName} / ${secondName}：${CATEGORY_STATES[state]}${reason ? `（${reason}）` : ''}`,
    )
    .join('；') || '还没有类目'

function registrationOf(services: Services, { registration }: Flow): Registration {
  if (registration === null) throw new Error('a registration is followed that was never handed in')
  return JSON.parse(services.secrets.decrypt(registration)) as Registration
}

async function register(
  services: Services,
  platform: MiniProgramPlatform,
  row: Flow,
  asked: Asked,
): Promise<Outcome> {
  const registration = registrationOf(services, row)
  const isAgain = row.tries > 1
  if (isAgain) {
    const known = await standing(platform, registration, asked)
    // A task of before under the same names has ended well, too: it says nothing of this one.
    const saysNothing = known.kind === 'finished' && (await hasFinishedAnother(services, row))
    if (known.kind !== 'later' && !saysNothing) return known.kind === 'running' ? { kind: 'accepted' } : known
  }
  try {
    await asked(
      '快速注册小程序',
      () => platform.register(registration),
      () => '已受理，等待法人人脸核身',
    )
  } catch (error) {
    if (!(isAgain && error instanceof ProviderRefused && error.code === TASK_RUNNING)) throw error
  }
  return { kind: 'accepted' }
}

/** later: the platform knows of no task. */
async function standing(
  platform: MiniProgramPlatform,
  registration: Registration,
  asked: Asked,
): Promise<Extract<Outcome, { kind: 'finished' | 'running' | 'later' }>> {
  try {
    await asked(
      '查询创建状态',
      () => platform.registrationState(registration),
      () => '已创建',
    )
    return { kind: 'finished' }
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    if (UNDER_WAY.includes(error.code)) return { kind: 'running' }
    if (error.code !== TASK_UNKNOWN) throw error
    return { kind: 'later', message: platform.troubleOf(error).words }
  }
}

async function hasFinishedAnother(services: Services, row: Flow): Promise<boolean> {
  const [other] = await readAsSystem(services, ({ db }) =>
    db
      .select({ id: flows.id })
      .from(flows)
      .where(
        and(eq(flows.registrationKey, row.registrationKey), ne(flows.id, row.id), isNotNull(flows.appid)),
      )
      .limit(1),
  )
  return other !== undefined
}

function failed(services: Services, platform: MiniProgramPlatform, row: Flow, error: unknown): Outcome {
  const isRefused = error instanceof ProviderRefused
  if (isRefused && NOT_AUTHORIZED.includes(error.code) && row.authCode === null && row.appid !== null)
    return { kind: 'unauthorized' }
  const { message, isLater, turn } = failureOf(services, platform, error)
  if (isLater || turn === 'platform') return { kind: 'later', message }
  if (row.authCode !== null) return { kind: 'codeRefused', message }
  return row.state === 'creating' || row.state === 'faceCheck'
    ? { kind: 'refused', message }
    : { kind: 'readRefused', message }
}

/** Answers whose tokens are not to be kept. A round whose claim was lost changes nothing; what it was answered is kept. */
async function record(ctx: Ctx, before: Flow, { outcome, answers }: Round): Promise<string | null> {
  const locked = await lockApplication(ctx, before.applicationId)
  const [flow] = await ctx.db.select().from(flows).where(eq(flows.id, before.id)).for('update')
  if (!flow) return null
  await keepAnswers(ctx, flow, answers)
  if (flow.claim !== before.claim) return null
  const { after, dropped = null } = await apply(ctx, { ...locked, flow }, outcome)
  const isPressed = flow.isVerifying && !before.isVerifying
  const seconds =
    isPressed || outcome.kind === 'traded' ? 0 : secondsToNext(waitsFor(after, outcome), after.tries)
  await changeFlow(ctx, after, {
    ...{ claim: '', askedAt: ctx.now.toISOString() },
    nextAt: seconds === null ? null : new Date(ctx.now.getTime() + seconds * 1_000).toISOString(),
  })
  if (
    after.message !== '' &&
    after.message !== before.message &&
    after.state !== 'creating' &&
    outcome.kind !== 'later'
  )
    await tellAgent(ctx, { ...locked, flow: after }, after.message)
  return dropped
}

function waitsFor(after: Flow, { kind }: Outcome): Parameters<typeof secondsToNext>[0] {
  if (kind === 'later' && after.state !== 'faceCheck') return 'answer'
  if (after.authCode !== null || after.state === 'creating') return 'answer'
  return after.state === 'faceCheck' ? 'face' : 'nothing'
}

type Applied = { after: Flow; dropped?: string | null }

async function apply(ctx: Ctx, locked: Locked, outcome: Outcome): Promise<Applied> {
  const { flow } = locked
  const now = ctx.now.toISOString()
  switch (outcome.kind) {
    case 'accepted':
      return { after: await stepFlow(ctx, locked, 'accept', { message: '', tries: 0 }) }
    case 'running':
      return { after: await changeFlow(ctx, flow, { message: '', tries: 0 }) }
    case 'finished':
      return { after: await stepFlow(ctx, locked, 'finish', { message: '', tries: 0 }) }
    case 'refused':
      return { after: await stepFlow(ctx, locked, 'refuse', { message: outcome.message, tries: 0 }) }
    case 'traded':
      return takeOver(ctx, locked, outcome)
    case 'codeRefused':
      return { after: await changeFlow(ctx, flow, { message: outcome.message, authCode: null, tries: 0 }) }
    case 'personal':
      return {
        after: await changeFlow(ctx, flow, {
          ...{ message: PERSONAL, isAuthorized: false, isVerifying: false, tries: 0 },
          ...(takes(flow.state, 'authorize') ? { appid: null, scopes: [] } : {}),
        }),
        dropped: flow.appid,
      }
    case 'unauthorized':
      return {
        after: await changeFlow(ctx, flow, {
          ...{ message: UNAUTHORIZED, isAuthorized: false, isVerifying: false, scopes: [], tries: 0 },
        }),
        dropped: flow.appid,
      }
    case 'read':
    case 'checked':
      return { after: await keepRead(ctx, locked, outcome, now) }
    case 'readRefused':
      return {
        after: await changeFlow(ctx, flow, { message: outcome.message, isVerifying: false, tries: 0 }),
      }
    case 'later':
      return flow.state === 'faceCheck' && flow.authCode === null && flow.tries >= UNKNOWN_ROUNDS
        ? lostTask(ctx, locked, outcome.message)
        : { after: await changeFlow(ctx, flow, { message: outcome.message }) }
  }
}

/** Of a task that the platform knows no more while the event of its end never came; silence says nothing. */
async function lostTask(ctx: Ctx, locked: Locked, message: string): Promise<Applied> {
  if (message === SILENT) return { after: await changeFlow(ctx, locked.flow, { message }) }
  return {
    after: await stepFlow(ctx, locked, 'refuse', { message: `${message}，请重新创建`, tries: 0 }),
  }
}

/** What was traded becomes the shop's, unless it is another's or not the one of before. */
async function takeOver(
  ctx: Ctx,
  { flow }: Locked,
  { appid, scopes }: { appid: string; scopes: readonly number[] },
): Promise<Applied> {
  const [holder] = await ctx.db
    .select({ id: flows.id, deletedAt: applications.deletedAt })
    .from(flows)
    .innerJoin(applications, eq(applications.id, flows.applicationId))
    .where(and(eq(flows.appid, appid), ne(flows.id, flow.id)))
  if (holder && holder.deletedAt === null)
    // Its tokens stay: they are the other shop's.
    return { after: await changeFlow(ctx, flow, { message: TAKEN_ALREADY, authCode: null, tries: 0 }) }
  if (flow.appid !== null && flow.appid !== appid)
    return {
      after: await changeFlow(ctx, flow, { message: OTHER_PROGRAM, authCode: null, tries: 0 }),
      dropped: appid,
    }
  if (holder)
    await ctx.db.update(flows).set({ appid: null, isAuthorized: false }).where(eq(flows.id, holder.id))
  return {
    after: await changeFlow(ctx, flow, {
      ...{ appid, scopes, authCode: null, isAuthorized: true, authorizedAt: ctx.now.toISOString() },
      ...{ message: '', tries: 0 },
    }),
  }
}

async function keepRead(
  ctx: Ctx,
  locked: Locked,
  { kind, scopes, info, message }: Extract<Outcome, { kind: 'read' | 'checked' }>,
  now: string,
): Promise<Flow> {
  const { flow, row } = locked
  // One that was there before has a name of its own, which nobody was asked for.
  const name = info?.nickName.value ?? ''
  if (row.kind === 'existing' && name !== '' && name !== row.programName)
    await correctProgram(ctx, row, { programName: name })
  const known = {
    ...{ scopes, message, isAuthorized: true, isVerifying: false, tries: 0 },
    ...(info === null ? {} : { basicInfo: info, basicInfoAt: now }),
  }
  if (takes(flow.state, 'authorize')) return stepFlow(ctx, locked, 'authorize', known)
  if (kind === 'checked')
    return message === '' ? stepFlow(ctx, locked, 'passProfile', known) : changeFlow(ctx, flow, known)
  return flow.isVerifying && info !== null && takes(flow.state, 'verify')
    ? stepFlow(ctx, locked, 'verify', known)
    : changeFlow(ctx, flow, known)
}

async function tellAgent(ctx: Ctx, { shop, row }: Locked, message: string): Promise<void> {
  await notify(ctx, {
    ...{ agentId: shop.agentId, merchantId: shop.id, holding: 'merchants.list' },
    topic: 'Approval_Notify',
    title: '小程序办理需要处理',
    body: `${shop.shopName}：${message}`,
    link: `/admin/schedule/AppletFlow?id=${row.id}`,
    args: { merchantId: shop.id },
  })
}

/** Once, with what comes of it; one that is about nothing of ours, or of an earlier try, changes nothing. */
async function actOn(ctx: Ctx, { eventId, event }: Told): Promise<void> {
  const of =
    event.kind === 'registered'
      ? and(
          eq(flows.registrationKey, registrationKeyOf(ctx.services, event.registration)),
          inArray(flows.state, [...REGISTERING]),
        )
      : eq(flows.appid, event.appid)
  const [known] = await ctx.db
    .select({ applicationId: flows.applicationId, id: flows.id })
    .from(flows)
    .where(of)
    .orderBy(desc(flows.handedInAt))
    .limit(1)
  const locked = known ? await lockApplication(ctx, known.applicationId) : null
  if (!(await takeEvent(ctx, eventId)) || !known || !locked) return
  const [flow] = await ctx.db.select().from(flows).where(eq(flows.id, known.id)).for('update')
  if (!flow) return
  if (event.kind === 'registered') return actOnRegistered(ctx, { ...locked, flow }, event)
  await keepAnswers(ctx, flow, [{ title: '微信通知', code: '', advice: '', ...toldOf(event) }])
  // However late it comes or whoever else was told: how it stands is asked.
  await changeFlow(ctx, flow, { nextAt: ctx.now.toISOString(), tries: 0 })
}

type Asking = Exclude<Told['event'], Registered>

function toldOf(event: Asking): Pick<Answer, 'words' | 'isTrouble'> {
  switch (event.kind) {
    case 'authorized':
      return { words: '客户已授权', isTrouble: false }
    case 'authorizationChanged':
      return { words: '客户更改了授权', isTrouble: false }
    case 'unauthorized':
      return { words: UNAUTHORIZED, isTrouble: true }
  }
}

type Registered = Extract<Told['event'], { kind: 'registered' }>

async function actOnRegistered(ctx: Ctx, locked: Locked, event: Registered): Promise<void> {
  const { flow } = locked
  const isDone = event.status === '0'
  const platform = platformOf(ctx.services)
  const { words, advice } =
    isDone || !platform
      ? { words: '小程序已创建', advice: '' }
      : platform.troubleOf({ code: event.status, message: event.message }, 'registration')
  await keepAnswers(ctx, flow, [
    { title: '微信通知：注册结果', code: event.status, words, advice, isTrouble: !isDone },
  ])
  const message = `${words}。${advice}`
  const isFound = flow.appid !== null || flow.authCode !== null
  const move = toldMove({ ...flow, isFound }, { kind: 'registered', isDone, at: event.at, message })
  if (move === 'finish')
    await stepFlow(ctx, locked, 'finish', {
      ...{ message: '', tries: 0, claim: '', nextAt: event.authCode === null ? null : ctx.now.toISOString() },
      ...(event.authCode === null ? {} : { authCode: ctx.services.secrets.encrypt(event.authCode) }),
    })
  if (move !== 'refuse') return
  const after = await stepFlow(ctx, locked, 'refuse', { message, tries: 0, claim: '', nextAt: null })
  await tellAgent(ctx, { ...locked, flow: after }, message)
}
