// What a settlement account belongs to: the application or the onboarding by which a shop came to a channel. Here is told what is known of
// it, and where what becomes of a change is said.
import { and, eq, gte, inArray, ne, or } from 'drizzle-orm'
import { gather } from '#features/acquiring/onboardings/server-known.ts'
import type { PayType } from '#features/acquiring/payment-applications/rules.ts'
import { tell as tellOfApplication } from '#features/acquiring/payment-applications/server-decide.ts'
import type { Application } from '#features/acquiring/payment-applications/server-rows.ts'
import type { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { ACCOUNT_CHANGES_A_DAY, ACCOUNT_KINDS_OF } from '#kit/ports/onboarding.ts'
import { formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { type AccountChannel, OPEN, type REFUSALS, refuseAtService, refuseChange } from './rules.ts'
import { accountChanges } from './tables.ts'

export type Shop = Awaited<ReturnType<typeof lockMerchant>>
export type Change = typeof accountChanges.$inferSelect

export type Subject = {
  of: Pick<Change, 'applicationId' | 'acquirerOnboardingId'>
  merchantId: number
  channel: AccountChannel
  /** The channel's number of the merchant; empty: it has none. */
  merchantCode: string
  /** Which the shop may have, and as whose. */
  kinds: readonly PayType[]
  holders: Readonly<Record<PayType, string>>
  mostADay: number
  /** Why its account cannot be changed at all. */
  refusal: keyof typeof REFUSALS | null
}

export async function ofApplication(ctx: Ctx, application: Application): Promise<Subject> {
  const { known, row } = await gather(ctx, application)
  const desk = ctx.services.providers.onboarding
  return {
    of: { applicationId: application.id, acquirerOnboardingId: null },
    ...{ merchantId: application.merchantId, channel: desk?.name ?? 'wechat' },
    merchantCode: row?.subMerchantId ?? '',
    kinds: ACCOUNT_KINDS_OF[known.subjectKind],
    holders: { corporate: known.company, private: known.legalPerson },
    mostADay: ACCOUNT_CHANGES_A_DAY,
    refusal: refuseAtService(row?.state === 'finished', desk !== null),
  }
}

/** Why it cannot be changed now. */
export async function refusalNow(
  ctx: Ctx,
  { merchantId, channel, merchantCode, mostADay, refusal }: Subject,
): Promise<keyof typeof REFUSALS | null> {
  const there = and(
    eq(accountChanges.merchantId, merchantId),
    eq(accountChanges.channel, channel),
    ownRows(ctx, accountChanges.agentId),
  )
  const open = await ctx.db.$count(accountChanges, and(there, inArray(accountChanges.state, [...OPEN])))
  const midnight = startOfDay(formatDay(ctx.now)).toISOString()
  // What the channel refused to take does not count there.
  const isCounted = or(ne(accountChanges.state, 'refused'), ne(accountChanges.changeId, ''))
  const ofNumber = eq(accountChanges.merchantCode, merchantCode)
  const today = await ctx.db.$count(
    accountChanges,
    and(there, ofNumber, gte(accountChanges.requestedAt, midnight), isCounted),
  )
  return refuseChange({ refusal, isOpen: open > 0, today, mostADay })
}

type Told = { title: string; body: string }
type Home = {
  kind: 'paymentApplication'
  id: number
  operation: string
  /** Who of staff hears of what did not come about, and where it is. */
  holding: string
  link: `/admin/${string}`
  tell(ctx: Ctx, shop: Shop, told: Told): Promise<unknown>
}

/** Where it is said what becomes of a change. */
export function homeOf({ applicationId }: Pick<Change, 'applicationId' | 'acquirerOnboardingId'>): Home {
  const id = Number(applicationId)
  return {
    ...{ kind: 'paymentApplication', id, operation: '/payment-applications settlement account' },
    holding: 'paymentApplications.review',
    link: `/admin/schedule/payInformation?id=${id}`,
    tell: (ctx, shop, told) => tellOfApplication(ctx, shop, id, told),
  }
}
