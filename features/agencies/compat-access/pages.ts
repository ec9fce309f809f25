// The pages of this feature by path.
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { COMPAT_USES } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/account/compatUses',
    title: '旧接口使用情况',
    words: ['旧接口', '兼容接口', 'AppLogin'],
    permission: 'compatAccess.uses',
    file: 'features/agencies/compat-access/CompatUsesPage.tsx',
    group: '账户管理',
    entry: '接口与回调',
    order: 15,
    list: '/api/compat-access/uses',
    search: asks<ListParams<typeof COMPAT_USES>>(),
  },
] as const satisfies readonly RoutePage[]
