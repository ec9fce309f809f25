import { permissionNodes } from '#kit/permission.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { sms as contract } from './contract.ts'
import { SMS_PACKAGES } from './reference.ts'
import { smsRouter as router } from './server.ts'
import { smsChangesDownload } from './server-changes.ts'
import { smsEntriesDownload } from './server-entries.ts'
import { smsOrdersDownload } from './server-export.ts'
import { smsPackages } from './tables.ts'

export const feature = {
  contract,
  router,
  downloads: { changes: smsChangesDownload, merchantChanges: smsEntriesDownload, orders: smsOrdersDownload },
  permissions: permissionNodes([
    [226, 22, 16, 'sms.buy', '购买短信包', '/admin/merchant/merchantDetails#sms', '1', false],
    [229, 22, 17, 'sms.recall', '回收短信', '/admin/merchant/merchantDetails#recall', '1', false],
    [220, 22, 24, 'sms.gift', '赠送短信', '/admin/merchant/merchantDetails#gift', '1', false],
    [34, 3, 37, 'sms.orders', '短信订单', '/admin/order/msgOrder', '1', true],
    [341, 34, 38, 'sms.export', '导出短信订单', '/admin/order/msgOrder#export', '1', false],
    [36, 3, 39, 'sms.changes', '短信变动订单', '/admin/order/msgChanges', '1', true],
    [361, 36, 40, 'sms.changesExport', '导出短信变动订单', '/admin/order/msgChanges#export', '1', false],
    [45, 4, 55, 'sms.merchantChanges', '商户短信变动', '/admin/detail/merchantMsgChanges', '1', true],
    [
      451,
      45,
      56,
      'sms.merchantChangesExport',
      '导出商户短信变动',
      '/admin/detail/merchantMsgChanges#export',
      '1',
      false,
    ],
  ]),
  reference: [rowsOf(smsPackages, SMS_PACKAGES)],
} satisfies Feature
