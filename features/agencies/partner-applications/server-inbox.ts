// Who wants to become a partner and has had no answer.

import { inArray } from 'drizzle-orm'
import type { InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { APPLICATION_STATES } from './rules.ts'
import { LINK } from './server.ts'
import { partnerApplications as rows } from './tables.ts'

export const inbox: readonly InboxSource[] = [
  {
    key: 'partner-applications.answer',
    label: '答复合作申请',
    permission: 'partnerApplications.list',
    decides: 'partnerApplications.decide',
    for: 'staff',
    table: rows,
    id: rows.id,
    since: rows.createdAt,
    waits: () => isWord(rows.state, 'new', 'contacting'),
    decided: {
      is: () => isWord(rows.state, 'accepted', 'refused'),
      at: rows.handledAt,
      byName: rows.handledByName,
      order: rows.createdAt,
      opens: true,
    },
    async shown(ctx, ids) {
      const found = await ctx.db
        .select({
          id: rows.id,
          title: rows.companyName,
          contactName: rows.contactName,
          state: rows.state,
          dueOn: rows.dueOn,
        })
        .from(rows)
        .where(inArray(rows.id, [...ids]))
      return found.map(({ id, title, contactName, state, dueOn }) => ({
        id,
        title,
        detail: [contactName, APPLICATION_STATES[state], dueOn && `最晚 ${dueOn} 答复`]
          .filter(Boolean)
          .join('，'),
        merchantId: null,
        shopName: '',
        agentId: null,
        agentName: '',
        link: `${LINK}?application=${id}`,
      }))
    },
  },
]
