// Releases that have halted by themselves, for staff to look into.
import { inArray } from 'drizzle-orm'
import type { InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { subjectOf } from './server-steps.ts'
import { releaseTrains as trains } from './tables.ts'

export const inbox: readonly InboxSource[] = [
  {
    key: 'release-trains.halted',
    label: '处理自动停止的小程序分批发布',
    permission: 'releaseTrains.list',
    decides: 'releaseTrains.run',
    for: 'staff',
    table: trains,
    id: trains.id,
    since: trains.changedAt,
    waits: () => isWord(trains.state, 'halted'),
    shown: async (ctx, ids) => {
      const rows = await ctx.db
        .select()
        .from(trains)
        .where(inArray(trains.id, [...ids]))
      return rows.map(row => ({
        ...{ id: row.id, title: subjectOf(row), detail: row.reason },
        ...{ merchantId: null, shopName: '', agentId: null, agentName: '' },
        link: `/admin/schedule/releaseTrain?id=${row.id}`,
      }))
    },
  },
]
