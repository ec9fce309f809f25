// What staff make of an application: approved, sent back field by field, and how far it is with the payment service.
import { and, eq, gt, inArray } from 'drizzle-orm'
import { mendRefusals, recordRefusals } from '#features/acquiring/refusals/server-record.ts'
import { anotherMay } from '#features/office/access/server-holders.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import type { Out } from '#kit/declare/op.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, Refusal, refuse, refuseCommon } from '#server/refuse.ts'
import type { paymentApplications as contract } from './contract.ts'
import { APPLICATION_FIELDS } from './fields.ts'
import {
  APPLICATION_STATES,
  type ApplicationState,
  givenReasons,
  PAYMENT_APPLICATION_STEPS,
  REASON_FIELD_KEYS,
  REASON_FIELDS,
  REVIEW_STATES,
  type Reasons,
  reasonsText,
  refusedIn,
  refuseNote,
  refuseReasons,
  refuseRejection,
  STEP_REFUSALS,
  undecidableText,
} from './rules.ts'
import type { Application } from './server-rows.ts'
import { nameOf } from './server-save.ts'
import { paymentApplications as applications } from './tables.ts'

type Shop = Awaited<ReturnType<typeof lockMerchant>>
type Saved = Out<typeof contract.approve>
type Decided = { id: number; revision: number; step: 'approve' | 'reject'; reasons: Reasons }

export const approve: Verb<typeof contract.approve> = (ctx, input) =>
  decide(ctx, { ...input, step: 'approve', reasons: {} })

export const reject: Verb<typeof contract.reject> = (ctx, { reasons, ...input }) => {
  const [first] = REASON_FIELD_KEYS.filter(field => reasons[field] !== undefined)
  refuse(refuseReasons(reasons), STEP_REFUSALS, { field: `reasons.${first ?? 'other'}` })
  return decide(ctx, { ...input, step: 'reject', reasons: givenReasons(reasons) })
}

async function decide(ctx: Ctx, { id, revision, step, reasons }: Decided): Promise<Saved> {
  const { shop, row } = await lockApplication(ctx, id)
  const text = undecidableText(row, step)
  if (text !== null) throw new Refusal('HANDLED_ALREADY', text)
  if (row.revision !== revision) refuseCommon('STALE')
  await refuseOwn(ctx, row, ['paymentApplications.decide', 'paymentApplications.list'])
  const { from, to } = PAYMENT_APPLICATION_STEPS[step]
  await ctx.db
    .update(applications)
    .set({
      ...{ state: to, reasons, revision: revision + 1 },
      ...{ handledBy: ctx.actor.accountId, handledByName: nameOf(ctx), handledAt: ctx.now.toISOString() },
      ...(step === 'approve' ? { reviewState: 'waiting' as const, reviewNote: '' } : {}),
    })
    .where(
      and(
        eq(applications.id, id),
        inArray(applications.state, [...from]),
        ownRows(ctx, applications.agentId),
      ),
    )
  if (step === 'reject') await recordRefusals(ctx, row, 'staff', refusedIn(reasons))
  ctx.object('paymentApplication', id)
  ctx.note(`${shop.shopName} (${shop.id})`, [
    stateChange(row.state, to),
    ...REASON_FIELD_KEYS.flatMap(field =>
      reasons[field]
        ? [{ name: `驳回原因（${REASON_FIELDS[field]}）`, before: null, after: reasons[field] }]
        : [],
    ),
  ])
  await tell(ctx, shop, id, {
    title: step === 'approve' ? '支付申请已通过审核' : '支付申请未通过审核',
    body: step === 'approve' ? '等待支付服务受理' : reasonsText(reasons),
  })
  return { id, revision: revision + 1, state: to }
}

