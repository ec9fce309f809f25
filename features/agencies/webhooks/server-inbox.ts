// Endpoints of the acting agency that the program has switched off.

import { and, inArray, isNull, sql } from 'drizzle-orm'
import type { InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { webhookEndpoints as endpoints } from './tables.ts'

const WHY = { gone: '对方已停止接收', failing: '长期投递失败，已停用', hand: '已停用' } as const

export const inbox: readonly InboxSource[] = [
  {
    key: 'webhooks.off',
    label: '回调已停用',
    permission: 'webhooks.list',
    decides: 'webhooks.edit',
    ofAgency: true,
    table: endpoints,
    id: endpoints.id,
    since: sql`coalesce(${endpoints.offAt}, ${endpoints.createdAt})`,
    waits: ({ agency }) =>
      and(
        agency(endpoints.agentId),
        isNull(endpoints.removedAt),
        isWord(endpoints.offReason, 'gone', 'failing'),
      ),
    async shown(ctx, ids) {
      const rows = await ctx.db
        .select({
          id: endpoints.id,
          title: endpoints.url,
          why: endpoints.offReason,
          agentId: endpoints.agentId,
        })
        .from(endpoints)
        .where(inArray(endpoints.id, [...ids]))
      return rows.map(({ why, ...row }) => ({
        ...row,
        detail: `${WHY[why ?? 'hand']}，修好后重新启用`,
        merchantId: null,
        shopName: '',
        agentName: '',
        link: '/admin/account/webhooks',
      }))
    },
  },
]
