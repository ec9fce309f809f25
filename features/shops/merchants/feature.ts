import { eq } from 'drizzle-orm'
import { permissionNodes } from '#kit/declare/permission.ts'
import type { EditedTable } from '#server/ctx.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { merchants as contract } from './contract.ts'
import { INDUSTRIES, OFFERED_METHODS, PAYMENT_METHODS } from './reference.ts'
import { merchantsRouter as router } from './server.ts'
import { merchantsDownload, overdueDownload } from './server-export.ts'
import { refuseHeldFields } from './server-payment.ts'
import { sourceDownload } from './server-source.ts'
import { agentPaymentMethods, industries, merchants, paymentMethods } from './tables.ts'

const INDUSTRY_TABLE: EditedTable = {
  key: 'industries',
  title: '行业',
  about: '商户的行业类型，新增和编辑商户时选择。',
  table: industries,
  id: industries.id,
  named: 'name',
  fields: { name: { kind: 'text', label: '行业名称', max: 20, required: true } },
  adds: true,
  orders: true,
  retires: true,
  imports: true,
  uses: [{ what: '商户', counted: '家', column: merchants.industryId }],
}

const METHOD_TABLE: EditedTable = {
  key: 'payment-methods',
  title: '收款方式',
  about: '商户的收款方式和各自需要填写的参数；保密的参数加密保存，不再显示。',
  table: paymentMethods,
  id: paymentMethods.id,
  named: 'name',
  fields: {
    name: { kind: 'text', label: '名称', max: 20, required: true },
    fields: {
      kind: 'text',
      label: '参数',
      hint: '已有商户填写的参数不能删除',
      lines: {
        by: 'key',
        most: 20,
        fields: {
          key: {
            label: '字段名',
            kind: 'text',
            max: 40,
            pattern: '^[A-Za-z][A-Za-z0-9_]*$',
            patternWords: '只能是字母、数字和下划线，以字母开头',
          },
          label: { label: '显示名称', kind: 'text', max: 20 },
          required: { label: '必填', kind: 'flag' },
          secret: { label: '保密', kind: 'flag' },
        },
      },
    },
  },
  adds: true,
  orders: true,
  retires: true,
  uses: [
    { what: '商户', counted: '家', column: merchants.paymentMethodId },
    { what: '已分配', counted: '次', column: agentPaymentMethods.paymentMethodId },
  ],
  refuse: refuseHeldFields,
}

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
  edited: [INDUSTRY_TABLE, METHOD_TABLE],
  districts: [{ what: '商户', counted: '家', column: merchants.districtCode }],
  configured: [
    {
      key: 'offered-methods',
      title: '默认收款方式',
      table: agentPaymentMethods,
      id: agentPaymentMethods.paymentMethodId,
      named: ({ paymentMethodId }, nameIn) => nameIn('payment-methods', paymentMethodId),
      leaves: { agentId: 0 },
      carried: eq(agentPaymentMethods.agentId, 0),
      left: '单独分配给某家代理商的收款方式不随文件带出',
      labels: { paymentMethodId: '收款方式' },
    },
  ],
} satisfies Feature
