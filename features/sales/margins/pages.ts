// The pages of this feature by path.
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { MARGINS, SELLING_PRICES } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/detail/margins',
    title: '毛利',
    words: ['利润', '售价', '成本'],
    permission: 'margins.orders',
    file: 'features/sales/margins/MarginsPage.tsx',
    group: '结算中心',
    order: 5,
    list: '/api/margins/orders',
    search: asks<ListParams<typeof MARGINS> | (ListParams<typeof SELLING_PRICES> & { view: 'prices' })>(),
  },
] as const satisfies readonly RoutePage[]
