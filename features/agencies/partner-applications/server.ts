import { and, desc, eq, getTableColumns, gte, inArray, like, lt, type SQL, sql } from 'drizzle-orm'
import { takeOn } from '#features/agencies/partners/server-take-on.ts'
import { networkHash } from '#features/office/captcha/server-pass.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { dueAfter } from '#features/office/reference-data/server-calendar.ts'
import { isOfferedDistrict, regionsOf } from '#features/office/regions/server.ts'
import { queueMessages } from '#features/shops/messages/server-outbox.ts'
import type { In } from '#kit/declare/op.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { endOfDay, formatDay, startOfDay } from '#kit/time.ts'
import { maskPhone } from '#kit/words/phone.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { keepWritten, type WrittenPicture, writePicture } from '#server/files.ts'
import { containing, countUpTo } from '#server/list.ts'
import { refuseSecond } from '#server/office/second.ts'
import { settingOf } from '#server/office/settings.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { found, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { actForNobody, rehearse, SYSTEM_ACTOR } from '#server/system.ts'
import { partnerApplications as contract } from './contract.ts'
import {
  ANSWER_DAYS,
  APPLICATION_REFUSALS,
  APPLICATION_STATES,
  APPLICATION_STEPS,
  type ApplicationStep,
  brokenIn,
  DECISION_REFUSALS,
  LICENCE_LIMITS,
  LICENCE_PICTURE,
  refuseMore,
  refuseNote,
  refuseReason,
  refuseStep,
} from './rules.ts'
import { operatorId, redeemCode, sendCode } from './server-codes.ts'
import { partnerApplicationNotes as notes, partnerApplications as rows } from './tables.ts'

export const LINK = '/admin/operations/applications'

type Sent = In<typeof contract.submit>

/**
 * Whoever applies, of nobody's agent. The licence is written when no transaction is open, and only for whoever has the phone in hand:
 * what would be refused is refused before, and its code is spent with the application alone.
 */
export const submit: Verb<typeof contract.submit> = async (ctx, input) => {
  const [broken] = brokenIn(input)
  if (broken) refuse(broken.code, APPLICATION_REFUSALS, { field: broken.field })
  if (input.licence === '') return actForNobody(ctx, one => apply(one, input, null))
  await rehearse(ctx, one => admitApplicant(one, input))
  const licence = await writePicture(ctx.services, {
    bytes: Buffer.from(input.licence, 'base64'),
    limits: LICENCE_LIMITS,
    sealed: true,
  })
  try {
    return await actForNobody(ctx, one => apply(one, input, licence))
  } catch (error) {
    await licence.forget()
    throw error
  }
}

/** Spends the code; answers what the application is written with. */
async function admitApplicant(ctx: Ctx, input: Sent): Promise<{ mobile: string; ipHash: Buffer }> {
  if (!(await isOfferedDistrict(ctx, input.districtCode)))
    refuse('REGION_REQUIRED', APPLICATION_REFUSALS, { field: 'districtCode' })
  const mobile = input.mobile.trim()
  const ipHash = networkHash(ctx)
  // One at a time of a network; of a phone the code is one.
  await ctx.client.query('select pg_advisory_xact_lock($1::bigint)', [String(ipHash.readBigInt64BE())])
  await redeemCode(ctx, mobile, input.code.trim())
  refuse(refuseMore(await countSent(ctx, mobile, ipHash)), APPLICATION_REFUSALS)
  return { mobile, ipHash }
}

