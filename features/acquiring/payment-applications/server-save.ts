// What is filled in for a shop, as a draft or handed in. One application of a shop is not accepted yet: the shop's lock guards it.
import { and, eq, inArray } from 'drizzle-orm'
import { mendRefusals } from '#features/acquiring/refusals/server-record.ts'
import { refuseForeignDocuments, useDocuments as takeInUse } from '#features/care/documents/server-keep.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { isOfferedDistrict, regionsOf } from '#features/office/regions/server.ts'
import { REFUSALS as MERCHANT_REFUSALS, refuseDisabled } from '#features/shops/merchants/rules.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { maskPhone } from '#kit/words/phone.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse, refuseCommon } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import type { paymentApplications as contract } from './contract.ts'
import { APPLICATION_FIELDS } from './fields.ts'
import {
  APPLICATION_STATES,
  brokenApplication,
  brokenDraft,
  PAPER_NAMES,
  PAPERS,
  PAY_TYPES,
  PAYMENT_APPLICATION_STEPS,
  papersFor,
  REASON_FIELDS,
  refuseEdit,
  SAVE_REFUSALS,
  STEP_REFUSALS,
} from './rules.ts'
import { type Application, findOpen, papersIn } from './server-rows.ts'
import { paymentApplications as applications } from './tables.ts'

type Shop = Awaited<ReturnType<typeof lockMerchant>>
type Form = In<typeof contract.save>
type Saved = Out<typeof contract.save>

export const save: Verb<typeof contract.save> = async (ctx, form) => {
  const { shop, before } = await begin(ctx, form)
  refuseFirst(brokenDraft(form))
  const { id, revision, state } = await keepDraft(ctx, shop, before, form)
  return { id, revision, state }
}

export const submit: Verb<typeof contract.submit> = async (ctx, form) => {
  const { shop, before } = await begin(ctx, form)
  refuseFirst(brokenApplication(form))
  if (!(await isOfferedDistrict(ctx, form.bankRegion)))
    refuse('REGION_REQUIRED', SAVE_REFUSALS, { field: 'bankRegion' })
  return handIn(ctx, shop, await keepDraft(ctx, shop, before, form))
}

/** The shop is locked first, as whoever decides does. */
async function begin(
  ctx: Ctx,
  { merchantId, revision }: Pick<Form, 'merchantId' | 'revision'>,
): Promise<{ shop: Shop; before: Application | undefined }> {
  const shop = await lockMerchant(ctx, merchantId)
  refuse(refuseDisabled(shop.status), MERCHANT_REFUSALS)
  const before = await findOpen(ctx, merchantId)
  refuse(refuseEdit(before?.state ?? null), STEP_REFUSALS)
  if ((before?.revision ?? 0) !== revision) refuseCommon('STALE')
  return { shop, before }
}

function refuseFirst([first]: ReturnType<typeof brokenDraft>): void {
  if (first) refuse(first.code, SAVE_REFUSALS, { field: first.field })
}

async function keepDraft(
  ctx: Ctx,
  shop: Shop,
  before: Application | undefined,
  form: Form,
): Promise<Application> {
  const { merchantId: _, revision: _seen, ...given } = form
  await refuseForeignDocuments(ctx, form.merchantId, PAPERS, form)
  const values = {
    ...given,
    ...{ savedBy: ctx.actor.accountId, savedByName: nameOf(ctx), savedAt: ctx.now.toISOString() },
  }
  const [row] = before
    ? await ctx.db
        .update(applications)
        .set({ ...values, revision: before.revision + 1 })
        .where(and(eq(applications.id, before.id), ownRows(ctx, applications.agentId)))
        .returning()
    : await ctx.db
        .insert(applications)
        .values({ ...values, state: 'draft', agentId: shop.agentId, merchantId: shop.id })
        .returning()
  const kept = found(row)
  await takeInUse(
    ctx,
    shop.id,
    { feature: 'paymentApplications', objectId: kept.id },
    PAPER_NAMES.flatMap(name => kept[name] ?? []),
  )
  ctx.object('paymentApplication', kept.id)
  ctx.note(`${shop.shopName} (${shop.id})`, await changesOf(ctx, before, kept))
  return kept
}

export const nameOf = (ctx: Ctx) => ctx.actor.key?.name ?? ctx.actor.name

/** Phones masked; papers by their numbers. */
async function changesOf(
  ctx: Ctx,
  before: Application | undefined,
  after: Application,
): Promise<FieldChange[]> {
  const regions = await regionsOf(ctx)
  const told: readonly (readonly [label: string, of: (row: Application) => string])[] = [
    [APPLICATION_FIELDS.payType.label, row => PAY_TYPES[row.payType]],
    [APPLICATION_FIELDS.phone.label, row => (row.phone === '' ? '' : maskPhone(row.phone))],
    [APPLICATION_FIELDS.email.label, row => row.email],
    [APPLICATION_FIELDS.regionName.label, row => regions.regionName(row.bankRegion)],
    [APPLICATION_FIELDS.bankName.label, row => row.bankName],
    [APPLICATION_FIELDS.branchName.label, row => row.branchName],
    [APPLICATION_FIELDS.branchNumber.label, row => row.branchNumber],
    ...PAPER_NAMES.map(
      name => [REASON_FIELDS[name], (row: Application) => (row[name] ? `资料 ${row[name]}` : '')] as const,
    ),
  ]
  return told.flatMap(([name, of]) => {
    const [was, is] = [before ? of(before) : '', of(after)]
    return was === is ? [] : [{ name, before: before ? was : null, after: is }]
  })
}

/** What the account does not ask for is let go. */
async function handIn(ctx: Ctx, shop: Shop, kept: Application): Promise<Saved> {
  const { from, to } = PAYMENT_APPLICATION_STEPS.submit
  const { id } = kept
  const revision = kept.revision + 1
  const unasked = PAPER_NAMES.filter(name => !papersFor(kept.payType).includes(name))
  await ctx.db
    .update(applications)
    .set({
      ...{ state: to, revision, reasons: {}, reviewState: null, reviewNote: '', serviceState: null },
      ...Object.fromEntries(unasked.map(name => [name, null])),
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
  await mendRefusals(ctx, id)
  await takeInUse(ctx, shop.id, { feature: 'paymentApplications', objectId: id }, papersIn(kept))
  ctx.note(`${shop.shopName} (${shop.id})`, [
    {
      name: APPLICATION_FIELDS.state.label,
      before: APPLICATION_STATES[kept.state],
      after: APPLICATION_STATES[to],
    },
  ])
  if (shop.agentId !== ctx.actor.agentId)
    await notify(ctx, {
      ...{ agentId: shop.agentId, merchantId: shop.id, holding: 'merchants.list', exceptActor: true },
      topic: 'Approval_Notify',
      title: '已代为提交支付申请',
      body: shop.shopName,
      link: `/admin/schedule/payApplication?id=${id}`,
      args: { merchantId: shop.id },
    })
  return { id, revision, state: to }
}
