// The pages of this feature by path.
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/detail/margins',
    title: '毛利',
    words: ['利润', '售价', '成本'],
    permission: 'margins.orders',
    file: 'features/margins/MarginsPage.tsx',
    group: '结算中心',
    order: 5,
    list: '/api/margins/orders',
  },
]
