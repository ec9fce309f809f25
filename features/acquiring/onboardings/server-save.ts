// What people complete of an application, and that it is to be handed in. The shop's lock guards both.
import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { lockApplication, tell } from '#features/acquiring/payment-applications/server-decide.ts'
import type { Application } from '#features/acquiring/payment-applications/server-rows.ts'
import { nameOf } from '#features/acquiring/payment-applications/server-save.ts'
import { forgetService } from '#features/acquiring/payment-applications/server-service.ts'
import { paymentApplications } from '#features/acquiring/payment-applications/tables.ts'
import { PROVIDED, paidBy, payByProvider } from '#features/shops/merchants/server-provided.ts'
import { picked } from '#kit/declare/fields.ts'
import { ONBOARDING_STATES } from '#kit/ports/onboarding.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, Refusal, refuse, refuseBroken, refuseCommon } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import type { onboardings as contract } from './contract.ts'
import { DETAILS } from './fields.ts'
import {
  businessCodeOf,
  daysLeftOf,
  detailRefusals,
  isAccountNumber,
  LIMITS,
  lackingOf,
  maskAccount,
  ONBOARDED_SUBJECTS,
  ONBOARDING_STEP_WORDS,
  ONBOARDING_STEPS,
  REFUSALS,
  refuseCompletion,
  refuseSubmission,
} from './rules.ts'
import { categoriesOf, findOnboarding, gather, keyOf, type Onboarding } from './server-known.ts'
import { onboardings } from './tables.ts'

const { accountNumber: _, ...ASKED } = DETAILS
/** The sealed number is not among it. */
const PERSON_SHOWN = [
  ...(['id', 'role', 'idKind', 'name', 'idNumberMasked', 'idFrom', 'idTo', 'isIdLongTerm'] as const),
  ...(['address', 'frontId', 'backId', 'authorizationId'] as const),
] as const
const DETAIL_KEYS = Object.keys(ASKED) as (keyof typeof ASKED)[]

export const ofApplication: Verb<typeof contract.ofApplication> = async (ctx, { id }) => {
  const [application] = await ctx.db
    .select()
    .from(paymentApplications)
    .where(and(eq(paymentApplications.id, id), ownRows(ctx, paymentApplications.agentId)))
  const of = found(application)
  const { known, details, row, people } = await gather(ctx, of)
  const desk = ctx.services.providers.onboarding
  const lacking = lackingOf(known)
  const step = row?.state ?? 'filling'
  const completeCode = refuseCompletion(step, of.reviewState)
  const submitCode = refuseSubmission({
    ...{ state: step, application: of.state, review: of.reviewState },
    ...{ isConnected: desk !== null, lacking: lacking.length },
  })
  return {
    ...{ merchantId: of.merchantId, revision: row?.revision ?? 0, step, serviceState: of.serviceState },
    ...picked(details, DETAIL_KEYS),
    accountNumberMasked: row?.accountNumberMasked ?? '',
    categories: (Object.keys(ONBOARDED_SUBJECTS) as (keyof typeof ONBOARDED_SUBJECTS)[]).flatMap(
      subjectKind =>
        categoriesOf(desk, subjectKind).map(one => ({
          ...{ key: keyOf(one), subjectKind, qualificationType: one.qualificationType },
          ...{ rateBasisPoints: one.rateBasisPoints, settledAfterDays: one.settledAfterDays },
          ...{ papers: one.papers, arePapersRequired: one.arePapersRequired },
        })),
    ),
    categoriesFrom: desk ? `${desk.categories.source}，${desk.categories.asOf}` : '',
    lacking,
    people: people.map(person => picked(person, PERSON_SHOWN)),
    refusals: step === 'mending' ? detailRefusals(row?.refusals ?? [], people) : [],
    businessCode: row?.businessCode ?? '',
    message: row?.message ?? '',
    signUrl: row?.signUrl ?? '',
    daysLeft: row ? daysLeftOf(of.serviceState, row.changedAt, ctx.now) : null,
    subMerchantId: row?.subMerchantId ?? '',
    paidOtherwise: row?.state === 'finished' ? await paidOtherwise(ctx, row) : null,
    ...{ submittedByName: row?.submittedByName ?? '', submittedAt: row?.submittedAt ?? null },
    askedAt: row?.askedAt ?? null,
    isAsking: row !== undefined && isAsking(row, ctx.now),
    completeRefusal: completeCode && REFUSALS[completeCode],
    submitRefusal: submitCode && REFUSALS[submitCode],
  }
}

