// What is filled in for a shop, as a draft or handed in. A shop has one application that nobody deleted: the shop's lock guards it.
import { and, eq, inArray } from 'drizzle-orm'
import { refuseForeignDocuments, useDocuments as takeInUse } from '#features/care/documents/server-keep.ts'
import { documents } from '#features/care/documents/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { alternativesOf, isLast, wayTo } from '#features/programs/program-categories/rules.ts'
import { listInForce } from '#features/programs/program-categories/server.ts'
import { REFUSALS as MERCHANT_REFUSALS, refuseDisabled } from '#features/shops/merchants/rules.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { cleanCode } from '#kit/words/cleaned.ts'
import { maskPhone } from '#kit/words/phone.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse, refuseCommon } from '#server/refuse.ts'
import { type FieldChange, files } from '#server/tables.ts'
import type { programApplications as contract } from './contract.ts'
import { APPLICATION_FIELDS } from './fields.ts'
import {
  type BrokenField,
  brokenChoices,
  brokenDraft,
  brokenTexts,
  type CategoryLevel,
  FLOW_NUMBERS,
  type KnownCategory,
  maskWechat,
  PAPER_LABELS,
  PAPER_NAMES,
  PAPERS,
  PROGRAM_APPLICATION_STATES,
  PROGRAM_APPLICATION_STEPS,
  PROGRAM_TYPES,
  refuseEdit,
  refuseHeadImage,
  SAVE_REFUSALS,
  STEP_REFUSALS,
  wantedCertificates,
} from './rules.ts'
import { type Application, findLive, papersIn, reviews } from './server-rows.ts'
import { programApplications as applications } from './tables.ts'

type Shop = Awaited<ReturnType<typeof lockMerchant>>
type Form = In<typeof contract.save>
type Saved = Out<typeof contract.save>

export const save: Verb<typeof contract.save> = async (ctx, form) => {
  const { shop, before } = await begin(ctx, form)
  const category = await categoryOf(ctx, form.categoryId)
  if (before?.state === 'pending') await refuseUnready(ctx, form, before, category)
  else refuseFirst(brokenDraft(form))
  const { id, revision, state } = await keep(ctx, shop, before, form, category)
  return { id, revision, state }
}

export const submit: Verb<typeof contract.submit> = async (ctx, form) => {
  const { shop, before } = await begin(ctx, form)
  if (before?.state === 'pending') refuse('PENDING_ALREADY', STEP_REFUSALS)
  const category = await categoryOf(ctx, form.categoryId)
  await refuseUnready(ctx, form, before, category)
  return handIn(ctx, shop, await keep(ctx, shop, before, form, category), found(category))
}

/** The shop is locked first, as whoever decides does. */
async function begin(
  ctx: Ctx,
  { merchantId, revision }: Pick<Form, 'merchantId' | 'revision'>,
): Promise<{ shop: Shop; before: Application | undefined }> {
  const shop = await lockMerchant(ctx, merchantId)
  refuse(refuseDisabled(shop.status), MERCHANT_REFUSALS)
  const before = await findLive(ctx, merchantId)
  refuse(before ? refuseEdit(before, reviews(ctx)) : null, STEP_REFUSALS)
  if ((before?.revision ?? 0) !== revision) refuseCommon('STALE')
  return { shop, before }
}

export type Category = KnownCategory & { levels: readonly CategoryLevel[] }

/** As the list in force has it; null: none is chosen, or it is not there. */
export async function categoryOf(ctx: Ctx, id: number | null): Promise<Category | null> {
  if (id === null) return null
  const { categories } = await listInForce(ctx)
  const way = wayTo(categories, id)
  const last = way?.at(-1)
  if (!way || !last) return null
  return {
    levels: way.map(one => ({ id: one.id, name: one.name })),
    alternatives: alternativesOf(last),
    isLast: isLast(categories, id),
  }
}

/** What it wants to be handed in. */
async function refuseUnready(
  ctx: Ctx,
  form: Form,
  before: Application | undefined,
  category: Category | null,
): Promise<void> {
  refuseFirst([
    ...brokenTexts(form, (before?.legalPersonWechat ?? null) !== null),
    ...brokenChoices(form, category),
  ])
  if (form.headImageId !== null) await refuseHeadPicture(ctx, form.headImageId)
}

/** A square that is small enough. */
export async function refuseHeadPicture(ctx: Ctx, documentId: number): Promise<void> {
  const [picture] = await ctx.db
    .select({ bytes: files.byteSize, width: files.width, height: files.height })
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .where(and(eq(documents.id, documentId), ownRows(ctx, documents.agentId)))
  const { bytes, width, height } = found(picture)
  const code = refuseHeadImage({ bytes, width: width ?? 0, height: height ?? 0 })
  refuse(code, SAVE_REFUSALS, { field: 'headImageId' })
}

function refuseFirst([first]: readonly BrokenField[]): void {
  if (first) refuse(first.code, SAVE_REFUSALS, { field: first.field })
}

