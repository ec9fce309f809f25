// Whether a partner is paid on its own account.
import { and, eq, isNull } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import type { SetupStep } from '#server/ctx.ts'
import { paymentSettings } from './tables.ts'

export const setup: readonly SetupStep[] = [
  {
    key: 'payment-settings.account',
    label: '收款账号',
    for: 'partner',
    permission: 'paymentSettings.manage',
    order: 30,
    optional: true,
    path: '/admin/account/settingPayFor',
    async read(ctx) {
      const { agentId } = ctx.actor
      const [own] = await ctx.db
        .select({ payEnabled: agents.payEnabled })
        .from(agents)
        .where(eq(agents.id, agentId))
      if (!own?.payEnabled)
        return {
          state: 'open',
          words: '厂商还没有为贵公司开通在线收款；需要门店自助续费时，请联系厂商开通。',
          path: null,
        }
      const [kept] = await ctx.db
        .select({ enabled: paymentSettings.enabled, result: paymentSettings.checkResult })
        .from(paymentSettings)
        .where(and(eq(paymentSettings.agentId, agentId), isNull(paymentSettings.replacedAt)))
        .limit(1)
      if (!kept) return { state: 'open', words: '填写自己的商户号，门店续费的钱直接到您的账户。' }
      return kept.enabled
        ? { state: 'done', words: '已启用' }
        : { state: 'open', words: '已填写，还没有启用：请先检测，再启用。' }
    },
  },
]
