import { and, eq, inArray, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import type { InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { DECIDE_HOURS } from './rules.ts'
import { rowsText } from './server-rows.ts'
import { tableClearings as clearings } from './tables.ts'

/** Requests that wait for a second person. */
export const inbox: readonly InboxSource[] = [
  {
    key: 'table-clearing.waiting',
    label: '审批清空数据',
    permission: 'tableClearing.list',
    decides: 'tableClearing.approve',
    for: 'staff',
    table: clearings,
    id: clearings.id,
    since: clearings.waitingSince,
    within: DECIDE_HOURS,
    waits: ({ own }) => and(own(clearings.agentId), isWord(clearings.state, 'waiting')),
    decided: {
      is: ({ own }) => and(own(clearings.agentId), sql`${clearings.state} <> 'waiting'`),
      at: clearings.decidedAt,
      byName: clearings.decidedByName,
      order: clearings.askedAt,
      opens: true,
    },
    async shown(ctx, ids) {
      const rows = await ctx.db
        .select({
          id: clearings.id,
          tableName: clearings.tableName,
          rows: clearings.rows,
          reason: clearings.reason,
          by: clearings.askedByName,
          merchantId: clearings.merchantId,
          shopName: clearings.shopName,
          agentId: clearings.agentId,
          agentName: agents.companyName,
        })
        .from(clearings)
        .innerJoin(agents, eq(agents.id, clearings.agentId))
        .where(inArray(clearings.id, [...ids]))
      return rows.map(({ tableName, rows: count, reason, by, ...row }) => ({
        ...row,
        title: `清空${tableName}，${rowsText(count)}`,
        detail: `${by}：${reason}`,
        link: `/admin/tool/clearings?id=${row.id}`,
      }))
    },
  },
]
