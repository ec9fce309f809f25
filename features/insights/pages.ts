// The pages of this feature by path.
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/insights/partners',
    title: '代理商排行',
    words: ['业绩', '增长', '沉睡'],
    permission: 'insights.partners',
    file: 'features/insights/RankingPage.tsx',
    group: '伙伴管理',
    order: 31,
    list: '/api/insights/partners',
  },
  {
    path: '/admin/insights/sales',
    title: '销售额明细',
    permission: 'insights.partners',
    under: '/admin/insights/partners',
    file: 'features/insights/SalesPage.tsx',
  },
  {
    path: '/admin/insights/cohorts',
    title: '留存',
    words: ['流失', '续费率', '同期群', '热力图'],
    permission: 'insights.cohorts',
    file: 'features/insights/CohortsPage.tsx',
    group: '伙伴管理',
    order: 32,
  },
  {
    path: '/admin/insights/renewals',
    title: '已续费的期限',
    words: ['续费明细'],
    permission: 'insights.cohorts',
    under: '/admin/insights/cohorts',
    file: 'features/insights/RenewalsPage.tsx',
    list: '/api/insights/renewals',
  },
  {
    path: '/admin/insights/income',
    title: '收入',
    words: ['计划', '目标', '达成'],
    permission: 'insights.income',
    file: 'features/insights/IncomePage.tsx',
    group: '伙伴管理',
    order: 33,
  },
  {
    path: '/admin/insights/funds',
    title: '资金',
    words: ['余额', '沉淀'],
    permission: 'insights.funds',
    file: 'features/insights/FundsPage.tsx',
    group: '伙伴管理',
    order: 34,
  },
]
