// The pages of this feature by path (D1 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { BILLS, SUB_AGENTS, UNDO_REQUESTS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/detail/billingDetails',
    title: '账单明细',
    words: ['撤销', '账单'],
    permission: 'settlement.bills',
    file: 'features/sales/settlement/BillingDetailsPage.tsx',
    group: '结算中心',
    entry: '账单明细',
    order: 1,
    list: '/api/settlement/bills',
    search: asks<ListParams<typeof BILLS> | (ListParams<typeof UNDO_REQUESTS> & { view: 'requests' })>(),
  },
  {
    path: '/admin/detail/statement',
    title: '月度对账单',
    words: ['对账', '月结', '报表'],
    permission: 'settlement.statement',
    file: 'features/sales/settlement/StatementPage.tsx',
    group: '结算中心',
    entry: '账单明细',
    order: 1.5,
    search: asks<{ month?: string; agentId?: number }>(),
  },
  {
    path: '/admin/detail/subAgents',
    title: '下级代理',
    words: ['划拨', '代币'],
    permission: 'settlement.subAgents',
    file: 'features/sales/settlement/SubAgentsPage.tsx',
    group: '结算中心',
    order: 4,
    list: '/api/settlement/sub-agents',
    search: asks<ListParams<typeof SUB_AGENTS>>(),
  },
] as const satisfies readonly RoutePage[]
