// The pages of this feature by path (D1 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { EXPORTS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/account/exports',
    title: '导出任务',
    words: ['下载', '文件'],
    permission: 'session',
    file: 'features/overview/exports/ExportsPage.tsx',
    group: '账户管理',
    order: 6,
    list: '/api/exports',
    search: asks<ListParams<typeof EXPORTS>>(),
  },
] as const satisfies readonly RoutePage[]
