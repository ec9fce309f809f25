// The pages of this feature by path.
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/insights/partners',
    title: '代理商排行',
    words: ['业绩', '增长', '沉睡'],
    permission: 'insights.partners',
    file: 'features/insights/RankingPage.tsx',
    group: '运营管理',
    order: 31,
    list: '/api/insights/partners',
  },
  {
    path: '/admin/insights/funds',
    title: '资金',
    words: ['余额', '沉淀'],
    permission: 'insights.funds',
    file: 'features/insights/FundsPage.tsx',
    group: '运营管理',
    order: 34,
  },
]
