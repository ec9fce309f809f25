// Data of mini programs that the platform has refused and the shop's agent mends.
import { and, eq, inArray } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { PROFILE_PARTS } from './rules.ts'
import { programProfileChanges as changes } from './tables.ts'

export const inbox: readonly InboxSource[] = [
  {
    key: 'program-profile.mend',
    label: '修改未通过的小程序资料',
    permission: 'programFlow.edit',
    decides: 'programFlow.edit',
    for: 'partner',
    table: changes,
    id: changes.id,
    since: changes.endedAt,
    waits: ({ own }) =>
      and(own(changes.agentId), isWord(changes.state, 'refused'), eq(changes.isCurrent, true)),
    shown: async (ctx, ids) => {
      const rows = await ctx.db
        .select({
          id: changes.id,
          applicationId: changes.applicationId,
          part: changes.part,
          reason: changes.reason,
          merchantId: changes.merchantId,
          shopName: merchants.shopName,
          agentId: changes.agentId,
          agentName: agents.companyName,
        })
        .from(changes)
        .innerJoin(merchants, eq(merchants.id, changes.merchantId))
        .innerJoin(agents, eq(agents.id, changes.agentId))
        .where(inArray(changes.id, [...ids]))
      return rows.map(({ part, reason, applicationId, ...row }) => ({
        ...row,
        title: row.shopName,
        detail: `${PROFILE_PARTS[part]}未通过：${reason}`,
        link: `/admin/schedule/AppletFlow?id=${applicationId}`,
      }))
    },
  },
]
