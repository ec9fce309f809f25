// The pages of this feature by path.
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { ITEMS, VERSIONS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/operations/versions',
    title: '版本管理',
    words: ['软件版本', '停售', '授权', '功能'],
    permission: 'catalogue.versions',
    file: 'features/sales/catalogue/VersionsPage.tsx',
    group: '价格与资料',
    order: 19,
    list: '/api/catalogue/versions',
    search: asks<ListParams<typeof VERSIONS>>(),
  },
  {
    path: '/admin/operations/items',
    title: '服务与套餐',
    words: ['增值服务', '短信包', '充值套餐', '停售', '分类'],
    permission: 'catalogue.items',
    file: 'features/sales/catalogue/ItemsPage.tsx',
    group: '价格与资料',
    order: 20,
    list: '/api/catalogue/items',
    search: asks<ListParams<typeof ITEMS> | { view: 'groups' }>(),
  },
  {
    path: '/admin/operations/versionParts',
    title: '功能与版本调整',
    permission: 'catalogue.versions',
    file: 'features/sales/catalogue/PartsPage.tsx',
    group: '价格与资料',
    under: '/admin/operations/versions',
  },
] as const satisfies readonly RoutePage[]
