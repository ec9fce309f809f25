// The decision of the vendor's staff about a shop's verification data; who comes second is told who was first.
import { and, eq, inArray } from 'drizzle-orm'
import { anotherMay } from '#features/office/access/server-holders.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { lockMerchant, updateMerchant } from '#features/shops/merchants/server-edit.ts'
import { noteShopChange } from '#features/shops/pos-changes/server.ts'
import type { Out } from '#kit/declare/op.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { Refusal, refuse, refuseCommon } from '#server/refuse.ts'
import type { verification as contract } from './contract.ts'
import { VERIFICATION_FIELDS } from './fields.ts'
import {
  refuseAdvice,
  refuseAnswers,
  refuseReason,
  STEP_REFUSALS,
  standingTexts,
  unanswered,
  undecidableText,
  VERIFICATION_STEPS,
  type Warning,
  type WarningTexts,
} from './rules.ts'
import { findData, type VerificationData, warnedOf } from './server-rows.ts'
import { saidOf, stateChange } from './server-save.ts'
import { verifications } from './tables.ts'

type Shop = Awaited<ReturnType<typeof lockMerchant>>
type Saved = Out<typeof contract.verify>
type Decided = {
  merchantId: number
  revision: number
  step: 'verify' | 'reject'
  reason: string
  advice: string
  answers: WarningTexts
}

export const verify: Verb<typeof contract.verify> = (ctx, input) =>
  decide(ctx, { ...input, step: 'verify', reason: '', advice: '' })

export const reject: Verb<typeof contract.reject> = (ctx, input) => {
  refuse(refuseReason(input.reason), STEP_REFUSALS, { field: 'reason' })
  refuse(refuseAdvice(input.advice), STEP_REFUSALS, { field: 'advice' })
  return decide(ctx, { ...input, step: 'reject', answers: {} })
}

async function decide(ctx: Ctx, { merchantId, revision, ...decided }: Decided): Promise<Saved> {
  const shop = await lockMerchant(ctx, merchantId)
  const data = await findData(ctx, merchantId)
  if (!data) throw new Refusal('NO_DATA', STEP_REFUSALS.NO_DATA)
  const step = decided.step === 'reject' && data.state === 'verified' ? 'revoke' : decided.step
  // Whoever looked at it in review means that, not what a colleague has made of it since.
  const isSeen = data.revision === revision
  const text = undecidableText(data, isSeen ? step : decided.step)
  if (text !== null) throw new Refusal('HANDLED_ALREADY', text)
  if (!isSeen) refuseCommon('STALE')
  const warnings = step === 'verify' ? await warnedOf(ctx, data) : []
  if (step === 'verify') await refuseVerify(ctx, data, warnings, decided.answers)
  const answers = step === 'verify' ? standingTexts(warnings, decided.answers) : data.answers
  const { from, to } = VERIFICATION_STEPS[step]
  const { reason, advice } = decided
  await ctx.db
    .update(verifications)
    .set({
      ...{ state: to, reason, advice, answers, revision: revision + 1 },
      ...{ handledBy: ctx.actor.accountId, handledByName: ctx.actor.name },
      handledAt: ctx.now.toISOString(),
    })
    .where(
      and(
        eq(verifications.id, data.id),
        inArray(verifications.state, [...from]),
        ownRows(ctx, verifications.agentId),
      ),
    )
  await updateMerchant(ctx, shop, { verificationStatus: to, verificationRefusal: reason })
  ctx.object('verification', data.id)
  ctx.note(`${shop.shopName} (${merchantId})`, [
    stateChange(data.state, to),
    ...saidOf(warnings, answers, '核实意见'),
    ...(reason ? [{ name: VERIFICATION_FIELDS.reason.label, before: null, after: reason }] : []),
    ...(advice ? [{ name: VERIFICATION_FIELDS.advice.label, before: null, after: advice }] : []),
  ])
  await tell(ctx, shop, data, { state: to, reason, advice })
  return { revision: revision + 1, state: to }
}

/** Nobody verifies what they handed in where another could, or with a warning that nobody answered. */
async function refuseVerify(
  ctx: Ctx,
  data: VerificationData,
  warnings: readonly Warning[],
  answers: WarningTexts,
): Promise<void> {
  // Nothing is saved while it is in review: who saved last has handed it in.
  const isOwn = data.savedBy === ctx.actor.accountId
  if (isOwn && (await anotherMay(ctx, ['verification.decide', 'verification.reviews'])))
    refuse('OWN_SUBMISSION', STEP_REFUSALS)
  const [open] = unanswered(warnings, answers)
  refuse(refuseAnswers(warnings, answers), STEP_REFUSALS, { field: `answers.${open?.key ?? ''}` })
}

type Told = { state: VerificationData['state']; reason: string; advice: string }

/** Programs at the point of sale, and the shop's agent. */
async function tell(ctx: Ctx, shop: Shop, data: VerificationData, told: Told): Promise<void> {
  const { agentId, id: merchantId, shopName } = shop
  const { state, reason, advice } = told
  await noteShopChange(ctx, {
    shopId: merchantId,
    agentId,
    topic: 'verification.decided',
    data: { state, reason, advice },
  })
  await notify(ctx, {
    ...{ agentId, merchantId, holding: 'merchants.list', exceptActor: true },
    topic: 'Approval_Notify',
    title: `实名资料${state === 'verified' ? '已通过认证' : '未通过认证'}`,
    body: [
      `${shopName}：${data.company}${state === 'verified' ? '已认证' : `未通过，${reason}`}`,
      ...(advice ? [advice] : []),
    ].join('。'),
    link: `/admin/merchant/merchantDetails?user_id=${merchantId}`,
    args: { merchantId, state },
  })
}
