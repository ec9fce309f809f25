import { PAY_METHODS } from '#features/ledger/rules.ts'
import type { DownloadIn } from '#kit/op.ts'
import type { Ctx } from '#server/ctx.ts'
import { chosenColumns, type ExportPlan, type NamedColumn, serveDownload } from '#server/export.ts'
import { ORDER_EXPORT_COLUMNS, servicesDownloads } from './contract.ts'
import { SERVICE_ORDER_STATES } from './rules.ts'
import { ROW, selectForExport } from './server-list.ts'

type Key = (typeof ORDER_EXPORT_COLUMNS)[number]

const COLUMNS: Record<Key, NamedColumn> = {
  orderNo: { header: '订单号', kind: 'text', width: 24 },
  merchantId: { header: '商户ID', kind: 'integer', width: 12 },
  shopName: { header: '店铺名称', kind: 'text', width: 28 },
  unitCents: { header: '单价（代币）', kind: 'cents', width: 14 },
  quantity: { header: '数量', kind: 'integer' },
  totalCents: { header: '总代币', kind: 'cents', width: 14 },
  paidAt: { header: '支付时间', kind: 'time', width: 20 },
  serviceName: { header: '服务类型', kind: 'text', width: 18 },
  payMethod: { header: '支付方式', kind: 'text', width: 12, names: PAY_METHODS },
  createdByName: { header: '操作人', kind: 'text', width: 12 },
  remark: { header: '备注', kind: 'text', width: 28 },
  state: { header: '支付状态', kind: 'text', width: 14, names: SERVICE_ORDER_STATES },
  agentName: { header: '代理商', kind: 'text', width: 24 },
}

export const serviceOrdersDownload = serveDownload(servicesDownloads.orders, planExport)

async function planExport(ctx: Ctx, input: DownloadIn<typeof servicesDownloads.orders>): Promise<ExportPlan> {
  const { columns, ...filters } = input
  const file = { row: ROW, columns: COLUMNS, all: ORDER_EXPORT_COLUMNS }
  return { ...(await selectForExport(ctx, filters)), ...chosenColumns(file, columns) }
}
