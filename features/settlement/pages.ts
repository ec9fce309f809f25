// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/detail/billingDetails',
    title: '账单明细',
    words: ['撤销', '账单'],
    permission: 'settlement.bills',
    file: 'features/settlement/BillingDetailsPage.tsx',
    group: '结算中心',
    order: 1,
    list: '/api/settlement/bills',
  },
  {
    path: '/admin/detail/statement',
    title: '月度对账单',
    words: ['对账', '月结', '报表'],
    permission: 'settlement.statement',
    file: 'features/settlement/StatementPage.tsx',
    group: '结算中心',
    order: 3,
  },
  {
    path: '/admin/detail/subAgents',
    title: '下级代理',
    words: ['划拨', '代币'],
    permission: 'settlement.subAgents',
    file: 'features/settlement/SubAgentsPage.tsx',
    group: '结算中心',
    order: 4,
    list: '/api/settlement/sub-agents',
  },
]
