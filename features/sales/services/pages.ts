// The pages of this feature by path (D1 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { SERVICE_ORDERS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/merchant/addedServices',
    title: '增值服务',
    permission: 'services.buy',
    file: 'features/sales/services/AddedServicesPage.tsx',
    group: '商户管理',
    under: '/admin/merchant/myMerchant',
    search: asks<{ user_id: number; sv_us_name?: string; isStore?: boolean }>(),
  },
  {
    path: '/admin/order/appreciationOrder',
    title: '增值订单',
    permission: 'services.orders',
    file: 'features/sales/services/ServiceOrdersPage.tsx',
    group: '订单管理',
    order: 2,
    list: '/api/services/orders',
    search: asks<ListParams<typeof SERVICE_ORDERS>>(),
  },
] as const satisfies readonly RoutePage[]