async function keep(
  ctx: Ctx,
  shop: Shop,
  before: Application | undefined,
  form: Form,
  category: Category | null,
): Promise<Application> {
  const { merchantId: _, revision: _seen, legalPersonWechat: wechat, categoryId: _id, ...given } = form
  await refuseForeignDocuments(ctx, form.merchantId, PAPERS, form)
  for (const { documentId } of form.certificates)
    await refuseForeignDocuments(ctx, form.merchantId, { id: 'qualification' }, { id: documentId })
  const values = {
    ...given,
    companyCode: cleanCode(given.companyCode).toUpperCase(),
    categoryId: category ? form.categoryId : null,
    categoryLevels: category?.levels ?? [],
    categoryName: category?.levels.map(({ name }) => name).join(' / ') ?? '',
    ...(wechat === ''
      ? {}
      : {
          legalPersonWechat: ctx.services.secrets.encrypt(wechat),
          legalPersonWechatMasked: maskWechat(wechat),
        }),
    ...{ savedBy: ctx.actor.accountId, savedByName: nameOf(ctx) },
  }
  const [row] = before
    ? await ctx.db
        .update(applications)
        .set({ ...values, revision: before.revision + 1 })
        .where(and(eq(applications.id, before.id), ownRows(ctx, applications.agentId)))
        .returning()
    : await ctx.db
        .insert(applications)
        .values({
          ...{ ...values, ...FLOW_NUMBERS.review, kind: 'registration', state: 'draft' },
          ...{ agentId: shop.agentId, merchantId: shop.id, createdAt: ctx.now.toISOString() },
        })
        .returning()
  const kept = found(row)
  await takeInUse(ctx, shop.id, { feature: 'programApplications', objectId: kept.id }, papersIn(kept))
  ctx.object('programApplication', kept.id)
  ctx.note(`${shop.shopName} (${shop.id})`, changesOf(before, kept))
  return kept
}

export const nameOf = (ctx: Ctx) => ctx.actor.key?.name ?? ctx.actor.name

const FIELDS = APPLICATION_FIELDS
/** Phones masked; papers by their numbers. */
const TOLD: readonly (readonly [label: string, of: (row: Application) => string])[] = [
  [FIELDS.companyName.label, row => row.companyName],
  [FIELDS.companyCode.label, row => row.companyCode],
  [FIELDS.legalPersonWechat.label, row => row.legalPersonWechatMasked],
  [FIELDS.legalPersonName.label, row => row.legalPersonName],
  [FIELDS.servicePhone.label, row => (row.servicePhone === '' ? '' : maskPhone(row.servicePhone))],
  [FIELDS.programName.label, row => row.programName],
  [FIELDS.programType.label, row => (row.programType ? PROGRAM_TYPES[row.programType] : '')],
  [FIELDS.intro.label, row => row.intro],
  [FIELDS.categoryName.label, row => row.categoryName],
  ...PAPER_NAMES.map(
    name => [PAPER_LABELS[name], (row: Application) => (row[name] ? `资料 ${row[name]}` : '')] as const,
  ),
  ['资质证书', row => row.certificates.map(one => `${one.name} 资料 ${one.documentId}`).join('、')],
]

export function changesOf(before: Application | undefined, after: Application): FieldChange[] {
  return TOLD.flatMap(([name, of]) => {
    const [was, is] = [before ? of(before) : '', of(after)]
    return was === is ? [] : [{ name, before: before ? was : null, after: is }]
  })
}

/** Certificates of another set of papers are let go. */
async function handIn(ctx: Ctx, shop: Shop, kept: Application, category: Category): Promise<Saved> {
  const { from, to } = PROGRAM_APPLICATION_STEPS.submit
  const { id } = kept
  const revision = kept.revision + 1
  const certificates = wantedCertificates(kept, category)
  await ctx.db
    .update(applications)
    .set({
      ...{ state: to, revision, reason: '', certificates, ...FLOW_NUMBERS.review },
      ...{ submittedAt: ctx.now.toISOString(), submittedByName: nameOf(ctx) },
      submittedBy: ctx.actor.accountId,
    })
    .where(
      and(
        eq(applications.id, id),
        inArray(applications.state, [...from]),
        ownRows(ctx, applications.agentId),
      ),
    )
  await takeInUse(
    ctx,
    shop.id,
    { feature: 'programApplications', objectId: id },
    papersIn({ ...kept, certificates }),
  )
  ctx.note(`${shop.shopName} (${shop.id})`, [
    {
      name: FIELDS.state.label,
      before: PROGRAM_APPLICATION_STATES[kept.state],
      after: PROGRAM_APPLICATION_STATES[to],
    },
  ])
  if (shop.agentId !== ctx.actor.agentId)
    await notify(ctx, {
      ...{ agentId: shop.agentId, merchantId: shop.id, holding: 'merchants.list', exceptActor: true },
      topic: 'Approval_Notify',
      title: '已代为提交小程序申请',
      body: shop.shopName,
      link: `/admin/schedule/appApplication?id=${id}`,
      args: { merchantId: shop.id },
    })
  return { id, revision, state: to }
}
