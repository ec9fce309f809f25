// Threads in which a shop waits for an answer: of the agent's own shops, and what lies with the vendor.
import { and, eq, inArray } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import type { Ctx, InboxSource } from '#server/ctx.ts'
import { type InboxShown, isWord } from '#server/office/inbox.ts'
import { THREAD_HOURS } from './rules.ts'
import { threads } from './tables.ts'

const shared = {
  decides: 'threads.reply',
  table: threads,
  id: threads.id,
  since: threads.waitingSince,
  within: THREAD_HOURS,
} as const

const isAwaiting = and(isWord(threads.state, 'awaiting'), isWord(threads.kind, 'shop'))

export const inbox: readonly InboxSource[] = [
  {
    ...shared,
    key: 'threads.shop',
    label: '回复商户反馈',
    permission: 'threads.list',
    for: 'partner',
    waits: ({ own }) => and(own(threads.agentId), isWord(threads.desk, 'agent'), isAwaiting),
    shown: (ctx, ids) => shown(ctx, ids, '/admin/help/feedback'),
  },
  {
    ...shared,
    key: 'threads.vendor',
    label: '回复客户反馈',
    permission: 'threads.all',
    for: 'staff',
    waits: () => and(isWord(threads.desk, 'vendor'), isAwaiting),
    shown: (ctx, ids) => shown(ctx, ids, '/admin/help/feedbackList'),
  },
]

async function shown(ctx: Ctx, ids: readonly number[], path: string): Promise<InboxShown[]> {
  const rows = await ctx.db
    .select({
      id: threads.id,
      title: threads.title,
      lastText: threads.lastText,
      assigneeName: threads.assigneeName,
      merchantId: threads.merchantId,
      shopName: threads.shopName,
      agentId: threads.agentId,
      agentName: agents.companyName,
    })
    .from(threads)
    .innerJoin(agents, eq(agents.id, threads.agentId))
    .where(inArray(threads.id, [...ids]))
  return rows.map(({ lastText, assigneeName, ...row }) => ({
    ...row,
    detail: `${lastText}${assigneeName === '' ? '' : ` · 负责人 ${assigneeName}`}`,
    link: `${path}?thread=${row.id}`,
  }))
}
