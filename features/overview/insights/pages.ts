// The pages of this feature by path.
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { RANKING, RENEWED } from './fields.ts'
import type { CohortMeasure, CohortUnit, IncomeKind } from './rules.ts'

export const PAGES = [
  {
    path: '/admin/insights/partners',
    title: '代理商排行',
    words: ['业绩', '增长', '沉睡'],
    permission: 'insights.partners',
    file: 'features/overview/insights/RankingPage.tsx',
    group: '伙伴管理',
    entry: '经营分析',
    order: 31,
    list: '/api/insights/partners',
    search: asks<ListParams<typeof RANKING>>(),
  },
  {
    path: '/admin/insights/sales',
    title: '销售额明细',
    permission: 'insights.partners',
    under: '/admin/insights/partners',
    file: 'features/overview/insights/SalesPage.tsx',
    search: asks<{
      agentId?: number
      from?: string
      to?: string
      beforeFrom?: string
      beforeTo?: string
    }>(),
  },
  {
    path: '/admin/insights/cohorts',
    title: '留存',
    words: ['流失', '续费率', '同期群', '热力图'],
    permission: 'insights.cohorts',
    file: 'features/overview/insights/CohortsPage.tsx',
    group: '伙伴管理',
    entry: '经营分析',
    order: 32,
    search: asks<{
      measure?: CohortMeasure
      unit?: CohortUnit
      rows?: number
      versionId?: number
      agentId?: number
    }>(),
  },
  {
    path: '/admin/insights/renewals',
    title: '已续费的期限',
    words: ['续费明细'],
    permission: 'insights.cohorts',
    under: '/admin/insights/cohorts',
    file: 'features/overview/insights/RenewalsPage.tsx',
    list: '/api/insights/renewals',
    search: asks<ListParams<typeof RENEWED>>(),
  },
  {
    path: '/admin/insights/income',
    title: '收入',
    words: ['计划', '目标', '达成'],
    permission: 'insights.income',
    file: 'features/overview/insights/IncomePage.tsx',
    group: '伙伴管理',
    entry: '经营分析',
    order: 33,
    search: asks<{ year?: number; kind?: IncomeKind }>(),
  },
  {
    path: '/admin/insights/funds',
    title: '资金',
    words: ['余额', '沉淀'],
    permission: 'insights.funds',
    file: 'features/overview/insights/FundsPage.tsx',
    group: '伙伴管理',
    entry: '经营分析',
    order: 34,
    search: asks<{ levelId?: number }>(),
  },
] as const satisfies readonly RoutePage[]
