import { permissionNodes } from '#kit/permission.ts'
import type { Feature } from '#server/feature.ts'
import { hardware as contract } from './contract.ts'
import { jobs } from './jobs.ts'
import { hardwareRouter as router } from './server.ts'
import { hardwareOrdersDownload } from './server-export.ts'

export const feature = {
  contract,
  router,
  downloads: { orders: hardwareOrdersDownload },
  permissions: permissionNodes([
    [35, 3, 41, 'hardware.shop', '硬件商城', '/admin/index/hardwareShop', '1'],
    [33, 3, 42, 'hardware.orders', '硬件订单', '/admin/order/hardwareOrder', '1'],
    [331, 33, 43, 'hardware.ship', '硬件发货', '/admin/order/hardwareOrder#ship', '888'],
    [332, 33, 44, 'hardware.receive', '确认收货', '/admin/order/hardwareOrder#receive', '1'],
    [333, 33, 45, 'hardware.export', '导出硬件订单', '/admin/order/hardwareOrder#export', '1'],
    [63, 6, 76, 'hardware.manage', '硬件商品', '/admin/operations/hardware', '888'],
  ]),
  jobs,
  files: {
    product: {
      permission: 'hardware.manage',
      log: '上传商品图片',
      shared: true,
      usedBy: [{ table: 'hardware_products', column: 'picture_id' }],
    },
  },
} satisfies Feature
