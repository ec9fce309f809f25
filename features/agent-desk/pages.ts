// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/merchant/secondary',
    title: '下级商户',
    permission: 'agentDesk.secondary',
    file: 'features/agent-desk/SecondaryMerchantsPage.tsx',
    group: '商户管理',
    order: 5,
    list: '/api/merchants/secondary',
  },
]
