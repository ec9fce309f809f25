// The pages of this feature by path.
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { CAUSES } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/schedule/payRefusals',
    title: '驳回分析',
    words: ['支付申请', '驳回原因', '更正建议'],
    permission: 'refusals.list',
    file: 'features/acquiring/refusals/CausesPage.tsx',
    group: '支付与小程序',
    entry: '开通进度',
    order: 6,
    list: '/api/application-refusals',
    search: asks<ListParams<typeof CAUSES> & { id?: number }>(),
  },
] as const satisfies readonly RoutePage[]