/** It is its turn, or somebody asks already. */
const isAsking = ({ claim, nextAt }: Onboarding, now: Date) =>
  claim !== '' || (nextAt !== null && Date.parse(nextAt) <= now.getTime())

/** What the shop is paid by, where that is something else than what the service gave it. */
export async function paidOtherwise(
  ctx: Ctx,
  { merchantId, subMerchantId }: Pick<Onboarding, 'merchantId' | 'subMerchantId'>,
): Promise<string | null> {
  const { methodId, methodName, number } = await paidBy(ctx, merchantId)
  const isWithoutNumber = methodId === PROVIDED.methodId && number === ''
  if (methodId === null || isWithoutNumber || number === subMerchantId) return null
  return number === '' ? methodName : `${methodName} ${number}`
}

export const complete: Verb<typeof contract.complete> = async (
  ctx,
  { id, revision, accountNumber, ...given },
) => {
  const { shop, row: application } = await lockApplication(ctx, id)
  const before = await findOnboarding(ctx, id)
  if ((before?.revision ?? 0) !== revision) refuseCommon('STALE')
  refuse(refuseCompletion(before?.state ?? null, application.reviewState), REFUSALS)
  refuseBroken(DETAILS, { ...given, accountNumber: accountNumber ?? '' })
  if (accountNumber !== null && accountNumber !== '' && !isAccountNumber(accountNumber))
    refuse('ACCOUNT_NUMBER_WRONG', REFUSALS, { field: 'accountNumber' })
  for (const paper of ['licence', 'id'] as const) {
    const [from, to] = [given[`${paper}From`], given[`${paper}To`]]
    if (from !== '' && to !== '' && to < from) refuse('DAYS_WRONG', REFUSALS, { field: `${paper}To` })
  }
  const kept = await keepDetails(ctx, application, before, {
    ...given,
    ...(given.isLicenceLongTerm ? { licenceTo: '' } : {}),
    ...(given.isIdLongTerm ? { idTo: '' } : {}),
    ...(accountNumber === null
      ? {}
      : {
          accountNumber: accountNumber === '' ? null : ctx.services.secrets.encrypt(accountNumber),
          accountNumberMasked: accountNumber === '' ? '' : maskAccount(accountNumber),
        }),
  })
  ctx.object('paymentApplication', id)
  ctx.note(`${shop.shopName} (${shop.id})`, changesOf(before, kept))
  if (shop.agentId !== ctx.actor.agentId) await tell(ctx, shop, id, { title: '已代为补全支付资料', body: '' })
  return { revision: kept.revision }
}

/** It is saved once more, by whoever acts. */
export async function keepDetails(
  ctx: Ctx,
  { id: applicationId, agentId, merchantId }: Application,
  before: Onboarding | undefined,
  given: Partial<Onboarding> & Pick<Onboarding, 'subjectKind'>,
): Promise<Onboarding> {
  const now = ctx.now.toISOString()
  const saved = { savedByName: nameOf(ctx), savedAt: now }
  const [row] = before
    ? await ctx.db
        .update(onboardings)
        .set({ ...given, ...saved, revision: before.revision + 1 })
        .where(and(eq(onboardings.id, before.id), ownRows(ctx, onboardings.agentId)))
        .returning()
    : await ctx.db
        .insert(onboardings)
        .values({ ...given, ...saved, applicationId, agentId, merchantId, state: 'filling', changedAt: now })
        .returning()
  return found(row)
}

/** What was completed, by its label; of the account its masked number. */
function changesOf(before: Onboarding | undefined, after: Onboarding): FieldChange[] {
  const said = (row: Onboarding | undefined, key: keyof typeof DETAILS): string | null => {
    if (!row) return null
    if (key === 'accountNumber') return row.accountNumberMasked
    if (key === 'subjectKind') return ONBOARDED_SUBJECTS[row.subjectKind]
    const value = row[key]
    return typeof value === 'boolean' ? (value ? '是' : '否') : value
  }
  return (Object.keys(DETAILS) as (keyof typeof DETAILS)[]).flatMap(key => {
    const [was, is] = [said(before, key), said(after, key)]
    return was === is || (was === null && is === '')
      ? []
      : [{ name: DETAILS[key].label, before: was, after: is }]
  })
}

