// The pages of this feature by path.
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { BATCHES } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/order/renewalBatches',
    title: '批量续费',
    words: ['批次', '撤销批量续费'],
    permission: 'orders.list',
    file: 'features/sales/order-details/BatchesPage.tsx',
    group: '订单管理',
    under: '/admin/order/versionsOrder',
    list: '/api/orders/batches',
    search: asks<ListParams<typeof BATCHES>>(),
  },
  {
    path: '/admin/order/$orderNo',
    title: '订单详情',
    permission: 'session',
    file: 'features/sales/order-details/OrderPage.tsx',
    group: '订单管理',
  },
] as const satisfies readonly RoutePage[]
