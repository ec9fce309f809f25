// The pages of this feature by path.
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type PublicPage, type RoutePage } from '#kit/declare/pages.ts'
import type { APPLICATIONS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/operations/applications',
    title: '合作申请',
    permission: 'partnerApplications.list',
    file: 'features/agencies/partner-applications/ApplicationsPage.tsx',
    group: '伙伴管理',
    entry: '合作申请',
    order: 12,
    list: '/api/partner-applications',
    search: asks<ListParams<typeof APPLICATIONS> & { application?: number }>(),
  },
] as const satisfies readonly RoutePage[]

export const PUBLIC_PAGES = [
  {
    prefix: '/partner/apply',
    title: '成为合作伙伴',
    file: 'features/agencies/partner-applications/ApplyPage.tsx',
  },
] as const satisfies readonly PublicPage[]