export const submit: Verb<typeof contract.submit> = async (ctx, { id, revision }) => {
  const { shop, row: application } = await lockApplication(ctx, id)
  const { known, row } = await gather(ctx, application)
  const lacking = lackingOf(known)
  const state = row?.state ?? 'filling'
  const isConnected = ctx.services.providers.onboarding !== null
  const code = refuseSubmission({
    ...{ state, application: application.state, review: application.reviewState },
    ...{ isConnected, lacking: lacking.length },
  })
  if (code === 'LACKING')
    throw new Refusal(code, `${REFUSALS.LACKING}：${lacking.map(({ words }) => words).join('；')}`)
  refuse(code, REFUSALS)
  const before = found(row)
  if (before.revision !== revision) refuseCommon('STALE')
  const { from, to } = ONBOARDING_STEPS.submit
  const now = ctx.now.toISOString()
  const isNew = before.businessCode === '' || before.state === 'ended'
  const [after] = await ctx.db
    .update(onboardings)
    .set({
      ...{ state: to, revision: revision + 1, tries: 0, nextAt: now, claim: '', message: '', refusals: [] },
      ...(isNew
        ? { businessCode: businessCodeOf(id, randomUUID().slice(0, 8)), serviceId: '', signUrl: '' }
        : {}),
      ...{ submittedByName: nameOf(ctx), submittedAt: now, changedAt: now },
    })
    .where(
      and(
        eq(onboardings.id, before.id),
        inArray(onboardings.state, [...from]),
        ownRows(ctx, onboardings.agentId),
      ),
    )
    .returning()
  // What the service told of another code is past.
  await forgetService(ctx, id)
  ctx.object('paymentApplication', id)
  ctx.note(`${shop.shopName} (${shop.id})`, [
    {
      name: '支付服务',
      before: ONBOARDING_STEP_WORDS[before.state],
      after: ONBOARDING_STEP_WORDS[found(after).state],
    },
  ])
  if (shop.agentId !== ctx.actor.agentId)
    await tell(ctx, shop, id, { title: '支付申请已提交支付服务', body: '' })
  ctx.afterCommit(() => ctx.services.wake('onboardings'))
  return { revision: found(after).revision }
}

export const ask: Verb<typeof contract.ask> = async (ctx, { id }) => {
  const { shop, row: application } = await lockApplication(ctx, id)
  const row = await findOnboarding(ctx, id)
  if (!row || row.nextAt === null) refuse('NOT_HANDED_IN', REFUSALS)
  const standing = found(row)
  const age = standing.askedAt === null ? null : ctx.now.getTime() - Date.parse(standing.askedAt)
  if (age !== null && age < LIMITS.askSeconds * 1_000) refuse('ASKED_JUST_NOW', REFUSALS)
  await ctx.db
    .update(onboardings)
    .set({ nextAt: ctx.now.toISOString() })
    .where(and(eq(onboardings.id, standing.id), ownRows(ctx, onboardings.agentId)))
  ctx.object('paymentApplication', id)
  ctx.note(`${shop.shopName} (${shop.id})`, [
    {
      name: '支付服务状态',
      before: null,
      after: application.serviceState ? ONBOARDING_STATES[application.serviceState] : '查询中',
    },
  ])
  ctx.afterCommit(() => ctx.services.wake('onboardings'))
  return { id }
}

export const handOver: Verb<typeof contract.handOver> = async (ctx, { id }) => {
  await lockApplication(ctx, id)
  const row = await findOnboarding(ctx, id)
  if (row?.state !== 'finished' || row.subMerchantId === '') refuse('NO_NUMBER', REFUSALS)
  await payByProvider(ctx, found(row).merchantId, found(row).subMerchantId, '商户收款方式已变更')
  ctx.object('paymentApplication', id)
  return { id }
}
