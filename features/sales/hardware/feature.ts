import { sql } from 'drizzle-orm'
import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { hardware as contract } from './contract.ts'
import { PRODUCT_FIELDS } from './fields.ts'
import { jobs } from './jobs.ts'
import { hardwareRouter as router } from './server.ts'
import { hardwareOrdersDownload } from './server-export.ts'
import { inbox } from './server-inbox.ts'
import { hardwareProducts } from './tables.ts'

export const feature = {
  contract,
  router,
  inbox,
  downloads: { orders: hardwareOrdersDownload },
  permissions: permissionNodes([
    [35, 3, 41, 'hardware.shop', '硬件商城', '/admin/index/hardwareShop', '1'],
    [33, 3, 42, 'hardware.orders', '硬件订单', '/admin/order/hardwareOrder', '1'],
    [331, 33, 43, 'hardware.ship', '硬件发货', '/admin/order/hardwareOrder#ship', '888'],
    [332, 33, 44, 'hardware.receive', '确认收货', '/admin/order/hardwareOrder#receive', '1'],
    [333, 33, 45, 'hardware.export', '导出硬件订单', '/admin/order/hardwareOrder#export', '1'],
    [63, 6, 76, 'hardware.manage', '硬件商品', '/admin/operations/hardware', '888'],
  ]),
  configured: [
    {
      key: 'hardware',
      title: '硬件商品',
      table: hardwareProducts,
      id: hardwareProducts.id,
      named: 'name',
      leaves: { stock: 0, pictureId: null, revision: 1, createdAt: sql`now()` },
      left: '库存和图片不随文件带出；导入时新增的商品库存为 0',
      fields: PRODUCT_FIELDS,
    },
  ],
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
