import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { priceDesk as contract } from './contract.ts'
import { priceDeskRouter as router } from './server.ts'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [681, 6, 81, 'priceDesk.prices', '价格', '/admin/operations/prices', '888'],
    [6811, 681, 82, 'priceDesk.setPrice', '设置价格', '/admin/operations/prices#set', 'none'],
    [682, 6, 83, 'priceDesk.discounts', '折扣', '/admin/operations/discounts', '888'],
    [6821, 682, 84, 'priceDesk.setDiscount', '设置折扣', '/admin/operations/discounts#set', 'none'],
    [684, 6, 84, 'priceDesk.levels', '等级变更', '/admin/operations/level-changes', '888'],
    [6841, 684, 85, 'priceDesk.setLevel', '变更等级', '/admin/operations/level-changes#set', 'none'],
    [683, 6, 85, 'priceDesk.campaigns', '促销', '/admin/operations/price-campaigns', '888'],
    [6831, 683, 86, 'priceDesk.setCampaign', '设置促销', '/admin/operations/price-campaigns#set', 'none'],
  ]),
} satisfies Feature
