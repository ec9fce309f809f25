import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { shopPages as contract } from './contract.ts'
import { PICTURES, type PicturePurpose, SHOP_PICTURE_KB } from './rules.ts'
import { shopPagesRouter as router } from './server.ts'
import { paidRenewal } from './server-orders.ts'
import { renewalsDownload } from './server-renewals.ts'
import { workOnRenewals } from './server-work.ts'

const picture = (purpose: PicturePurpose) => ({
  permission: 'shopPages.edit',
  log: '上传门店首页图片',
  shared: false,
  public: true as const,
  most: SHOP_PICTURE_KB,
  side: PICTURES[purpose].side,
  usedBy: [{ table: 'shop_page_pictures', column: 'file_id' }],
})

export const feature = {
  settings: [SHOP_PICTURE_KB],
  contract,
  router,
  downloads: { renewals: renewalsDownload },
  permissions: permissionNodes([
    [595, 5, 86, 'shopPages.edit', '首页自定义', '/admin/account/customization', '1'],
    [596, 595, 87, 'shopPages.offer', '在线续费设置', '/admin/account/customization#offer', '1'],
    [233, 22, 26, 'shopPages.link', '门店页面链接', '/admin/merchant/merchantDetails#page', '1'],
    [37, 3, 45, 'shopPages.renewals', '在线续费订单', '/admin/order/onlineRenewals', '1'],
    [371, 37, 46, 'shopPages.refund', '在线续费退款', '/admin/order/onlineRenewals#refund', '1'],
    [372, 37, 46, 'shopPages.renewalsExport', '导出在线续费订单', '/admin/order/onlineRenewals#export', '1'],
  ]),
  files: {
    shopPageIcon: picture('shopPageIcon'),
    shopPagePicture: picture('shopPagePicture'),
  },
  paid: { renewal: paidRenewal },
  loops: { onlineRenewals: { everyMs: 2_000, afterMs: 0, work: workOnRenewals } },
  clearing: [{ table: 'shop_sessions', at: 'expires_at' }],
} satisfies Feature