export const review: Verb<typeof contract.review> = async (
  ctx,
  { id, revision, reviewState, reviewNote },
) => {
  refuse(refuseNote(reviewState, reviewNote), STEP_REFUSALS, { field: 'reviewNote' })
  const { shop, row } = await lockApplication(ctx, id)
  refuse(row.reviewState === null ? 'NOT_APPROVED' : null, STEP_REFUSALS)
  if (row.revision !== revision)
    throw new Refusal('HANDLED_ALREADY', `已由${row.reviewedByName || '其他人'}更新，请查看后重试`)
  await refuseOwn(ctx, row, ['paymentApplications.review', 'paymentApplications.reviews'])
  refuse(refuseRejection(reviewState, row.serviceState), STEP_REFUSALS)
  if (row.reviewState === 'accepted' && reviewState !== 'accepted') await refuseNewer(ctx, row)
  const isRejected = reviewState === 'rejected'
  const step = isRejected ? 'reopen' : 'resume'
  const { from, to } = PAYMENT_APPLICATION_STEPS[step]
  if (row.reviewState === reviewState && row.reviewNote === reviewNote) {
    ctx.object('paymentApplication', id)
    ctx.nothingChanged()
    return { id, revision, state: row.state }
  }
  await ctx.db
    .update(applications)
    .set({
      ...{ state: to, reviewState, reviewNote, revision: revision + 1 },
      reasons: isRejected ? { other: reviewNote } : {},
      ...{ reviewedByName: nameOf(ctx), reviewedAt: ctx.now.toISOString() },
    })
    .where(
      and(
        eq(applications.id, id),
        inArray(applications.state, [...from]),
        ownRows(ctx, applications.agentId),
      ),
    )
  if (isRejected) await recordRefusals(ctx, row, 'service', refusedIn({ other: reviewNote }))
  else await mendRefusals(ctx, id)
  ctx.object('paymentApplication', id)
  ctx.note(`${shop.shopName} (${shop.id})`, [
    {
      name: APPLICATION_FIELDS.reviewState.label,
      before: row.reviewState && REVIEW_STATES[row.reviewState],
      after: REVIEW_STATES[reviewState],
    },
    ...(row.reviewNote === reviewNote
      ? []
      : [{ name: APPLICATION_FIELDS.reviewNote.label, before: row.reviewNote, after: reviewNote }]),
  ])
  if (row.reviewState !== reviewState)
    await tell(ctx, shop, id, {
      title: isRejected ? '支付申请被支付服务驳回' : `支付申请${REVIEW_STATES[reviewState]}`,
      body: reviewNote,
    })
  return { id, revision: revision + 1, state: to }
}

/** The shop first, as whoever hands in does. */
export async function lockApplication(ctx: Ctx, id: number): Promise<{ shop: Shop; row: Application }> {
  const own = and(eq(applications.id, id), ownRows(ctx, applications.agentId))
  const [of] = await ctx.db.select({ merchantId: applications.merchantId }).from(applications).where(own)
  const shop = await lockMerchant(ctx, found(of).merchantId)
  const [row] = await ctx.db.select().from(applications).where(own)
  return { shop, row: found(row) }
}

/** Nobody decides on what they handed in where another could. */
async function refuseOwn(ctx: Ctx, row: Application, keys: readonly string[]): Promise<void> {
  const isOwn = row.submittedBy === ctx.actor.accountId
  if (isOwn && (await anotherMay(ctx, keys))) refuse('OWN_SUBMISSION', STEP_REFUSALS)
}

/** One application of a shop is not accepted at a time. */
async function refuseNewer(ctx: Ctx, { merchantId, id }: Application): Promise<void> {
  const newer = await ctx.db.$count(
    applications,
    and(eq(applications.merchantId, merchantId), gt(applications.id, id), ownRows(ctx, applications.agentId)),
  )
  refuse(newer > 0 ? 'NEWER_APPLICATION' : null, STEP_REFUSALS)
}

const stateChange = (from: ApplicationState, to: ApplicationState) => ({
  name: APPLICATION_FIELDS.state.label,
  before: APPLICATION_STATES[from],
  after: APPLICATION_STATES[to],
})

export function tell(ctx: Ctx, shop: Shop, id: number, { title, body }: { title: string; body: string }) {
  return notify(ctx, {
    ...{ agentId: shop.agentId, merchantId: shop.id, holding: 'merchants.list', exceptActor: true },
    topic: 'Approval_Notify',
    title,
    body: body === '' ? shop.shopName : `${shop.shopName}：${body}`,
    link: `/admin/schedule/payApplication?id=${id}`,
    args: { merchantId: shop.id },
  })
}
