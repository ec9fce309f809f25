// The pages of this feature by path (D1 §2, D3 §2).
import { asks, type RoutePage } from '#kit/declare/pages.ts'

export const PAGES = [
  {
    path: '/admin/tool/order',
    title: '撤销订单',
    words: ['取消订单'],
    permission: 'aftersales.cancel',
    file: 'features/sales/aftersales/CancelOrderPage.tsx',
    group: '售后工具',
    order: 1,
    search: asks<{ search?: string }>(),
  },
  {
    path: '/admin/tool/version',
    title: '连锁关联',
    permission: 'aftersales.chain',
    file: 'features/sales/aftersales/ChainPage.tsx',
    group: '售后工具',
    order: 2,
    search: asks<{ search?: string }>(),
  },
  {
    path: '/admin/tool/merchantsToAdjust',
    title: '商户调整',
    permission: 'aftersales.adjust',
    file: 'features/sales/aftersales/AdjustPage.tsx',
    group: '售后工具',
    order: 3,
    // The shop of either adjustment.
    search: asks<{ search?: string; version?: string }>(),
  },
  {
    path: '/admin/tool/delay',
    title: '账户延期',
    permission: 'aftersales.extend',
    file: 'features/sales/aftersales/ExtendPage.tsx',
    group: '售后工具',
    order: 4,
    search: asks<{ search?: string }>(),
  },
] as const satisfies readonly RoutePage[]
