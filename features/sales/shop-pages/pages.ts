// The pages of this feature by path (D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type PublicPage, type RoutePage } from '#kit/declare/pages.ts'
import type { ONLINE_RENEWALS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/account/customization',
    title: '首页自定义',
    words: ['门店页面', '服务经理', '服务热线', '在线续费'],
    permission: 'shopPages.edit',
    file: 'features/sales/shop-pages/CustomizationPage.tsx',
    group: '账户管理',
    entry: '个人资料',
    order: 1.5,
    early: [{ address: '/api/shop-pages/settings', permission: 'shopPages.edit' }],
    search: asks<{ view?: 'offer' }>(),
  },
  {
    path: '/admin/order/onlineRenewals',
    title: '在线续费订单',
    words: ['自助续费', '门店续费'],
    permission: 'shopPages.renewals',
    file: 'features/sales/shop-pages/OnlineRenewalsPage.tsx',
    group: '订单管理',
    order: 5,
    list: '/api/shop-pages/renewals',
    search: asks<ListParams<typeof ONLINE_RENEWALS>>(),
  },
] as const satisfies readonly RoutePage[]

export const PUBLIC_PAGES = [
  { prefix: '/s/', title: '门店服务', file: 'features/sales/shop-pages/ShopPage.tsx' },
] as const satisfies readonly PublicPage[]
