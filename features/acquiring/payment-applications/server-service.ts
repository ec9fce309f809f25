// What the payment service itself makes of an application, as the program hears it: the same steps that a reviewer takes by hand.
import { and, eq, inArray } from 'drizzle-orm'
import type { Refused } from '#features/acquiring/refusals/rules.ts'
import { mendRefusals, recordRefusals } from '#features/acquiring/refusals/server-record.ts'
import type { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { ONBOARDING_STATES, type OnboardingState } from '#kit/ports/onboarding.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { APPLICATION_FIELDS } from './fields.ts'
import { LIMITS, PAYMENT_APPLICATION_STEPS, type Reasons, reasonsText, refusedIn } from './rules.ts'
import { tell } from './server-decide.ts'
import type { Application } from './server-rows.ts'
import { paymentApplications as applications } from './tables.ts'

type Told = {
  shop: Awaited<ReturnType<typeof lockMerchant>>
  row: Application
  serviceState: OnboardingState | null
  /** By field, what is to be mended; then it is its agent's turn. */
  reasons?: Reasons
  /** The same, each by the field that the service named. */
  refused?: readonly Refused[]
  /** In the service's words. */
  note?: string
  /** What its agent hears; nothing where nothing is asked of anybody. */
  title?: string
}

const REVIEWED = {
  editing: 'accepting',
  auditing: 'accepting',
  rejected: 'rejected',
  toBeConfirmed: 'accepting',
  toBeSigned: 'accepting',
  signing: 'accepting',
  finished: 'accepted',
  canceled: 'rejected',
} as const satisfies Record<OnboardingState, Application['reviewState']>

/** The shop and the application are locked. Of one that was taken back or accepted by hand nothing changes but the state itself. */
export async function heardOfService(ctx: Ctx, told: Told): Promise<void> {
  const { shop, row, serviceState, reasons, refused, note = '', title } = told
  const reviewState = reasons ? 'rejected' : serviceState && REVIEWED[serviceState]
  const isOpen = row.state === 'approved' && row.reviewState !== 'accepted'
  if (!isOpen || reviewState === null) {
    await ctx.db.update(applications).set({ serviceState }).where(eq(applications.id, row.id))
    return
  }
  const isRejected = reviewState === 'rejected'
  const { from, to } = PAYMENT_APPLICATION_STEPS[isRejected ? 'reopen' : 'resume']
  const given = reasons ?? (isRejected ? { other: note || '支付服务已作废该申请' } : {})
  await ctx.db
    .update(applications)
    .set({
      ...{ state: to, serviceState, reviewState, reasons: given, revision: row.revision + 1 },
      reviewNote: (isRejected ? reasonsText(given) : note || row.reviewNote).slice(0, LIMITS.reviewNote),
      ...{ reviewedByName: ctx.actor.name, reviewedAt: ctx.now.toISOString() },
    })
    .where(and(eq(applications.id, row.id), inArray(applications.state, [...from])))
  if (isRejected) await recordRefusals(ctx, row, 'service', refused ?? refusedIn(given))
  else await mendRefusals(ctx, row.id)
  await logOperation(ctx, {
    operation: '/payment-applications service',
    title: '支付服务受理',
    subject: `${shop.shopName} (${shop.id})`,
    objects: [objectKey('paymentApplication', row.id), objectKey('merchant', shop.id)],
    by: { ...ctx.actor, agentId: shop.agentId },
    ...{ merchantId: shop.id, aboutAgentId: shop.agentId },
    changes: [
      {
        name: APPLICATION_FIELDS.serviceState.label,
        before: row.serviceState && ONBOARDING_STATES[row.serviceState],
        after: serviceState && ONBOARDING_STATES[serviceState],
      },
    ],
  })
  if (title) await tell(ctx, shop, row.id, { title, body: isRejected ? reasonsText(given) : note })
}

/** What the service told of it is past: it goes there anew. */
export async function forgetService(ctx: Ctx, id: number): Promise<void> {
  await ctx.db
    .update(applications)
    .set({ serviceState: null })
    .where(and(eq(applications.id, id), ownRows(ctx, applications.agentId)))
}
