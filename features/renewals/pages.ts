// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/merchant/overdueMerchants',
    title: '过期商户',
    words: ['到期'],
    permission: 'merchants.overdue',
    file: 'features/renewals/OverdueMerchantsPage.tsx',
    group: '商户管理',
    order: 4,
    list: '/api/merchants/overdue',
  },
  {
    path: '/admin/merchant/renewals',
    title: '续费工作台',
    words: ['到期', '催费', '跟进'],
    permission: 'renewals.desk',
    file: 'features/renewals/RenewalDeskPage.tsx',
    group: '商户管理',
    order: 3,
    list: '/api/renewals?window=30',
  },
]
