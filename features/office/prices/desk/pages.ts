// The pages of this feature by path.
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { DISCOUNTS, LEVEL_CHANGES, PRICE_CAMPAIGNS, PRICES } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/operations/prices',
    title: '价格',
    words: ['涨价', '降价', '调价', '定价', '最低价'],
    permission: 'priceDesk.prices',
    file: 'features/office/prices/desk/PricesPage.tsx',
    group: '价格与资料',
    entry: '价格与折扣',
    order: 21,
    list: '/api/prices',
    search: asks<ListParams<typeof PRICES>>(),
  },
  {
    path: '/admin/operations/discounts',
    title: '折扣',
    words: ['代理商等级', '等级折扣'],
    permission: 'priceDesk.discounts',
    file: 'features/office/prices/desk/DiscountsPage.tsx',
    group: '价格与资料',
    entry: '价格与折扣',
    order: 22,
    list: '/api/discounts',
    search: asks<ListParams<typeof DISCOUNTS>>(),
  },
  {
    path: '/admin/operations/level-changes',
    title: '等级变更',
    words: ['代理商等级', '升级', '降级'],
    permission: 'priceDesk.levels',
    file: 'features/office/prices/desk/LevelChangesPage.tsx',
    group: '价格与资料',
    entry: '价格与折扣',
    order: 24,
    list: '/api/agent-level-changes',
    search: asks<ListParams<typeof LEVEL_CHANGES>>(),
  },
  {
    path: '/admin/operations/price-campaigns',
    title: '促销',
    words: ['活动', '首购', '特价'],
    permission: 'priceDesk.campaigns',
    file: 'features/office/prices/desk/CampaignsPage.tsx',
    group: '价格与资料',
    entry: '价格与折扣',
    order: 23,
    list: '/api/price-campaigns',
    search: asks<ListParams<typeof PRICE_CAMPAIGNS>>(),
  },
] as const satisfies readonly RoutePage[]
