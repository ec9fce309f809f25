// What a settlement account belongs to: the application or the onboarding by which a shop came to a channel. Here is told what is known of
// it, and where what becomes of a change is said.
import { and, desc, eq, gte, inArray, isNotNull, ne, or } from 'drizzle-orm'
import {
  type AcquirerOnboarding,
  gather as gatherAcquirer,
  isConnected,
} from '#features/acquiring/acquirer-onboardings/server-known.ts'
import { tell as tellOfAcquirer } from '#features/acquiring/acquirer-onboardings/server-save.ts'
import { gather } from '#features/acquiring/onboardings/server-known.ts'
import { PAY_TYPE_KEYS, type PayType } from '#features/acquiring/payment-applications/rules.ts'
import { tell as tellOfApplication } from '#features/acquiring/payment-applications/server-decide.ts'
import type { Application } from '#features/acquiring/payment-applications/server-rows.ts'
import { documents } from '#features/care/documents/tables.ts'
import type { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { ACQUIRER_NAMES, type AcquirerName, accountPaperOf } from '#kit/ports/acquirers.ts'
import { ACCOUNT_CHANGES_A_DAY, ACCOUNT_KINDS_OF } from '#kit/ports/onboarding.ts'
import { formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { PDF_TYPE } from '#server/files.ts'
import { files } from '#server/tables.ts'
import {
  type AccountChannel,
  OPEN,
  type REFUSALS,
  refuseAtAcquirer,
  refuseAtService,
  refuseChange,
} from './rules.ts'
import { accountChanges } from './tables.ts'

export type Shop = Awaited<ReturnType<typeof lockMerchant>>
export type Change = typeof accountChanges.$inferSelect

export type Subject = {
  of: Pick<Change, 'applicationId' | 'acquirerOnboardingId'>
  merchantId: number
  /** Null: no service is connected, and nothing can be changed. */
  channel: AccountChannel | null
  /** The channel's number of the merchant; empty: it has none. */
  merchantCode: string
  /** Which the shop may have, and as whose. */
  kinds: readonly PayType[]
  holders: Readonly<Record<PayType, string>>
  /** Null: the channel names no limit. */
  mostADay: number | null
  /** Why its account cannot be changed at all. */
  refusal: keyof typeof REFUSALS | null
}

export async function ofApplication(ctx: Ctx, application: Application): Promise<Subject> {
  const { known, row } = await gather(ctx, application)
  const desk = ctx.services.providers.onboarding
  return {
    of: { applicationId: application.id, acquirerOnboardingId: null },
    ...{ merchantId: application.merchantId, channel: desk?.name ?? null },
    merchantCode: row?.subMerchantId ?? '',
    kinds: ACCOUNT_KINDS_OF[known.subjectKind],
    holders: { corporate: known.company, private: known.legalPerson },
    mostADay: ACCOUNT_CHANGES_A_DAY,
    refusal: refuseAtService(row?.state === 'finished', desk !== null),
  }
}

export type AcquirerSubject = Subject & { acquirer: AcquirerName; hasIdNumber: boolean }

export async function ofAcquirer(ctx: Ctx, row: AcquirerOnboarding): Promise<AcquirerSubject> {
  const { known } = await gatherAcquirer(ctx, row)
  return {
    of: { applicationId: null, acquirerOnboardingId: row.id },
    ...{ merchantId: row.merchantId, channel: row.channel, acquirer: row.channel, merchantCode: row.code },
    kinds: PAY_TYPE_KEYS,
    holders: { corporate: known.company, private: known.legalPerson },
    hasIdNumber: known.idNumber !== '',
    mostADay: null,
    refusal: refuseAtAcquirer({
      ...{ isOpened: row.state === 'opened', isActive: row.isActive },
      isConnected: isConnected(ctx, row),
    }),
  }
}

/** The shop's papers of an account of this kind, the newest first, and those of accounts before. */
export async function papersOf(ctx: Ctx, row: AcquirerOnboarding, payType: PayType) {
  const kind = accountPaperOf(row.channel, payType)
  if (kind === null) return { kind, papers: [], old: [] }
  const papers = await ctx.db
    .select({ id: documents.id, mime: files.mime })
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .where(
      and(
        eq(documents.merchantId, row.merchantId),
        eq(documents.state, 'current'),
        eq(documents.kind, kind),
        ownRows(ctx, documents.agentId),
      ),
    )
    .orderBy(desc(documents.id))
  const held = await ctx.db
    .select({ id: accountChanges.documentId })
    .from(accountChanges)
    .where(
      and(
        eq(accountChanges.acquirerOnboardingId, row.id),
        eq(accountChanges.state, 'done'),
        isNotNull(accountChanges.documentId),
        ownRows(ctx, accountChanges.agentId),
      ),
    )
  const first = row.papers[kind]
  return {
    kind,
    papers: papers.map(({ id, mime }) => ({ id, isPdf: mime === PDF_TYPE })),
    old: [...(first === undefined ? [] : [first]), ...held.flatMap(({ id }) => id ?? [])],
  }
}

/** Why it cannot be changed now. */
export async function refusalNow(
  ctx: Ctx,
  { merchantId, channel, merchantCode, mostADay, refusal }: Subject,
): Promise<keyof typeof REFUSALS | null> {
  if (channel === null) return refusal
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
  kind: 'paymentApplication' | 'acquirerOnboarding'
  id: number
  operation: string
  /** Who of staff hears of what did not come about, and where it is. */
  holding: string
  link: `/admin/${string}`
  /** As the log names it. */
  subject(shop: Shop): string
  tell(ctx: Ctx, shop: Shop, told: Told): Promise<unknown>
}

/** Where it is said what becomes of a change. */
export function homeOf({
  applicationId,
  acquirerOnboardingId,
  channel,
}: Pick<Change, 'applicationId' | 'acquirerOnboardingId' | 'channel'>): Home {
  if (acquirerOnboardingId === null) {
    const id = Number(applicationId)
    return {
      ...{ kind: 'paymentApplication', id, operation: '/payment-applications settlement account' },
      holding: 'paymentApplications.review',
      link: `/admin/schedule/payInformation?id=${id}`,
      subject: shop => `${shop.shopName} (${shop.id})`,
      tell: (ctx, shop, told) => tellOfApplication(ctx, shop, id, told),
    }
  }
  const of = { id: acquirerOnboardingId, channel: channel as AcquirerName }
  return {
    ...{ kind: 'acquirerOnboarding', id: of.id, operation: '/acquirer-onboardings settlement account' },
    holding: 'acquirerOnboardings.decide',
    link: `/admin/merchant/acquiring?id=${of.id}`,
    subject: shop => `${shop.shopName} (${shop.id}) ${ACQUIRER_NAMES[of.channel]}`,
    tell: (ctx, shop, told) => tellOfAcquirer(ctx, shop, of, told),
  }
}
