// Whom partners call for help, as the login page says it.
import type { SetupStep } from '#server/ctx.ts'

export const setup: readonly SetupStep[] = [
  {
    key: 'sign-in.helpLine',
    label: '服务热线',
    for: 'operator',
    permission: 'partners.manage',
    order: 12,
    optional: true,
    path: null,
    async read({ services }) {
      const { helpLine } = services.env
      if (helpLine !== undefined) return { state: 'done', words: `登录页显示 ${helpLine}` }
      return {
        state: 'open',
        words: '登录页没有服务热线，忘记密码的人不知道找谁。',
        settings: [
          { name: 'HELP_LINE', meaning: '服务热线和时间，登录页显示', example: '400-000-0000（9:00-18:00）' },
        ],
      }
    },
  },
]
