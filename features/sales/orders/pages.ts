// The pages of this feature by path (D1 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { VERSION_ORDERS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/order/versionsOrder',
    title: '版本订单',
    words: ['购买记录', '续费记录'],
    permission: 'orders.list',
    file: 'features/sales/orders/VersionOrdersPage.tsx',
    group: '订单管理',
    order: 1,
    list: '/api/orders',
    search: asks<ListParams<typeof VERSION_ORDERS>>(),
  },
] as const satisfies readonly RoutePage[]
