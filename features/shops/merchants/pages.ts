// The pages of this feature by path (D1 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { MERCHANT_SOURCES, MY_MERCHANTS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/merchant/myMerchant',
    title: '我的商户',
    words: ['店铺', '门店', '客户'],
    permission: 'merchants.list',
    file: 'features/shops/merchants/MyMerchantsPage.tsx',
    group: '商户管理',
    order: 1,
    list: '/api/merchants',
    search: asks<ListParams<typeof MY_MERCHANTS> & { user_id?: number; x?: 1 | 2 }>(),
  },
  {
    path: '/admin/merchant/source',
    title: '商户来源',
    permission: 'merchants.source',
    file: 'features/shops/merchants/MerchantSourcePage.tsx',
    group: '商户管理',
    order: 6,
    list: '/api/merchants/source',
    search: asks<ListParams<typeof MERCHANT_SOURCES> & { user_id?: number }>(),
  },
  {
    path: '/admin/merchant/merchantDetails',
    title: '商户详情',
    permission: 'merchants.details',
    file: 'features/shops/merchants/MerchantDetailsPage.tsx',
    group: '商户管理',
    under: '/admin/merchant/myMerchant',
    search: asks<{ user_id: number }>(),
  },
] as const satisfies readonly RoutePage[]
