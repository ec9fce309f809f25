// The pages of this feature by path (D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { OPERATION_LOG } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/account/operationLog',
    title: '操作日志',
    words: ['日志', '记录', '谁改的', '审计'],
    permission: 'operationLog.list',
    refusedTo: 'home',
    file: 'features/overview/operation-log/OperationLogPage.tsx',
    group: '账户管理',
    order: 12,
    list: '/api/operation-log',
    search: asks<ListParams<typeof OPERATION_LOG>>(),
  },
] as const satisfies readonly RoutePage[]
