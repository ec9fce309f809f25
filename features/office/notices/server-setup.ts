// Whether an account has said of what it wants to be warned.
import { eq } from 'drizzle-orm'
import type { SetupStep } from '#server/ctx.ts'
import { noticeThresholds } from './tables.ts'

export const setup: readonly SetupStep[] = [
  {
    key: 'notices.alerts',
    label: '提醒',
    for: 'partner',
    permission: 'session',
    order: 50,
    optional: true,
    path: '/admin/account/notices',
    async read(ctx) {
      const [kept] = await ctx.db
        .select({ accountId: noticeThresholds.accountId })
        .from(noticeThresholds)
        .where(eq(noticeThresholds.accountId, ctx.actor.accountId))
      return kept
        ? { state: 'done', words: '已设置' }
        : { state: 'open', words: '余额和短信低于多少、商户还有几天到期时提醒您：现在用的是厂商的默认值。' }
    },
  },
]
