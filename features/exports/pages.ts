// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/account/exports',
    title: '导出任务',
    words: ['下载', '文件'],
    permission: 'session',
    file: 'features/exports/ExportsPage.tsx',
    group: '账户管理',
    order: 5,
    list: '/api/exports',
  },
]
