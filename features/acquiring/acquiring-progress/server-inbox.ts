// Shops that have their turn longer than a reminder is apart, and were not reminded since: what no other feature lists.
import { and, eq, inArray, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { STEPS } from './rules.ts'
import { acquiringProgress as progress } from './tables.ts'

const OVERDUE = sql.raw(`interval '${STEPS.ownerFilling.hours} hours'`)

export const inbox: readonly InboxSource[] = [
  {
    key: 'acquiring-progress.remind',
    label: '提醒店主填写资料',
    folded: '家店主待提醒填写资料',
    permission: 'acquiringProgress.list',
    decides: 'acquiringProgress.remind',
    for: 'partner',
    table: progress,
    id: progress.id,
    since: progress.since,
    // Those that are to sign stand there already (`onboardings.sign`).
    waits: ({ own, now }) =>
      and(
        own(progress.agentId),
        isWord(progress.turn, 'shop'),
        isWord(progress.step, 'ownerFilling'),
        sql`${progress.since} < ${now}::timestamptz - ${OVERDUE}`,
        sql`coalesce(${progress.remindedAt}, ${progress.since}) < ${now}::timestamptz - ${OVERDUE}`,
      ),
    async shown(ctx, ids) {
      const rows = await ctx.db
        .select({
          id: progress.id,
          merchantId: progress.merchantId,
          shopName: merchants.shopName,
          agentId: progress.agentId,
          agentName: agents.companyName,
        })
        .from(progress)
        .innerJoin(merchants, eq(merchants.id, progress.merchantId))
        .innerJoin(agents, eq(agents.id, progress.agentId))
        .where(inArray(progress.id, [...ids]))
      return rows.map(row => ({
        ...row,
        title: row.shopName,
        detail: '店主超过承诺时间没有提交资料，可以短信提醒',
        link: `/admin/merchant/progress?turn=shop&search=${row.merchantId}`,
      }))
    },
  },
]
