import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { smsDesk as contract } from './contract.ts'
import { smsDeskRouter as router } from './server.ts'
import { smsChangesDownload } from './server-changes.ts'
import { smsEntriesDownload } from './server-entries.ts'
import { smsOrdersDownload } from './server-export.ts'

export const feature = {
  contract,
  router,
  downloads: { changes: smsChangesDownload, merchantChanges: smsEntriesDownload, orders: smsOrdersDownload },
  permissions: permissionNodes([
    [34, 3, 37, 'smsDesk.orders', '短信订单', '/admin/order/msgOrder', '1'],
    [341, 34, 38, 'smsDesk.export', '导出短信订单', '/admin/order/msgOrder#export', '1'],
    [36, 3, 39, 'smsDesk.changes', '短信变动订单', '/admin/order/msgChanges', '1'],
    [361, 36, 40, 'smsDesk.changesExport', '导出短信变动订单', '/admin/order/msgChanges#export', '1'],
    [45, 4, 55, 'smsDesk.merchantChanges', '商户短信变动', '/admin/detail/merchantMsgChanges', '1'],
    [
      451,
      45,
      56,
      'smsDesk.merchantChangesExport',
      '导出商户短信变动',
      '/admin/detail/merchantMsgChanges#export',
      '1',
    ],
  ]),
} satisfies Feature
