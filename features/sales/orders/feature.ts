import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { orders as contract } from './contract.ts'
import { UNDO_DAYS } from './rules.ts'
import { ordersDownload } from './server-export.ts'
import { ordersRouter as router } from './server-list.ts'

export const feature = {
  contract,
  router,
  downloads: { list: ordersDownload },
  permissions: permissionNodes([
    [31, 3, 32, 'orders.list', '版本订单', '/admin/order/versionsOrder', '1'],
    [311, 31, 33, 'orders.remark', '修改订单备注', '/admin/order/versionsOrder#remark', '1'],
    [312, 31, 34, 'orders.export', '导出版本订单', '/admin/order/versionsOrderPrint', '1', false],
  ]),
  settings: [UNDO_DAYS],
  clearing: [{ table: 'version_orders', at: 'created_at', after: { hours: 48 }, only: `status = 'quoted'` }],
} satisfies Feature
