// Requests that wait for the vendor's staff, one kind for each list.

import { and, eq, inArray } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { APPROVAL_HOURS, APPROVAL_KINDS, APPROVAL_LISTS, type ApprovalKind } from './rules.ts'
import { approvalRequests as requests } from './tables.ts'

const PATHS = {
  signature: '/admin/merchant/smsManage',
  shopName: '/admin/merchant/storeName',
  memberTitle: '/admin/merchant/appellationManage',
} as const

export const inbox: readonly InboxSource[] = (Object.keys(APPROVAL_KINDS) as ApprovalKind[]).map(kind => ({
  key: `approvals.${kind}`,
  label: `审批${APPROVAL_KINDS[kind]}`,
  permission: APPROVAL_LISTS[kind],
  decides: 'approvals.decide',
  for: 'staff',
  table: requests,
  id: requests.id,
  since: requests.createdAt,
  within: APPROVAL_HOURS,
  waits: ({ own }) =>
    and(own(requests.agentId), isWord(requests.kind, kind), isWord(requests.state, 'pending')),
  decided: {
    is: ({ own }) =>
      and(own(requests.agentId), isWord(requests.kind, kind), isWord(requests.state, 'approved', 'rejected')),
    at: requests.handledAt,
    byName: requests.handledByName,
    order: requests.createdAt,
    opens: true,
  },
  async shown(ctx, ids) {
    const rows = await ctx.db
      .select({
        id: requests.id,
        title: requests.content,
        before: requests.contentBefore,
        merchantId: requests.merchantId,
        shopName: merchants.shopName,
        agentId: requests.agentId,
        agentName: agents.companyName,
      })
      .from(requests)
      .innerJoin(merchants, eq(merchants.id, requests.merchantId))
      .innerJoin(agents, eq(agents.id, requests.agentId))
      .where(inArray(requests.id, [...ids]))
    return rows.map(({ before, ...row }) => ({
      ...row,
      detail: before ? `现在使用「${before}」` : '现在没有设置',
      link: `${PATHS[kind]}?request=${row.id}&user_id=${row.merchantId}`,
    }))
  },
}))
