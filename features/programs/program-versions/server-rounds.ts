// The one place that calls the platform about the code of mini programs: it claims what is due, commits, asks, and writes what came of it in a
// transaction of its own, the shop first. An audit whose answer was lost is looked for before it is handed in again, and so is a withdrawal, a
// release and a roll-back. What the platform tells of an audit only has us ask how it stands: order and repetition do not matter.
import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { notify } from '#features/office/notices/server-notify.ts'
import { type Answer, type Asked, askedInto, failureOf } from '#features/programs/platform/server-asking.ts'
import { takeEvent, type UntakenEvent, untakenEvents } from '#features/programs/platform/server-events.ts'
import { platformOf } from '#features/programs/platform/server-platform.ts'
import { lockApplication } from '#features/programs/program-applications/server-decide.ts'
import { programApplications as applications } from '#features/programs/program-applications/tables.ts'
import { secondsToNext } from '#features/programs/program-flow/rules.ts'
import {
  keepAnswers,
  noteVersions,
  takeVersionStep,
  type VersionStep,
} from '#features/programs/program-flow/server-flows.ts'
import { programFlows as flows } from '#features/programs/program-flow/tables.ts'
import type { CodeAudit, MiniProgram, MiniProgramPlatform } from '#kit/ports/mini-programs.ts'
import { ProviderBusy, ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import { type Ctx, ownRows, type Services } from '#server/ctx.ts'
import { actAsSystem, readAsSystem } from '#server/system.ts'
import {
  AUDIT_STEPS,
  type AuditStep,
  auditTakes,
  DEEDS,
  declarationOf,
  domainsWanted,
  domainsWith,
  isOpen,
  type Known,
  type KnownPrivacy,
  LIMITS,
  lacksDomains,
  POLL_SECONDS,
  PRIVACY_SECONDS,
  preflightOf,
  redText,
  STEP_OF_ANSWER,
  templatesFor,
  templateTagOf,
  VERSION_REFUSALS,
  versionsOf,
} from './rules.ts'
import { type Audit, type Code, changeCode, currentAudit } from './server-codes.ts'
import { programAudits as audits, programCodes as codes } from './tables.ts'

/** Where every template of the vendor begins. */
export const HOME_PAGE = 'pages/index/index'
const TITLE_MOST = 32
const TAG_MOST = 20

type Application = typeof applications.$inferSelect
type Outcome =
  | { kind: 'committed'; version: string; templateId: number }
  | { kind: 'submitted'; auditId: number }
  | { kind: 'done' }
  /** It cannot be done; what is asked for ends. */
  | { kind: 'refused'; message: string }
  /** Nothing was done, or nobody knows; it is asked again. `isWaiting`: nothing is wrong. */
  | { kind: 'later'; message: string; isWaiting?: boolean }
type Round = {
  outcome: Outcome
  answers: Answer[]
  known: Known | null
  audit: CodeAudit | null
  /** In base64. */
  pictures: string[]
}
type Work = {
  services: Services
  platform: MiniProgramPlatform
  program: MiniProgram
  code: Code
  row: Application
  /** That stands. */
  audit: Audit | null
  /** The platform's numbers of those that are ours. */
  ours: readonly number[]
  asked: Asked
  round: Round
}

/** The platform's numbers. */
const NO_CODE = '86001'
const RELEASED_ALREADY = '85052'
const SPED_UP_ALREADY = '89404'

const EVENTS = ['auditPassed', 'auditRefused', 'auditDelayed'] as const
type Told = UntakenEvent<(typeof EVENTS)[number]>

const CLAIM = `
  update program_codes set claim = $1, next_at = now() + make_interval(secs => $2), tries = tries + 1
  where id in (select id from program_codes where next_at <= now() order by next_at, id limit $3 for update skip locked)
  returning id::int`

/** Does a part and answers whether more waits. */
export async function followVersions(services: Services): Promise<boolean> {
  const platform = platformOf(services)
  if (!platform) return false
  const told = await untakenEvents(services, EVENTS, LIMITS.atOnce)
  for (const one of told) await actAsSystem(services, 'program version event', ctx => actOn(ctx, one))
  const claim = randomUUID()
  const rows = await actAsSystem(services, 'program codes claim', async ctx => {
    const { rows } = await ctx.client.query<{ id: number }>({
      name: 'claim_program_codes',
      text: CLAIM,
      values: [claim, LIMITS.claimSeconds, LIMITS.atOnce],
    })
    return rows.length === 0 ? [] : ctx.db.select().from(codes).where(eq(codes.claim, claim))
  })
  await Promise.all(
    rows.map(async code => {
      const round = await call(services, platform, code)
      await actAsSystem(services, 'program codes record', ctx => record(ctx, code, round))
    }),
  )
  return rows.length === LIMITS.atOnce || told.length === LIMITS.atOnce
}

async function call(services: Services, platform: MiniProgramPlatform, code: Code): Promise<Round> {
  const round: Round = { outcome: { kind: 'done' }, answers: [], known: null, audit: null, pictures: [] }
  const asked = askedInto(round.answers, platform)
  try {
    const known = await readAsSystem(services, async ctx => {
      const [row] = await ctx.db.select().from(applications).where(eq(applications.id, code.applicationId))
      const kept = await ctx.db
        .select({ auditId: audits.auditId })
        .from(audits)
        .where(eq(audits.appid, code.appid))
      return {
        row,
        ours: kept.map(({ auditId }) => auditId),
        audit: await currentAudit(ctx, code.applicationId),
      }
    })
    if (!known.row) throw new Error('the code of a mini program has lost its application')
    const program = platform.of(code.appid)
    await roundOf({ ...known, row: known.row, services, platform, program, code, asked, round })
  } catch (error) {
    const { message, isLater } = failureOf(services, platform, error)
    round.outcome = { kind: isLater ? 'later' : 'refused', message }
  }
  return round
}

/** What is asked for, then how all stands; whatever was done is told even where reading it fails. */
async function roundOf(work: Work): Promise<void> {
  const { code, audit, round } = work
  if (code.deed !== '') round.outcome = await deedOf(work)
  const ended = round.outcome.kind === 'submitted' ? null : audit
  if (ended !== null && isOpen(ended.state) && round.audit === null && round.outcome.kind !== 'later')
    round.audit = await askAudit(work, ended.auditId)
  await fetchPictures(work)
  if (code.deed === 'read') {
    round.known = await readAll(work)
    return
  }
  if (round.outcome.kind === 'later' || (code.deed === '' && round.audit?.state === 'reviewing')) return
  try {
    round.known ??= await readAll(work)
  } catch (error) {
    // What was done is done; how it stands is read by the next round.
    if (!(error instanceof ProviderRefused || error instanceof ProviderUnknown)) throw error
  }
}

function deedOf(work: Work): Promise<Outcome> | Outcome {
  switch (work.code.deed) {
    case 'commit':
      return commit(work)
    case 'domains':
      return setDomains(work)
    case 'privacy':
      return declare(work)
    case 'submit':
      return submit(work)
    case 'withdraw':
      return withdraw(work)
    case 'speedUp':
      return speedUp(work)
    case 'release':
      return release(work)
    case 'rollBack':
      return rollBack(work)
    default:
      return { kind: 'done' }
  }
}

/** The same code once more changes nothing, so that a lost answer is no question. */
async function commit({ platform, program, code, row, asked }: Work): Promise<Outcome> {
  const fitting = templatesFor(
    await asked(
      '查询代码模板',
      () => platform.templates(),
      list => `共 ${list.length} 个模板`,
    ),
    templateTagOf(row.programType),
  )
  const template = fitting.find(({ templateId }) => templateId === code.args.templateId)
  if (!template) return { kind: 'refused', message: '找不到模板。请选择其他模板' }
  const { templateId, version, description } = template
  const settings = {
    ...{ extEnable: true, extAppid: code.appid, directCommit: false },
    ext: { uid: row.merchantId, appType: row.programType ?? '', name: row.programName },
  }
  await asked(
    DEEDS.commit,
    () => program.commit({ templateId, settings, version, description }),
    () => `已提交模板 ${templateId}，版本 ${version}`,
  )
  return { kind: 'committed', version, templateId }
}

async function setDomains({ services, program, asked }: Work): Promise<Outcome> {
  const wanted = domainsWanted(services.baseUrl())
  const standing = await program.domains()
  if (lacksDomains(standing, wanted))
    await asked(
      DEEDS.domains,
      () => program.setDomains(domainsWith(standing, wanted)),
      () => wanted.request.join('、'),
    )
  return { kind: 'done' }
}

/** Behind the platform's check of the code, which says what it uses. */
async function declare(work: Work): Promise<Outcome> {
  const { program, row, asked } = work
  await setDomains(work)
  const check = await program.privacyCheck()
  if (check.state === 'checking') return { kind: 'later', message: '', isWaiting: true }
  const standing = await program.privacy('trial')
  const { uses, unknown } = declarationOf(standing.used)
  if (unknown.length > 0)
    return {
      kind: 'refused',
      message: `代码使用了没有登记用途的信息：${unknown.join('、')}，请联系平台管理员`,
    }
  if (uses.length === 0) return { kind: 'done' }
  const contact = { phone: row.servicePhone }
  await asked(
    DEEDS.privacy,
    () => program.declarePrivacy('trial', { contact, notice: '弹窗', keptFor: null, uses }),
    () => uses.map(({ key, purpose }) => `${key}：${purpose}`).join('；'),
  )
  return { kind: 'done' }
}

async function submit(work: Work): Promise<Outcome> {
  const { services, program, code, row, ours, asked, round } = work
  if (code.tries > 1) {
    const latest = await program.latestAudit()
    if (latest !== null && !ours.includes(latest.auditId) && latest.version === code.version) {
      round.audit = latest
      return { kind: 'submitted', auditId: latest.auditId }
    }
  }
  const known = await readAll(work)
  round.known = known
  const red = redText(preflightOf(known, code.version, domainsWanted(services.baseUrl())))
  if (red !== null) return { kind: 'refused', message: red }
  if (known.quota.left <= 0) return { kind: 'refused', message: VERSION_REFUSALS.NO_AUDIT_LEFT }
  const chosen = row.categoryLevels.map(({ id }) => id)
  const category =
    known.categories.find(({ secondId, thirdId }) => chosen.includes(thirdId ?? secondId)) ??
    known.categories[0]
  if (!category) return { kind: 'refused', message: '类目没有提交审核或者没有审核通过' }
  const { used } = await program.privacy('trial')
  const auditId = await asked(
    DEEDS.submit,
    () =>
      program.submitAudit({
        items: [
          {
            page: HOME_PAGE,
            title: (known.info.nickName.value || row.programName).slice(0, TITLE_MOST),
            tags: (category.thirdName ?? category.secondName).replaceAll(' ', '').slice(0, TAG_MOST),
            category,
          },
        ],
        description: `${templateTagOf(row.programType) ?? ''} ${code.version}`,
        feedback: code.args.feedback ?? '',
        feedbackPictures: [],
        usesNoPrivacy: used.length === 0,
      }),
    id => `审核单 ${id}`,
  )
  return { kind: 'submitted', auditId }
}

async function askAudit({ program, asked }: Work, auditId: number): Promise<CodeAudit> {
  return asked(
    '查询审核结果',
    () => program.audit(auditId),
    ({ state, reason }) => `${SAID[state]}${reason ? `：${reason}` : ''}`,
  )
}
const SAID: Record<CodeAudit['state'], string> = {
  ...{
    passed: '审核通过',
    refused: '审核未通过',
    reviewing: '审核中',
    withdrawn: '已撤回',
    delayed: '审核延后',
  },
}

/** Only one that is still open is taken back; what it came to meanwhile is kept. */
async function withdraw(work: Work): Promise<Outcome> {
  const { program, audit, code, asked, round } = work
  if (!audit) return { kind: 'refused', message: VERSION_REFUSALS.OTHER_AUDIT }
  const standing = await askAudit(work, audit.auditId)
  round.audit = standing
  if (standing.state === 'withdrawn' && code.tries > 1) return { kind: 'done' }
  if (standing.state !== 'reviewing' && standing.state !== 'delayed')
    return { kind: 'refused', message: `审核已结束（${SAID[standing.state]}），不能撤回` }
  await asked(
    DEEDS.withdraw,
    () => program.undoAudit(),
    () => `已撤回审核单 ${audit.auditId}`,
  )
  round.audit = { ...standing, state: 'withdrawn' }
  return { kind: 'done' }
}

async function speedUp({ program, audit, asked }: Work): Promise<Outcome> {
  if (!audit) return { kind: 'refused', message: VERSION_REFUSALS.OTHER_AUDIT }
  await asked(
    DEEDS.speedUp,
    () => unlessDone(() => program.speedUp(audit.auditId), SPED_UP_ALREADY),
    () => `已加急审核单 ${audit.auditId}`,
  )
  return { kind: 'done' }
}

/** What the platform would release is the audit that came last: another than ours is left alone. */
async function release({ program, audit, asked }: Work): Promise<Outcome> {
  const latest = await program.latestAudit()
  if (!audit || latest?.auditId !== audit.auditId || latest.state !== 'passed')
    return { kind: 'refused', message: '微信上最近的审核单不是这一版，不能发布，请在微信公众平台核对' }
  await asked(
    DEEDS.release,
    () => unlessDone(() => program.release(), RELEASED_ALREADY),
    () => `已发布版本 ${audit.version}`,
  )
  return { kind: 'done' }
}

async function rollBack({ program, code, asked }: Work): Promise<Outcome> {
  const { appVersion, version = '' } = code.args
  if (code.tries > 1 && (await program.versions()).live?.version === version) return { kind: 'done' }
  await asked(
    DEEDS.rollBack,
    () => program.rollBack(appVersion),
    () => `已回退到版本 ${version}`,
  )
  return { kind: 'done' }
}

/** Refused because it is done already: nothing is wrong. */
async function unlessDone(ask: () => Promise<void>, done: string): Promise<void> {
  try {
    await ask()
  } catch (error) {
    if (!(error instanceof ProviderRefused && error.code === done)) throw error
  }
}

function readAll({ program, asked }: Work): Promise<Known> {
  return asked(
    DEEDS.read,
    async () => {
      const info = await program.info()
      const categories = await program.auditCategories()
      const domains = await program.domains()
      const { trial, live } = await program.versions()
      const privacy = await privacyOf(program)
      const quota = await program.auditQuota()
      const releases = live === null ? [] : await program.releases()
      return { info, categories, domains, trial, live, privacy, quota, releases }
    },
    ({ trial, live, quota }) =>
      `体验版 ${trial?.version ?? '无'}，线上版 ${live?.version ?? '无'}，本月提审还剩 ${quota.left} 次`,
  )
}

async function privacyOf(program: MiniProgram): Promise<KnownPrivacy> {
  try {
    const check = await program.privacyCheck()
    return check.state === 'checking' ? { ...check, withoutLeave: [], withoutDeclaration: [] } : check
  } catch (error) {
    if (!(error instanceof ProviderRefused && error.code === NO_CODE)) throw error
    return { state: 'none', withoutLeave: [], withoutDeclaration: [] }
  }
}

/** The platform keeps them for days alone. */
async function fetchPictures({ program, round, asked }: Work): Promise<void> {
  if (round.audit?.state !== 'refused') return
  for (const mediaId of round.audit.screenshots.slice(0, LIMITS.screenshots))
    try {
      const picture = await asked(
        '下载审核截图',
        () => program.picture(mediaId),
        ({ length }) => `${Math.ceil(length / 1_024)} KB`,
      )
      round.pictures.push(picture.toString('base64'))
    } catch (error) {
      // One that is gone stays gone; where nobody answered, the audit is asked about again.
      if (!(error instanceof ProviderRefused) || error instanceof ProviderBusy) throw error
    }
}

/** A round whose claim was lost changes nothing; what it was answered is kept. */
async function record(ctx: Ctx, before: Code, round: Round): Promise<void> {
  const { shop, row } = await lockApplication(ctx, before.applicationId)
  const [flow] = await ctx.db
    .select()
    .from(flows)
    .where(eq(flows.applicationId, before.applicationId))
    .for('update')
  const [code] = await ctx.db.select().from(codes).where(eq(codes.id, before.id)).for('update')
  if (!flow || !code) return
  await keepAnswers(ctx, flow, round.answers)
  if (code.claim !== before.claim) return
  const { outcome, known } = round
  const now = ctx.now.toISOString()
  const take = async (step: VersionStep, message = '') => {
    const [standing] = await ctx.db.select().from(flows).where(eq(flows.id, flow.id))
    if (standing) await takeVersionStep(ctx, { row, flow: standing }, step, message)
  }
  if (outcome.kind === 'committed') await take('upgrade')
  if (outcome.kind === 'submitted') {
    await beginAudit(ctx, code, outcome.auditId)
    await take('submitAudit')
  }
  const audit = await currentAudit(ctx, code.applicationId)
  const ended = audit === null ? null : await settle(ctx, code, audit, round)
  if (ended === 'withdraw') await take('returnAudit')
  if (ended === 'refuse') await take('returnAudit', toldOf(ended, audit, round) ?? '')
  if (ended === 'release') await take('release')
  const isLater = outcome.kind === 'later'
  const deed = isLater ? code.deed : outcome.kind === 'committed' ? 'privacy' : ''
  const message = outcome.kind === 'refused' || outcome.kind === 'later' ? outcome.message : ''
  const after = await changeCode(ctx, code, {
    ...{ deed, claim: '', askedAt: now, message, tries: isLater && !outcome.isWaiting ? code.tries : 0 },
    ...(deed === code.deed ? {} : { args: deed === '' ? {} : code.args }),
    ...(known === null ? {} : { known, readAt: now }),
    ...(outcome.kind === 'committed'
      ? { version: outcome.version, templateId: outcome.templateId, committedAt: now }
      : {}),
  })
  if (known !== null) await noteVersions(ctx, flow, versionsOf(known))
  const open = await currentAudit(ctx, code.applicationId)
  const seconds = secondsUntil(after, outcome, open, known !== null)
  await changeCode(ctx, after, {
    nextAt: seconds === null ? null : new Date(ctx.now.getTime() + seconds * 1_000).toISOString(),
  })
  const told = ended === null ? (outcome.kind === 'refused' ? message : null) : toldOf(ended, audit, round)
  const isQuiet = ended === null ? code.args.isQuiet : audit?.isQuiet
  if (told !== null && !isQuiet)
    await notify(ctx, {
      ...{ agentId: shop.agentId, merchantId: shop.id, holding: 'merchants.list' },
      topic: 'Approval_Notify',
      title: ended === 'pass' ? '小程序审核通过' : '小程序版本需要处理',
      body: `${shop.shopName}：${told}`,
      link: `/admin/schedule/AppletFlow?id=${row.id}`,
      args: { merchantId: shop.id },
    })
}

function toldOf(step: AuditStep, audit: Audit | null, { audit: answer }: Round): string | null {
  if (step === 'pass') return `版本 ${audit?.version} 审核通过，请发布`
  if (step === 'refuse') return `版本 ${audit?.version} 审核未通过：${answer?.reason ?? '微信没有说明原因'}`
  return null
}

function secondsUntil(after: Code, outcome: Outcome, audit: Audit | null, isRead: boolean): number | null {
  if (outcome.kind === 'later')
    return outcome.isWaiting ? PRIVACY_SECONDS : secondsToNext('answer', after.tries)
  if (after.deed !== '') return 0
  if (audit !== null && isOpen(audit.state)) return POLL_SECONDS
  return isRead || outcome.kind === 'refused' ? null : secondsToNext('answer', after.tries)
}

async function beginAudit(ctx: Ctx, code: Code, auditId: number): Promise<void> {
  const { applicationId, agentId, merchantId, appid, version } = code
  await ctx.db
    .update(audits)
    .set({ isCurrent: false })
    .where(and(eq(audits.applicationId, applicationId), ownRows(ctx, audits.agentId)))
  await ctx.db.insert(audits).values({
    ...{ applicationId, agentId, merchantId, appid, version, auditId },
    ...{ state: 'reviewing', isCurrent: true, isQuiet: code.args.isQuiet ?? false },
    submittedByName: code.args.byName ?? '',
    submittedAt: ctx.now.toISOString(),
  })
}

/** What the platform said of an audit, or what was done to it; answers the step that was taken. */
async function settle(
  ctx: Ctx,
  code: Code,
  audit: Audit,
  { outcome, audit: answer, pictures }: Round,
): Promise<AuditStep | null> {
  const now = ctx.now.toISOString()
  const isDone = outcome.kind === 'done'
  if (isDone && code.deed === 'speedUp')
    await ctx.db.update(audits).set({ isSpedUp: true }).where(eq(audits.id, audit.id))
  if (isDone && code.deed === 'release') return takeStep(ctx, audit, 'release', { releasedAt: now })
  if (answer === null || answer.auditId !== audit.auditId) return null
  const step = STEP_OF_ANSWER[answer.state]
  if (step === null) return null
  return takeStep(ctx, audit, step, {
    reason: answer.reason ?? '',
    ...(step === 'delay' ? {} : { endedAt: now }),
    ...(pictures.length > 0 ? { screenshots: ctx.services.secrets.encrypt(JSON.stringify(pictures)) } : {}),
    ...(step === 'withdraw' && isDone && code.deed === 'withdraw' ? { withdrawnAt: now } : {}),
  })
}

type Changed = Partial<Omit<typeof audits.$inferInsert, 'state'>>
async function takeStep(ctx: Ctx, audit: Audit, step: AuditStep, given: Changed): Promise<AuditStep | null> {
  if (!auditTakes(audit.state, step)) return null
  const { from, to } = AUDIT_STEPS[step]
  await ctx.db
    .update(audits)
    .set({ ...given, state: to })
    .where(and(eq(audits.id, audit.id), inArray(audits.state, [...from])))
  return step
}

/** Once: how the audit stands is asked, whatever is told and whenever it comes. */
async function actOn(ctx: Ctx, { eventId, event }: Told): Promise<void> {
  const [known] = await ctx.db
    .select({ id: codes.id, applicationId: codes.applicationId })
    .from(codes)
    .where(eq(codes.appid, event.appid))
  const locked = known ? await lockApplication(ctx, known.applicationId) : null
  if (!(await takeEvent(ctx, eventId)) || !known || !locked) return
  const [flow] = await ctx.db.select().from(flows).where(eq(flows.applicationId, known.applicationId))
  const [code] = await ctx.db.select().from(codes).where(eq(codes.id, known.id)).for('update')
  if (!flow || !code) return
  const words = { auditPassed: '审核通过', auditRefused: '审核未通过', auditDelayed: '审核延后' }[event.kind]
  const reason = event.kind === 'auditPassed' ? '' : `：${event.reason}`
  await keepAnswers(ctx, flow, [
    {
      ...{ title: '微信通知：代码审核', code: '', words: `${words}${reason}`, advice: '' },
      isTrouble: event.kind === 'auditRefused',
    },
  ])
  const audit = await currentAudit(ctx, known.applicationId)
  // What is being asked for goes first; behind it the audit is asked about again.
  if (code.deed === '' && audit !== null && isOpen(audit.state))
    await changeCode(ctx, code, { nextAt: ctx.now.toISOString(), claim: '', tries: 0 })
}
