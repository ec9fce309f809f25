// The page of this feature by path.

import type { Period } from '#features/sales/settlement/rules.ts'
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { PROGRESS } from './fields.ts'
import type { TimesBy } from './rules.ts'

export const PAGES = [
  {
    path: '/admin/merchant/progress',
    title: '开通进度',
    words: ['支付申请', '收单进件', '进度', '超时', '提醒', '签约'],
    permission: 'acquiringProgress.list',
    file: 'features/acquiring/acquiring-progress/ProgressPage.tsx',
    group: '支付与小程序',
    entry: '开通进度',
    order: 5,
    list: '/api/acquiring-progress',
    search: asks<ListParams<typeof PROGRESS>>(),
  },
  {
    path: '/admin/merchant/progressTimes',
    title: '开通时效',
    words: ['支付申请', '收单进件', '开通天数', '驳回率'],
    permission: 'acquiringProgress.list',
    file: 'features/acquiring/acquiring-progress/TimesPage.tsx',
    under: '/admin/merchant/progress',
    search: asks<{ period?: Period; month?: string; by?: TimesBy }>(),
  },
] as const satisfies readonly RoutePage[]
