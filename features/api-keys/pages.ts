// The pages of this feature by path.
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/account/apiKeys',
    title: '接口密钥',
    words: ['API', 'key', 'token', '对接', '开放接口', '程序'],
    permission: 'apiKeys.list',
    file: 'features/api-keys/ApiKeysPage.tsx',
    group: '账户管理',
    order: 13,
    list: '/api/api-keys',
  },
]
