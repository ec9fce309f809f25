// Where shops log in to what they bought, as they are told when one is handed over.
import type { SetupStep } from '#server/ctx.ts'

export const setup: readonly SetupStep[] = [
  {
    key: 'shop-access.loginUrl',
    label: '商户登录地址',
    for: 'operator',
    permission: 'partners.manage',
    order: 85,
    optional: true,
    path: null,
    async read({ services }) {
      const { shopLoginUrl } = services.env
      if (shopLoginUrl !== undefined) return { state: 'done', words: shopLoginUrl }
      return {
        state: 'open',
        words: '开店资料里没有登录地址，店主不知道在哪里登录。',
        settings: [
          {
            name: 'SHOP_LOGIN_URL',
            meaning: '商户登录所购软件的地址，开店资料里显示',
            example: 'https://pos.example.com/login',
          },
        ],
      }
    },
  },
]
