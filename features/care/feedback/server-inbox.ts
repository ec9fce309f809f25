// What partners said and nobody has answered.

import { and, eq, inArray } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import type { InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { feedbackMessages as messages } from './tables.ts'

export const inbox: readonly InboxSource[] = [
  {
    key: 'feedback.answer',
    label: '回复反馈',
    permission: 'feedback.list',
    for: 'staff',
    table: messages,
    id: messages.id,
    since: messages.createdAt,
    waits: ({ own }) => and(own(messages.agentId), isWord(messages.state, 'open')),
    decided: {
      is: ({ own }) => and(own(messages.agentId), isWord(messages.state, 'answered')),
      at: messages.answeredAt,
      byName: messages.answeredByName,
      order: messages.createdAt,
      opens: true,
    },
    async shown(ctx, ids) {
      const rows = await ctx.db
        .select({
          id: messages.id,
          title: messages.content,
          by: messages.createdByName,
          agentId: messages.agentId,
          agentName: agents.companyName,
        })
        .from(messages)
        .innerJoin(agents, eq(agents.id, messages.agentId))
        .where(inArray(messages.id, [...ids]))
      return rows.map(({ by, ...row }) => ({
        ...row,
        detail: `${by} 提交`,
        merchantId: null,
        shopName: '',
        link: '/admin/operations/feedback?state=open',
      }))
    },
  },
]
