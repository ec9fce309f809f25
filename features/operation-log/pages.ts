// The pages of this feature by path (D3 §2).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/account/operationLog',
    title: '操作日志',
    words: ['日志', '记录', '谁改的', '审计'],
    permission: 'operationLog.list',
    refusedTo: 'home',
    file: 'features/operation-log/OperationLogPage.tsx',
    group: '账户管理',
    order: 12,
    list: '/api/operation-log',
  },
]
