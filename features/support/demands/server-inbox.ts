// Demands that nobody has looked into yet, and those that are past their deadline.
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { Ctx, InboxSource } from '#server/ctx.ts'
import { type InboxShown, isWord } from '#server/office/inbox.ts'
import { PRIORITIES, TYPES } from './rules.ts'
import { linkTo } from './server-rows.ts'
import { demands } from './tables.ts'

const LIVE = and(isNull(demands.deletedAt), isNull(demands.mergedIntoId))

const shared = {
  permission: 'demands.list',
  decides: 'demands.edit',
  for: 'staff',
  table: demands,
  id: demands.id,
  shown,
} as const

export const inbox: readonly InboxSource[] = [
  {
    ...shared,
    key: 'demands.new',
    label: '评估新需求',
    since: demands.createdAt,
    waits: () => and(isWord(demands.status, 'feedbacked'), LIVE),
  },
  {
    ...shared,
    key: 'demands.overdue',
    label: '需求超过截止时间',
    folded: '项需求超过截止时间',
    since: demands.deadline,
    waits: ({ now }) =>
      and(
        sql`${demands.status} not in ('online', 'postponed', 'rejected')`,
        sql`${demands.deadline} < ${now}`,
        LIVE,
      ),
  },
]

async function shown(ctx: Ctx, ids: readonly number[]): Promise<InboxShown[]> {
  const rows = await ctx.db
    .select({
      id: demands.id,
      title: demands.title,
      type: demands.type,
      priority: demands.priority,
      ownerName: accounts.name,
      merchantId: demands.merchantId,
      shopName: merchants.shopName,
    })
    .from(demands)
    .innerJoin(accounts, eq(accounts.id, demands.ownerId))
    .innerJoin(merchants, eq(merchants.id, demands.merchantId))
    .where(inArray(demands.id, [...ids]))
  return rows.map(({ type, priority, ownerName, ...row }) => ({
    ...row,
    detail: `${TYPES[type]} · ${PRIORITIES[priority]} · 负责人 ${ownerName}`,
    agentId: null,
    agentName: '',
    link: linkTo(row.id),
  }))
}
