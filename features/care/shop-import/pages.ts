// The pages of this feature by path (D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { IMPORTS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/merchant/merchantImport',
    title: '批量导入',
    words: ['导入商户', '表格', 'Excel', '迁移', '换系统'],
    permission: 'shopImport.list',
    file: 'features/care/shop-import/ImportsPage.tsx',
    group: '商户管理',
    order: 7,
    list: '/api/shop-imports',
    search: asks<ListParams<typeof IMPORTS>>(),
  },
  {
    path: '/admin/merchant/merchantImportDetail',
    title: '导入详情',
    permission: 'shopImport.list',
    file: 'features/care/shop-import/ImportPage.tsx',
    group: '商户管理',
    under: '/admin/merchant/merchantImport',
    search: asks<{ id: number }>(),
  },
] as const satisfies readonly RoutePage[]
