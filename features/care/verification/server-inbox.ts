// What shops have handed in to prove who they are.

import { eq, inArray } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { VERIFICATION_HOURS } from './rules.ts'
import { verifications } from './tables.ts'

export const inbox: readonly InboxSource[] = [
  {
    key: 'verification.review',
    label: '审核实名资料',
    permission: 'verification.reviews',
    decides: 'verification.decide',
    for: 'staff',
    table: verifications,
    id: verifications.id,
    since: verifications.submittedAt,
    within: VERIFICATION_HOURS,
    waits: () => isWord(verifications.state, 'reviewing'),
    decided: {
      is: () => isWord(verifications.state, 'verified', 'rejected'),
      at: verifications.handledAt,
      byName: verifications.handledByName,
      order: verifications.submittedAt,
      opens: true,
    },
    async shown(ctx, ids) {
      const rows = await ctx.db
        .select({
          id: verifications.id,
          company: verifications.company,
          by: verifications.submittedByName,
          merchantId: verifications.merchantId,
          shopName: merchants.shopName,
          agentId: verifications.agentId,
          agentName: agents.companyName,
        })
        .from(verifications)
        .innerJoin(merchants, eq(merchants.id, verifications.merchantId))
        .innerJoin(agents, eq(agents.id, verifications.agentId))
        .where(inArray(verifications.id, [...ids]))
      return rows.map(({ company, by, ...row }) => ({
        ...row,
        title: company || row.shopName,
        detail: by === '' ? '店铺提交' : `${by} 提交`,
        link: `/admin/merchant/verification?user_id=${row.merchantId}`,
      }))
    },
  },
]
