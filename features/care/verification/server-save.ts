// What is filled in of a shop, as a draft or handed in. The ID number is sealed with the picture of its card and stands nowhere else.
import { and, eq, inArray } from 'drizzle-orm'
import { askAlong } from '#features/care/approvals/server-request.ts'
import { approvalRequests } from '#features/care/approvals/tables.ts'
import { maskNumber } from '#features/care/documents/rules.ts'
import { refuseForeignDocuments, useDocuments as takeInUse } from '#features/care/documents/server-keep.ts'
import { readFacts, sealFacts } from '#features/care/documents/server-look.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { REFUSALS as MERCHANT_REFUSALS, refuseDisabled } from '#features/shops/merchants/rules.ts'
import { lockMerchant, updateMerchant } from '#features/shops/merchants/server-edit.ts'
import { redeemCode } from '#features/shops/messages/server-codes.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { formatDay } from '#kit/time.ts'
import { maskPhone } from '#kit/words/phone.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, Refusal, refuse, refuseCommon } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import type { verification as contract } from './contract.ts'
import { VERIFICATION_FIELDS } from './fields.ts'
import {
  brokenDraft,
  brokenSubmission,
  comparable,
  explanationField,
  type Origins,
  originOf,
  PAPER_NAMES,
  PAPERS,
  type PaperName,
  READ_NAMES,
  refuseEdit,
  SAVE_REFUSALS,
  STEP_REFUSALS,
  standingState,
  standingTexts,
  TEXTS,
  unanswered,
  VERIFICATION_STEPS,
  type VerificationForm,
  type Warning,
  type WarningTexts,
} from './rules.ts'
import { digestOf, readingsOf } from './server-read.ts'
import { findData, type VerificationData, warnedOf } from './server-rows.ts'
import { verifications } from './tables.ts'

type Shop = Awaited<ReturnType<typeof lockMerchant>>
type Form = In<typeof contract.save>
type Saved = Out<typeof contract.submit>

export const save: Verb<typeof contract.save> = (ctx, form) => keepProven(ctx, form, null)

/** The same, of a phone that has proven itself elsewhere at that moment. */
export async function keepProven(
  ctx: Ctx,
  form: Form,
  provenAt: string | null,
): Promise<Out<typeof contract.save>> {
  const { shop, before } = await begin(ctx, form)
  refuseBroken(brokenDraft(form))
  const kept = await keepDraft(ctx, shop, before, form, provenAt)
  return { ...kept, warnings: await warnedOf(ctx, found(await findData(ctx, shop.id))) }
}

export const submit: Verb<typeof contract.submit> = async (ctx, form) => {
  const { shop, before } = await begin(ctx, form)
  refuseBroken(
    brokenSubmission(form, {
      keptNumber: Boolean(before?.idNumberMasked),
      today: formatDay(ctx.now),
    }),
  )
  await keepDraft(ctx, shop, before, form)
  const data = found(await findData(ctx, shop.id))
  const warnings = await warnedOf(ctx, data)
  refuseUnexplained(warnings, data.explanations)
  const requestId = await askForSignature(ctx, shop, data)
  return handIn(ctx, shop, { ...data, requestId, explanations: standingTexts(warnings, data.explanations) })
}

/** Nothing that speaks against the data is handed in without a word. */
function refuseUnexplained(warnings: readonly Warning[], explanations: WarningTexts): void {
  const open = unanswered(warnings, explanations)
  const [first] = open
  if (!first) return
  throw new Refusal('WARNING_UNEXPLAINED', `请说明：${open.map(({ text }) => text).join('；')}`, {
    field: explanationField(first.key),
    warnings: open.map(({ key, text }) => ({ key, text })),
  })
}

/** A signature other than the shop's is asked for along with the data, by whoever may ask. */
async function askForSignature(ctx: Ctx, shop: Shop, data: VerificationData): Promise<number | null> {
  const { permissions } = ctx.actor
  if (!permissions.has('approvals.request') && !permissions.has('pos.write')) return data.requestId
  try {
    return (await askAlong(ctx, shop, data.signature)) ?? data.requestId
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(error.code, error.message, { field: 'signature' })
    throw error
  }
}

/** The shop is locked first, as whoever decides does. */
async function begin(
  ctx: Ctx,
  { merchantId, revision }: Pick<Form, 'merchantId' | 'revision'>,
): Promise<{ shop: Shop; before: VerificationData | undefined }> {
  const shop = await lockMerchant(ctx, merchantId)
  refuse(refuseDisabled(shop.status), MERCHANT_REFUSALS)
  const before = await findData(ctx, merchantId)
  refuse(refuseEdit(standingState(before?.state ?? null, shop.verificationStatus)), STEP_REFUSALS)
  if ((before?.revision ?? 0) !== revision) refuseCommon('STALE')
  return { shop, before }
}

function refuseBroken(broken: ReturnType<typeof brokenDraft>): void {
  const [first] = broken
  if (first) refuse(first.code, SAVE_REFUSALS, { field: first.field })
}