async function apply(ctx: Ctx, input: Sent, licence: WrittenPicture | null) {
  const { mobile, ipHash } = await admitApplicant(ctx, input)
  const companyName = input.companyName.trim()
  const { now } = ctx
  const dueOn = await dueAfter(ctx, formatDay(now), await settingOf(ctx, ANSWER_DAYS))
  const of = { purpose: LICENCE_PICTURE, agentId: await operatorId(ctx), createdBy: SYSTEM_ACTOR.accountId }
  const [kept] = await ctx.db
    .insert(rows)
    .values({
      companyName,
      contactName: input.contactName.trim(),
      mobile,
      districtCode: input.districtCode,
      regionName: (await regionsOf(ctx)).regionName(input.districtCode),
      address: input.address.trim(),
      sells: input.sells.trim(),
      remark: input.remark.trim(),
      licenceId: licence && (await keepWritten(ctx, licence, of)),
      ipHash,
      state: 'new',
      createdAt: now.toISOString(),
      dueOn,
    })
    .returning({ id: rows.id })
  const { id } = found(kept)
  await notify(ctx, {
    vendor: 'staff',
    holding: 'partnerApplications.list',
    topic: 'Application_Notify',
    title: '新的合作申请',
    body: `${companyName}，${input.contactName.trim()} ${mobile}`,
    link: `${LINK}?application=${id}`,
    args: { applicationId: id },
  })
  await logOperation(ctx, {
    operation: '/partner-applications submit',
    title: '提交合作申请',
    subject: `${companyName} (${id})`,
    objects: [objectKey('application', id)],
    changes: [{ name: '手机号', before: null, after: maskPhone(mobile) }],
    by: SYSTEM_ACTOR,
  })
  return { received: true as const, dueOn }
}

async function countSent(ctx: Ctx, mobile: string, ipHash: Buffer) {
  const { rows: counted } = await ctx.client.query<{ open: number; of_phone: number; of_network: number }>({
    name: 'applications_sent',
    text: `select
        (select count(*)::int from partner_applications where mobile = $1 and state in ('new', 'contacting')) as open,
        (select count(*)::int from partner_applications where mobile = $1 and created_at > now() - interval '30 days') as of_phone,
        (select count(*)::int from partner_applications where ip_hash = $2 and created_at > now() - interval '1 day') as of_network`,
    values: [mobile, ipHash],
  })
  const { open, of_phone: ofPhone, of_network: ofNetwork } = found(counted[0])
  return { open, ofPhone, ofNetwork }
}

/** First wall: they are of no agent, and the vendor's staff alone may look at them. */
export function staffOnly(ctx: Ctx): SQL | undefined {
  return ctx.actor.isVendorStaff || !ctx.services.walls.explicitScope ? undefined : sql`false`
}

export const listApplications: Verb<typeof contract.list> = async (ctx, input) => {
  const where = and(
    staffOnly(ctx),
    input.state === undefined ? undefined : eq(rows.state, input.state),
    input.from ? gte(rows.createdAt, startOfDay(input.from).toISOString()) : undefined,
    input.to ? lt(rows.createdAt, endOfDay(input.to).toISOString()) : undefined,
    matches(input.search),
  )
  const page = await ctx.db
    .select()
    .from(rows)
    .where(where)
    .orderBy(desc(rows.createdAt), desc(rows.id))
    .limit(input.size)
    .offset((input.page - 1) * input.size)
  const total = await countUpTo(ctx, rows, where)
  return { rows: page, total: Math.min(total, COUNT_CAP), totalCapped: total > COUNT_CAP }
}

/** The beginning of a number, or a part of a name. */
function matches(search: string | undefined): SQL | undefined {
  if (!search) return undefined
  if (/^\d+$/.test(search)) return like(rows.mobile, `${search}%`)
  return containing(rows.searchText, search)
}

export const countWaiting: Verb<typeof contract.count> = async ctx => {
  const waiting = await countUpTo(ctx, rows, and(staffOnly(ctx), eq(rows.state, 'new')))
  return { waiting: Math.min(waiting, COUNT_CAP) }
}

export const findApplication: Verb<typeof contract.details> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select()
    .from(rows)
    .where(and(eq(rows.id, id), staffOnly(ctx)))
  const written = await ctx.db
    .select(getTableColumns(notes))
    .from(notes)
    .where(eq(notes.applicationId, id))
    .orderBy(desc(notes.id))
  const application = found(row)
  return { ...application, hasLicence: application.licenceId !== null, notes: written }
}

