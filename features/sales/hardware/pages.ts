// The pages of this feature by path (D1 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { CATALOGUE, HARDWARE_ORDERS, SHOP } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/index/hardwareShop',
    title: '硬件商城',
    words: ['设备', '打印机'],
    permission: 'hardware.shop',
    file: 'features/sales/hardware/HardwareShopPage.tsx',
    group: '订单管理',
    entry: '硬件',
    order: 3.5,
    list: '/api/hardware/products',
    search: asks<ListParams<typeof SHOP>>(),
  },
  {
    path: '/admin/order/hardwareOrder',
    title: '硬件订单',
    words: ['设备', '发货', '物流'],
    permission: 'hardware.orders',
    file: 'features/sales/hardware/HardwareOrdersPage.tsx',
    group: '订单管理',
    entry: '硬件',
    order: 3,
    list: '/api/hardware/orders',
    search: asks<ListParams<typeof HARDWARE_ORDERS>>(),
  },
  {
    path: '/admin/operations/hardware',
    title: '硬件商品',
    permission: 'hardware.manage',
    file: 'features/sales/hardware/HardwareProductsPage.tsx',
    group: '价格与资料',
    order: 30,
    list: '/api/hardware/catalogue',
    search: asks<ListParams<typeof CATALOGUE>>(),
  },
] as const satisfies readonly RoutePage[]
