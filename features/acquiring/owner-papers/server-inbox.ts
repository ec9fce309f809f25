// What owners of shops have handed in and nobody has taken over or sent back.
import { and, eq, inArray } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { ownerPapers as table } from './tables.ts'

export const inbox: readonly InboxSource[] = [
  {
    key: 'owner-papers.decide',
    label: '店主已提交',
    permission: 'ownerPapers.view',
    decides: 'ownerPapers.decide',
    for: 'partner',
    table,
    id: table.id,
    since: table.submittedAt,
    waits: ({ own }) => and(own(table.agentId), isWord(table.state, 'submitted')),
    decided: {
      is: ({ own }) => and(own(table.agentId), isWord(table.state, 'returned', 'adopted')),
      at: table.handledAt,
      byName: table.handledByName,
      order: table.submittedAt,
      opens: true,
    },
    async shown(ctx, ids) {
      const rows = await ctx.db
        .select({
          id: table.id,
          owner: table.personInCharge,
          merchantId: table.merchantId,
          shopName: merchants.shopName,
          agentId: table.agentId,
          agentName: agents.companyName,
        })
        .from(table)
        .innerJoin(merchants, eq(merchants.id, table.merchantId))
        .innerJoin(agents, eq(agents.id, table.agentId))
        .where(inArray(table.id, [...ids]))
      return rows.map(({ owner, ...row }) => ({
        ...row,
        title: row.shopName,
        detail: `店主 ${owner} 已签名提交，采用或退回`,
        link: `/admin/merchant/merchantDetails?user_id=${row.merchantId}`,
      }))
    },
  },
]