type Application = typeof rows.$inferSelect

export async function lockApplication(ctx: Ctx, id: number): Promise<Application> {
  const [row] = await ctx.db
    .select()
    .from(rows)
    .where(and(eq(rows.id, id), staffOnly(ctx)))
    .for('update')
  return found(row)
}

/** Takes a step of a locked application, and notes it for the log. */
export async function takeStep(
  ctx: Ctx,
  before: Application,
  step: ApplicationStep,
  more: { reason?: string; agentId?: number } = {},
): Promise<void> {
  await refuseSecond(ctx, refuseStep(before.state, step), DECISION_REFUSALS, { name: before.handledByName })
  const { from, to } = APPLICATION_STEPS[step]
  await ctx.db
    .update(rows)
    .set({ ...more, state: to, handledByName: ctx.actor.name, handledAt: ctx.now.toISOString() })
    .where(and(eq(rows.id, before.id), inArray(rows.state, [...from])))
  ctx.object('application', before.id)
  ctx.note(subjectOf(before), [
    { name: '状态', before: APPLICATION_STATES[before.state], after: APPLICATION_STATES[to] },
    ...(more.reason === undefined ? [] : [{ name: '婉拒原因', before: null, after: more.reason }]),
  ])
}

const subjectOf = ({ id, companyName }: Application) => `${companyName} (${id})`

export const contact: Verb<typeof contract.contact> = async (ctx, { id }) => {
  await takeStep(ctx, await lockApplication(ctx, id), 'contact')
  return { id }
}

export const writeNote: Verb<typeof contract.note> = async (ctx, { id, text }) => {
  refuse(refuseNote(text), DECISION_REFUSALS, { field: 'text' })
  const application = await lockApplication(ctx, id)
  await ctx.db.insert(notes).values({
    applicationId: id,
    text: text.trim(),
    createdBy: ctx.actor.accountId,
    createdByName: ctx.actor.name,
    createdAt: ctx.now.toISOString(),
  })
  ctx.object('application', id)
  ctx.note(subjectOf(application), [{ name: '跟进记录', before: null, after: text.trim() }])
  return { id }
}

/** The reason stays with the vendor's staff; the applicant is told that it was refused. */
export const refuseApplication: Verb<typeof contract.refuse> = async (ctx, { id, reason }) => {
  refuse(refuseReason(reason), DECISION_REFUSALS, { field: 'reason' })
  const application = await lockApplication(ctx, id)
  await takeStep(ctx, application, 'refuse', { reason: reason.trim() })
  await tellApplicant(ctx, application, 'partner-refused')
  return { id }
}

export async function tellApplicant(
  ctx: Ctx,
  { mobile, companyName }: Application,
  template: 'partner-refused' | 'partner-accepted',
): Promise<void> {
  await queueMessages(ctx, [
    {
      agentId: await operatorId(ctx),
      merchantId: null,
      kind: 'account-notice',
      phone: mobile,
      template,
      params: { company: companyName },
    },
  ])
}

/** In one transaction: an application that was decided meanwhile leaves no partner behind. */
export const acceptApplication: Verb<typeof contract.accept> = async (ctx, { id, ...partner }) => {
  const application = await lockApplication(ctx, id)
  await refuseSecond(ctx, refuseStep(application.state, 'accept'), DECISION_REFUSALS, {
    name: application.handledByName,
  })
  const taken = await takeOn(ctx, partner)
  await takeStep(ctx, application, 'accept', { agentId: taken.id })
  ctx.about(taken.id)
  ctx.object('agent', taken.id)
  await tellApplicant(ctx, application, 'partner-accepted')
  return taken
}

export const partnerApplicationsRouter = serve(contract, {
  sendCode,
  submit,
  list: listApplications,
  count: countWaiting,
  details: findApplication,
  contact,
  note: writeNote,
  refuse: refuseApplication,
  accept: acceptApplication,
})
