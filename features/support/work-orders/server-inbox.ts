// Work orders that wait for the vendor's staff: nobody's, one's own, and those of others that are overdue.
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import type { Ctx, InboxSource } from '#server/ctx.ts'
import { type InboxAsked, isWord } from '#server/office/inbox.ts'
import { URGENCIES } from './rules.ts'
import { workOrders as orders } from './tables.ts'

const isRunning = () => isWord(orders.state, 'new', 'accepted', 'working')

const SHARED = {
  permission: 'workOrders.all',
  decides: 'workOrders.handle',
  for: 'staff',
  table: orders,
  id: orders.id,
  shown,
} as const

export const inbox: readonly InboxSource[] = [
  {
    ...SHARED,
    key: 'work-orders.accept',
    label: '受理工单',
    since: orders.createdAt,
    waits: ({ own }) =>
      and(
        own(orders.agentId),
        isNull(orders.deletedAt),
        isWord(orders.state, 'new'),
        isNull(orders.assigneeId),
      ),
  },
  {
    ...SHARED,
    key: 'work-orders.mine',
    label: '我负责的工单',
    since: orders.createdAt,
    waits: ({ own, me }) =>
      and(own(orders.agentId), isNull(orders.deletedAt), isRunning(), sql`${orders.assigneeId} = ${me}`),
  },
  {
    ...SHARED,
    key: 'work-orders.overdue',
    label: '逾期工单',
    folded: '张工单逾期',
    since: orders.dueAt,
    waits: ({ own, now, me }) =>
      and(
        own(orders.agentId),
        isNull(orders.deletedAt),
        isRunning(),
        sql`${orders.dueAt} < ${now}`,
        ofOthers(me),
      ),
  },
]

/** What stands under the two other kinds already does not stand here, too. */
function ofOthers(me: InboxAsked['me']): SQL {
  return sql`(${orders.assigneeId} <> ${me} or ${orders.assigneeId} is null and ${orders.state} <> 'new')`
}

async function shown(ctx: Ctx, ids: readonly number[]) {
  const rows = await ctx.db
    .select({
      id: orders.id,
      title: orders.title,
      urgency: orders.urgency,
      createdByName: orders.createdByName,
      merchantId: orders.merchantId,
      shopName: orders.shopName,
      agentId: orders.agentId,
      agentName: agents.companyName,
    })
    .from(orders)
    .innerJoin(agents, eq(agents.id, orders.agentId))
    .where(inArray(orders.id, [...ids]))
  return rows.map(({ urgency, createdByName, ...row }) => ({
    ...row,
    detail: `${URGENCIES[urgency]}，${createdByName} 提交`,
    link: `/admin/help/workOrderList?workOrder=${row.id}`,
  }))
}
