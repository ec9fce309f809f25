// Messages of which the SMS service never said what became of them.

import { and, eq, inArray } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { outboxMessages as messages } from '#features/shops/messages/tables.ts'
import { maskPhone } from '#kit/words/phone.ts'
import type { InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'

export const inbox: readonly InboxSource[] = [
  {
    key: 'message-desk.judge',
    label: '判定短信结果',
    folded: '条短信待判定',
    permission: 'messageDesk.abnormal',
    for: 'staff',
    table: messages,
    id: messages.id,
    since: messages.createdAt,
    waits: ({ own }) => and(own(messages.agentId), isWord(messages.status, 'unknown')),
    async shown(ctx, ids) {
      const rows = await ctx.db
        .select({
          id: messages.id,
          phone: messages.phone,
          errorText: messages.errorText,
          merchantId: messages.merchantId,
          agentId: messages.agentId,
          agentName: agents.companyName,
        })
        .from(messages)
        .leftJoin(agents, eq(agents.id, messages.agentId))
        .where(inArray(messages.id, [...ids]))
      return rows.map(({ phone, errorText, agentName, ...row }) => ({
        ...row,
        title: `发给 ${maskPhone(phone)} 的短信没有结果`,
        detail: errorText || '短信服务商没有回执，请判定为成功或失败',
        shopName: '',
        agentName: agentName ?? '',
        link: '/admin/merchant/smsManageError?status=unknown',
      }))
    },
  },
]
