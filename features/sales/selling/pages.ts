// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/declare/pages.ts'

export const PAGES = [
  {
    path: '/admin/merchant/addUser',
    title: '新增商户',
    words: ['开户', '开店'],
    permission: 'selling.add',
    file: 'features/sales/selling/AddMerchantPage.tsx',
    group: '商户管理',
    order: 2,
  },
] as const satisfies readonly RoutePage[]
