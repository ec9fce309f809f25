import { permissionNodes } from '#kit/permission.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { merchants as contract } from './contract.ts'
import { INDUSTRIES, OFFERED_METHODS, PAYMENT_METHODS } from './reference.ts'
import { merchantsRouter as router } from './server.ts'
import { merchantsDownload, overdueDownload } from './server-export.ts'
import { sourceDownload } from './server-source.ts'
import { agentPaymentMethods, industries, paymentMethods } from './tables.ts'

export const feature = {
  contract,
  router,
  downloads: { list: merchantsDownload, overdue: overdueDownload, source: sourceDownload },
  permissions: permissionNodes([
    [22, 2, 5, 'merchants.list', '我的商户', '/admin/merchant/myMerchant', '1'],
    [23, 2, 7, 'merchants.overdue', '过期商户', '/admin/merchant/overdueMerchants', '1'],
    [28, 2, 9, 'merchants.source', '商户来源', '/admin/merchant/source', 'none'],
    [24, 2, 10, 'merchants.details', '商户详情', '/admin/merchant/merchantDetails', '1', false],
    [221, 22, 11, 'merchants.edit', '编辑商户', '/admin/merchant/merchantDetails#edit', '1'],
    [222, 22, 12, 'merchants.status', '启用禁用', '/admin/merchant/merchantDetails#status', '1'],
    [223, 22, 13, 'merchants.export', '导出商户', '/admin/merchant/myMerchant#export', '1'],
    [232, 23, 24, 'merchants.overdueExport', '导出过期商户', '/admin/merchant/overdueMerchants#export', '1'],
    [281, 28, 23, 'merchants.sourceExport', '导出商户来源', '/admin/merchant/source#export', 'none'],
  ]),
  reference: [
    rowsOf(industries, INDUSTRIES),
    rowsOf(paymentMethods, PAYMENT_METHODS),
    rowsOf(agentPaymentMethods, OFFERED_METHODS),
  ],
} satisfies Feature