async function keepDraft(
  ctx: Ctx,
  shop: Shop,
  before: VerificationData | undefined,
  form: Form,
  provenAt: string | null = null,
): Promise<Saved> {
  const merchantId = shop.id
  const phone = form.phone.trim()
  const asked = form.code.trim()
  if (asked !== '') await redeemCode(ctx, { merchantId, purpose: 'identity', code: asked, phone })
  await refuseForeignDocuments(ctx, merchantId, PAPERS, form)
  await refuseForeignRequest(ctx, merchantId, form.requestId)
  await takeInUse(
    ctx,
    merchantId,
    { feature: 'verification', objectId: merchantId },
    PAPER_NAMES.flatMap(name => form[name] ?? []),
  )
  const number = await sealNumber(ctx, before, form)
  const texts = Object.fromEntries(TEXTS.map(name => [name, textOf(form, name)])) as Record<
    (typeof TEXTS)[number],
    string
  >
  const now = ctx.now.toISOString()
  const keptPhone = provenAt ?? (before?.phone === phone ? before.phoneVerifiedAt : null)
  const values = {
    ...texts,
    ...{ licenceId: form.licenceId, idFrontId: form.idFrontId, idBackId: form.idBackId },
    idNumberMasked: number === '' ? '' : maskNumber(number),
    phoneVerifiedAt: asked === '' ? keptPhone : now,
    requestId: form.requestId ?? before?.requestId ?? null,
    origins: await originsOf(ctx, form, texts, number),
    explanations: form.explanations,
    ...{ savedBy: ctx.actor.accountId, savedByName: nameOf(ctx), savedAt: now },
  }
  const state = before?.state ?? 'unverified'
  const revision = (before?.revision ?? 0) + 1
  const [row] = before
    ? await ctx.db
        .update(verifications)
        .set({ ...values, revision })
        .where(and(eq(verifications.id, before.id), ownRows(ctx, verifications.agentId)))
        .returning({ id: verifications.id })
    : await ctx.db
        .insert(verifications)
        .values({ ...values, revision, state, agentId: shop.agentId, merchantId })
        .returning({ id: verifications.id })
  ctx.object('verification', found(row).id)
  ctx.note(`${shop.shopName} (${merchantId})`, changesOf(before, values, asked !== ''))
  return { revision, state }
}

const nameOf = (ctx: Ctx) => ctx.actor.key?.name ?? ctx.actor.name

function textOf(form: VerificationForm, name: (typeof TEXTS)[number]): string {
  const text = form[name].trim()
  return name === 'creditCode' ? text.toUpperCase() : text
}

async function refuseForeignRequest(ctx: Ctx, merchantId: number, requestId: number | null): Promise<void> {
  if (requestId === null) return
  const [row] = await ctx.db
    .select({ id: approvalRequests.id })
    .from(approvalRequests)
    .where(
      and(
        eq(approvalRequests.id, requestId),
        eq(approvalRequests.merchantId, merchantId),
        eq(approvalRequests.kind, 'signature'),
        ownRows(ctx, approvalRequests.agentId),
      ),
    )
  found(row)
}

/** Seals the number with the picture of the card and answers it; a number that was kept goes along to another picture. */
async function sealNumber(ctx: Ctx, before: VerificationData | undefined, form: Form): Promise<string> {
  const standing = before?.idFrontId ?? null
  const typed = form.idNumber?.trim().toUpperCase() ?? null
  const isSamePaper = standing === form.idFrontId
  // What is not touched is not read either.
  const kept =
    standing !== null && before?.idNumberMasked && (!isSamePaper || typed === null)
      ? ((await readFacts(ctx, standing, 'verification'))?.idNumber ?? '')
      : ''
  const number = form.idFrontId === null ? '' : (typed ?? kept)
  if (form.idFrontId === null || (isSamePaper && typed === null)) return number
  const { idNumber: _, ...facts } = (await readFacts(ctx, form.idFrontId, 'verification')) ?? {}
  const shown = number || facts.readNumber || ''
  await sealFacts(
    ctx,
    form.idFrontId,
    number === '' ? facts : { ...facts, idNumber: number },
    shown === '' ? '' : maskNumber(shown),
  )
  return number
}

/** Found out here: nobody says of a value that it was read. */
async function originsOf(
  ctx: Ctx,
  form: VerificationForm,
  texts: Record<(typeof TEXTS)[number], string>,
  idNumber: string,
): Promise<Origins> {
  const { licenceId, idFrontId } = form
  const ids = [licenceId, idFrontId].filter(id => id !== null)
  const readings = ids.length > 0 ? await readingsOf(ctx, ids) : []
  const origins: Origins = {}
  for (const name of READ_NAMES) {
    const value = name === 'idNumber' ? idNumber : texts[name]
    const reading = readings.find(({ fields }) => fields[name] !== undefined)
    const field = reading?.fields[name]
    const isSame = (kept: { value?: string; digest?: string }) =>
      reading !== undefined && name === 'idNumber'
        ? kept.digest === digestOf(ctx, reading.documentId, value)
        : comparable(kept.value ?? '') === comparable(value)
    const origin = originOf(value, field && { confidence: field.confidence, isSame: isSame(field) })
    if (origin) origins[name] = origin
  }
  return origins
}

