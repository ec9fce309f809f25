// The pages of this feature by path (D1 §2, D3 §2).

import type { OVERDUE_MERCHANTS } from '#features/shops/merchants/fields.ts'
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { RENEWAL_DESK } from './fields.ts'
import type { DeskOrder, Window } from './rules.ts'

export const PAGES = [
  {
    path: '/admin/merchant/overdueMerchants',
    title: '过期商户',
    words: ['到期'],
    permission: 'merchants.overdue',
    file: 'features/care/renewals/OverdueMerchantsPage.tsx',
    group: '商户管理',
    order: 4,
    list: '/api/merchants/overdue',
    search: asks<ListParams<typeof OVERDUE_MERCHANTS> & { user_id?: number }>(),
  },
  {
    path: '/admin/merchant/renewals',
    title: '续费工作台',
    words: ['到期', '催费', '跟进'],
    permission: 'renewals.desk',
    file: 'features/care/renewals/RenewalDeskPage.tsx',
    group: '商户管理',
    order: 3,
    list: '/api/renewals?window=30',
    search: asks<
      ListParams<typeof RENEWAL_DESK> & { window?: Window; orderBy?: DeskOrder; user_id?: number }
    >(),
  },
] as const satisfies readonly RoutePage[]
