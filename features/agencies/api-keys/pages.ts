// The pages of this feature by path.
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { KEYS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/account/apiKeys',
    title: '接口密钥',
    words: ['API', 'key', 'token', '对接', '开放接口', '程序'],
    permission: 'apiKeys.list',
    file: 'features/agencies/api-keys/ApiKeysPage.tsx',
    group: '账户管理',
    entry: '接口与回调',
    order: 13,
    list: '/api/api-keys',
    search: asks<ListParams<typeof KEYS>>(),
  },
] as const satisfies readonly RoutePage[]
