// The pages of this feature by path.
import type { PublicPage, RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/operations/applications',
    title: '合作申请',
    permission: 'partnerApplications.list',
    file: 'features/partner-applications/ApplicationsPage.tsx',
    group: '伙伴管理',
    order: 12,
    list: '/api/partner-applications',
  },
]

export const PUBLIC_PAGES = [
  { prefix: '/partner/apply', title: '成为合作伙伴', file: 'features/partner-applications/ApplyPage.tsx' },
] as const satisfies readonly PublicPage[]