type Kept = Record<(typeof TEXTS)[number] | 'idNumberMasked', string> & Record<PaperName, number | null>

/** Phones and numbers masked; papers by their numbers. */
function changesOf(before: Kept | undefined, after: Kept, isProven: boolean): FieldChange[] {
  const shown = (name: (typeof TEXTS)[number], text: string) =>
    name === 'phone' && text !== '' ? maskPhone(text) : text
  return [
    ...TEXTS.filter(name => (before?.[name] ?? '') !== after[name]).map(name => ({
      name: VERIFICATION_FIELDS[name].label,
      before: before ? shown(name, before[name]) : null,
      after: shown(name, after[name]),
    })),
    ...((before?.idNumberMasked ?? '') === after.idNumberMasked
      ? []
      : [
          {
            name: VERIFICATION_FIELDS.idNumber.label,
            before: before?.idNumberMasked ?? null,
            after: after.idNumberMasked,
          },
        ]),
    ...PAPER_NAMES.filter(name => (before?.[name] ?? null) !== after[name]).map(name => ({
      name: PAPER_LABELS[name],
      before: before?.[name] ? `资料 ${before[name]}` : null,
      after: after[name] ? `资料 ${after[name]}` : '',
    })),
    ...(isProven ? [{ name: '手机验证码', before: null, after: '验证通过' }] : []),
  ]
}

const PAPER_LABELS: Record<PaperName, string> = {
  licenceId: '营业执照',
  idFrontId: '身份证人像面',
  idBackId: '身份证国徽面',
}

async function handIn(ctx: Ctx, shop: Shop, data: VerificationData): Promise<Saved> {
  const { from, to } = VERIFICATION_STEPS.submit
  const revision = data.revision + 1
  await ctx.db
    .update(verifications)
    .set({
      ...{ state: to, revision, reason: '', advice: '' },
      ...{ submittedAt: ctx.now.toISOString(), submittedByName: nameOf(ctx) },
      ...{ requestId: data.requestId, explanations: data.explanations, answers: {} },
    })
    .where(
      and(
        eq(verifications.id, data.id),
        inArray(verifications.state, [...from]),
        ownRows(ctx, verifications.agentId),
      ),
    )
  await updateMerchant(ctx, shop, { verificationStatus: to, verificationRefusal: '' })
  ctx.note(`${shop.shopName} (${shop.id})`, [
    stateChange(shop.verificationStatus, to),
    { name: VERIFICATION_FIELDS.company.label, before: null, after: data.company },
    ...saidOf(await warnedOf(ctx, data), data.explanations, '说明'),
  ])
  if (shop.agentId !== ctx.actor.agentId)
    await notify(ctx, {
      ...{ agentId: shop.agentId, merchantId: shop.id, holding: 'merchants.list', exceptActor: true },
      topic: 'Approval_Notify',
      title: '已代为提交实名资料',
      body: `${shop.shopName}：${data.company}`,
      link: `/admin/merchant/merchantDetails?user_id=${shop.id}`,
      args: { merchantId: shop.id },
    })
  return { revision, state: to }
}

/** What was said of each warning, for the log. */
export function saidOf(warnings: readonly Warning[], texts: WarningTexts, what: string): FieldChange[] {
  return warnings.map(({ key, text }) => ({
    name: `${what}：${text}`,
    before: null,
    after: texts[key] ?? '',
  }))
}

type State = keyof typeof VERIFICATION_FIELDS.state.words

export function stateChange(before: State, after: State): FieldChange {
  const { label, words } = VERIFICATION_FIELDS.state
  return { name: label, before: words[before], after: words[after] }
}

export const withdraw: Verb<typeof contract.withdraw> = async (ctx, { merchantId }) => {
  const shop = await lockMerchant(ctx, merchantId)
  refuse(refuseDisabled(shop.status), MERCHANT_REFUSALS)
  const data = await findData(ctx, merchantId)
  const { from, to } = VERIFICATION_STEPS.withdraw
  if (!data || !(from as readonly string[]).includes(data.state)) {
    refuse('NOT_IN_REVIEW', STEP_REFUSALS)
    throw new Error('refused')
  }
  const revision = data.revision + 1
  await ctx.db
    .update(verifications)
    .set({ state: to, revision })
    .where(
      and(
        eq(verifications.id, data.id),
        inArray(verifications.state, [...from]),
        ownRows(ctx, verifications.agentId),
      ),
    )
  await updateMerchant(ctx, shop, { verificationStatus: to, verificationRefusal: '' })
  ctx.object('verification', data.id)
  ctx.note(`${shop.shopName} (${merchantId})`, [stateChange(data.state, to)])
  return { revision, state: to }
}
