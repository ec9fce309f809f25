// Which slide puzzle stands before codes and logins.
import type { SetupStep } from '#server/ctx.ts'

export const setup: readonly SetupStep[] = [
  {
    key: 'captcha.puzzle',
    label: '滑动验证',
    for: 'operator',
    permission: 'partners.manage',
    order: 60,
    optional: true,
    path: null,
    async read({ services }) {
      const { by, needs } = services.providers.connections.captcha
      return by === 'settings'
        ? { state: 'done', words: '已接入第三方滑动验证' }
        : { state: 'done', words: '使用自带的滑动拼图，不用设置；也可以换成极验或腾讯', settings: needs }
    },
  },
]
