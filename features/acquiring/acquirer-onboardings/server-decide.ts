// What staff make of it: approved or sent back field by field, brought to the acquirer, and what the acquirer says of it.
import { and, eq, inArray } from 'drizzle-orm'
import { anotherMay } from '#features/office/access/server-holders.ts'
import type { Out } from '#kit/declare/op.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { sqlState } from '#server/db.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import type { acquirerOnboardings as contract } from './contract.ts'
import { ACQUIRER_ONBOARDING_FIELDS as FIELDS } from './fields.ts'
import {
  ACQUIRER_APPROVAL_STEPS,
  brokenCode,
  givenReasons,
  MERCHANT_STANDINGS,
  REASON_FIELD_KEYS,
  REFUSALS,
  type Reasons,
  reasonsText,
  refuseByHand,
  refuseDecision,
  refuseReasons,
} from './rules.ts'
import type { AcquirerOnboarding } from './server-known.ts'
import { lockOnboarding, nameOf, noteOf, tell } from './server-save.ts'
import {
  approvalChange,
  BY_HAND,
  openedThere,
  reasonChanges,
  refusedThere,
  sentThere,
  standingOf,
} from './server-steps.ts'
import { acquirerOnboardings as onboarded } from './tables.ts'

type Decided = { id: number; revision: number; step: 'approve' | 'reject'; reasons: Reasons }

export const approve: Verb<typeof contract.approve> = (ctx, input) =>
  decide(ctx, { ...input, step: 'approve', reasons: {} })

export const reject: Verb<typeof contract.reject> = (ctx, { reasons, ...input }) => {
  refuseEmpty(reasons)
  return decide(ctx, { ...input, step: 'reject', reasons: givenReasons(reasons) })
}

function refuseEmpty(reasons: Reasons): void {
  const [first] = REASON_FIELD_KEYS.filter(field => reasons[field] !== undefined)
  refuse(refuseReasons(reasons), REFUSALS, { field: `reasons.${first ?? 'other'}` })
}

async function decide(
  ctx: Ctx,
  { id, revision, step, reasons }: Decided,
): Promise<Out<typeof contract.approve>> {
  const { shop, row } = await lockOnboarding(ctx, { id, revision })
  refuse(refuseDecision(row, step), REFUSALS)
  await refuseOwn(ctx, row)
  const { from, to } = ACQUIRER_APPROVAL_STEPS[step]
  await ctx.db
    .update(onboarded)
    .set({
      ...{ approvalState: to, reasons, revision: revision + 1 },
      ...{ handledByName: nameOf(ctx), handledAt: ctx.now.toISOString() },
    })
    .where(
      and(eq(onboarded.id, id), inArray(onboarded.approvalState, [...from]), ownRows(ctx, onboarded.agentId)),
    )
  noteOf(ctx, shop, row, [approvalChange(row, to), ...reasonChanges(reasons)])
  await tell(ctx, shop, row, {
    title: step === 'approve' ? '收单进件已通过审核' : '收单进件未通过审核',
    body: step === 'approve' ? '等待送达渠道' : reasonsText(reasons),
  })
  return { id, revision: revision + 1 }
}

/** Nobody decides on what they handed in where another could. */
async function refuseOwn(ctx: Ctx, row: AcquirerOnboarding): Promise<void> {
  const isOwn = row.submittedBy === ctx.actor.accountId
  const keys = ['acquirerOnboardings.decide', 'acquirerOnboardings.list']
  if (isOwn && (await anotherMay(ctx, keys))) refuse('OWN_SUBMISSION', REFUSALS)
}

export const send: Verb<typeof contract.send> = async (ctx, { id, revision }) => {
  const of = await lockOnboarding(ctx, { id, revision })
  refuse(refuseByHand(standingOf(of.row), 'send'), REFUSALS)
  noteOf(ctx, of.shop, of.row, await sentThere(ctx, of, { ...BY_HAND, sentByName: nameOf(ctx) }))
  return { id, revision: revision + 1 }
}

export const refuseThere: Verb<typeof contract.refuse> = async (ctx, { id, revision, reasons }) => {
  refuseEmpty(reasons)
  const of = await lockOnboarding(ctx, { id, revision })
  refuse(refuseByHand(standingOf(of.row), 'refuse'), REFUSALS)
  const given = { reasons: givenReasons(reasons), by: nameOf(ctx) }
  noteOf(ctx, of.shop, of.row, await refusedThere(ctx, of, given))
  return { id, revision: revision + 1 }
}

export const setCode: Verb<typeof contract.setCode> = async (ctx, { id, revision, code }) => {
  const of = await lockOnboarding(ctx, { id, revision })
  refuse(refuseByHand(standingOf(of.row), 'open'), REFUSALS)
  const words = brokenCode(of.row.channel, code)
  if (words !== null) throw new Refusal('CODE_WRONG', words, { field: 'code' })
  if (of.row.code === code) {
    ctx.nothingChanged()
    return { id, revision }
  }
  try {
    noteOf(ctx, of.shop, of.row, await openedThere(ctx, of, code))
  } catch (error) {
    if (sqlState(error) === '23505') refuse('CODE_TAKEN', REFUSALS, { field: 'code' })
    throw error
  }
  return { id, revision: revision + 1 }
}

export const setMerchantStatus: Verb<typeof contract.setMerchantStatus> = async (
  ctx,
  { id, revision, merchantStatus },
) => {
  const { shop, row } = await lockOnboarding(ctx, { id, revision })
  refuse(row.code === '' ? 'NO_CODE' : null, REFUSALS)
  if (row.merchantStatus === merchantStatus) {
    ctx.nothingChanged()
    return { id, revision }
  }
  await ctx.db
    .update(onboarded)
    .set({ merchantStatus, revision: revision + 1 })
    .where(and(eq(onboarded.id, id), ownRows(ctx, onboarded.agentId)))
  noteOf(ctx, shop, row, [
    {
      name: FIELDS.merchantStatus.label,
      before: row.merchantStatus && MERCHANT_STANDINGS[row.merchantStatus],
      after: MERCHANT_STANDINGS[merchantStatus],
    },
  ])
  await tell(ctx, shop, row, {
    title: '收单商户状态已变更',
    body: MERCHANT_STANDINGS[merchantStatus],
  })
  return { id, revision: revision + 1 }
}

export const setActive: Verb<typeof contract.setActive> = async (ctx, { id, revision, isActive }) => {
  const { shop, row } = await lockOnboarding(ctx, { id, revision })
  if (row.isActive === isActive) {
    ctx.nothingChanged()
    return { id, revision }
  }
  await ctx.db
    .update(onboarded)
    .set({ isActive, revision: revision + 1 })
    .where(and(eq(onboarded.id, id), ownRows(ctx, onboarded.agentId)))
  const words = (is: boolean) => (is ? '启用' : '停用')
  noteOf(ctx, shop, row, [
    { name: FIELDS.isActive.label, before: words(row.isActive), after: words(isActive) },
  ])
  await tell(ctx, shop, row, { title: `收单进件已${words(isActive)}` })
  return { id, revision: revision + 1 }
}
