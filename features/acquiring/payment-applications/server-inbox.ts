// Applications for payments that wait: for staff to decide, for the payment service to be asked, for the agent to mend them.
import { and, eq, inArray } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { Ctx, InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { APPLICATION_HOURS, type Reasons, reasonsText } from './rules.ts'
import { paymentApplications as applications } from './tables.ts'

type Told = { by: string; reasons: Reasons; phone: string }

async function shown(
  ctx: Ctx,
  ids: readonly number[],
  told: { detail: (row: Told) => string; link: (row: { id: number; merchantId: number }) => string },
) {
  const rows = await ctx.db
    .select({
      id: applications.id,
      by: applications.submittedByName,
      reasons: applications.reasons,
      phone: applications.phone,
      merchantId: applications.merchantId,
      shopName: merchants.shopName,
      agentId: applications.agentId,
      agentName: agents.companyName,
    })
    .from(applications)
    .innerJoin(merchants, eq(merchants.id, applications.merchantId))
    .innerJoin(agents, eq(agents.id, applications.agentId))
    .where(inArray(applications.id, [...ids]))
  return rows.map(({ by, reasons, phone, ...row }) => ({
    ...row,
    title: row.shopName,
    detail: told.detail({ by, reasons, phone }),
    link: told.link(row),
  }))
}

const OF = { table: applications, id: applications.id } as const

export const inbox: readonly InboxSource[] = [
  {
    key: 'payment-applications.decide',
    label: '审核支付申请',
    permission: 'paymentApplications.list',
    decides: 'paymentApplications.decide',
    for: 'staff',
    ...OF,
    since: applications.submittedAt,
    within: APPLICATION_HOURS,
    waits: () => isWord(applications.state, 'pending'),
    decided: {
      is: () => isWord(applications.state, 'approved', 'rejected'),
      at: applications.handledAt,
      byName: applications.handledByName,
      order: applications.submittedAt,
      opens: true,
    },
    shown: (ctx, ids) =>
      shown(ctx, ids, {
        detail: ({ by }) => `${by} 提交`,
        link: ({ id }) => `/admin/schedule/payApplication?id=${id}`,
      }),
  },
  {
    key: 'payment-applications.review',
    label: '支付申请待受理',
    permission: 'paymentApplications.reviews',
    decides: 'paymentApplications.review',
    for: 'staff',
    ...OF,
    since: applications.handledAt,
    waits: () => isWord(applications.reviewState, 'waiting'),
    shown: (ctx, ids) =>
      shown(ctx, ids, {
        detail: () => '已通过审核，等待支付服务受理',
        link: ({ id }) => `/admin/schedule/payInformation?id=${id}`,
      }),
  },
  {
    key: 'payment-applications.mend',
    label: '修改支付申请',
    permission: 'paymentApplications.edit',
    decides: 'paymentApplications.edit',
    for: 'partner',
    ...OF,
    since: applications.handledAt,
    waits: ({ own }) => and(own(applications.agentId), isWord(applications.state, 'rejected')),
    shown: (ctx, ids) =>
      shown(ctx, ids, {
        detail: ({ reasons }) => reasonsText(reasons),
        link: ({ merchantId }) => `/admin/schedule/submitPayment?user_id=${merchantId}`,
      }),
  },
]
