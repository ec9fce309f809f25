// The pages of this feature by path (D1 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type PublicPage, type RoutePage } from '#kit/declare/pages.ts'
import type { CONSULTATIONS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/operations/consultations',
    title: '官网咨询',
    permission: 'consultations.list',
    file: 'features/support/consultations/ConsultationsPage.tsx',
    group: '伙伴管理',
    order: 3,
    list: '/api/consultations',
    search: asks<ListParams<typeof CONSULTATIONS>>(),
  },
] as const satisfies readonly RoutePage[]

export const PUBLIC_PAGES = [
  { prefix: '/consult', title: '产品咨询', file: 'features/support/consultations/ConsultPage.tsx' },
] as const satisfies readonly PublicPage[]
