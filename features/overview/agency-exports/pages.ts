// The pages of this feature by path.
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { AGENCY_EXPORTS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/operations/agency-exports',
    title: '数据移交',
    words: ['代理商离开', '导出全部数据', '带走数据', '移交证明'],
    permission: 'agencyExports.manage',
    file: 'features/overview/agency-exports/AgencyExportsPage.tsx',
    group: '伙伴管理',
    entry: '合作申请',
    order: 14,
    list: '/api/agency-exports',
    search: asks<ListParams<typeof AGENCY_EXPORTS> & { agent?: number }>(),
  },
] as const satisfies readonly RoutePage[]
