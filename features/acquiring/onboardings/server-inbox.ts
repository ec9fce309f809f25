// Applications at the payment service that wait: for the shop to sign, for staff to mend our account there.
import { and, eq, inArray } from 'drizzle-orm'
import { paymentApplications as applications } from '#features/acquiring/payment-applications/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { ONBOARDING_STATES } from '#kit/ports/onboarding.ts'
import type { Ctx, InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { onboardings } from './tables.ts'

async function shown(ctx: Ctx, ids: readonly number[], link: (id: number) => string) {
  const rows = await ctx.db
    .select({
      id: applications.id,
      serviceState: applications.serviceState,
      message: onboardings.message,
      merchantId: applications.merchantId,
      shopName: merchants.shopName,
      agentId: applications.agentId,
      agentName: agents.companyName,
    })
    .from(applications)
    .innerJoin(onboardings, eq(onboardings.applicationId, applications.id))
    .innerJoin(merchants, eq(merchants.id, applications.merchantId))
    .innerJoin(agents, eq(agents.id, applications.agentId))
    .where(inArray(applications.id, [...ids]))
  return rows.map(({ serviceState, message, ...row }) => ({
    ...row,
    title: row.shopName,
    detail: message || (serviceState ? ONBOARDING_STATES[serviceState] : ''),
    link: link(row.id),
  }))
}

export const inbox: readonly InboxSource[] = [
  {
    key: 'onboardings.sign',
    label: '请店主签约收款',
    permission: 'paymentApplications.edit',
    for: 'partner',
    table: applications,
    id: applications.id,
    since: applications.reviewedAt,
    waits: ({ own }) =>
      and(own(applications.agentId), isWord(applications.serviceState, 'toBeConfirmed', 'toBeSigned')),
    shown: (ctx, ids) => shown(ctx, ids, id => `/admin/schedule/payApplication?id=${id}`),
  },
  {
    key: 'onboardings.stuck',
    label: '支付服务无法提交',
    permission: 'paymentApplications.reviews',
    decides: 'paymentApplications.review',
    for: 'staff',
    table: onboardings,
    id: onboardings.applicationId,
    since: onboardings.changedAt,
    waits: () => isWord(onboardings.state, 'stuck'),
    shown: (ctx, ids) => shown(ctx, ids, id => `/admin/schedule/payInformation?id=${id}`),
  },
]
