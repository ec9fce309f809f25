// The operator's own second factor.
import type { SetupStep } from '#server/ctx.ts'
import { readFactor } from './server-standing.ts'

export const setup: readonly SetupStep[] = [
  {
    key: 'factors.own',
    label: '本人的二次验证',
    for: 'operator',
    permission: 'session',
    order: 20,
    path: '/admin/account/security',
    async read(ctx) {
      const { has } = await readFactor(ctx.services, ctx.actor.accountId)
      return has
        ? { state: 'done', words: '已设置' }
        : { state: 'open', words: '运营账号能退款和充值：请用验证器或通行密钥再加一道。' }
    },
  },
]
