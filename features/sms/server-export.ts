import { PAY_METHODS } from '#features/ledger/rules.ts'
import type { DownloadIn } from '#kit/op.ts'
import type { Ctx } from '#server/ctx.ts'
import { chosenColumns, type ExportPlan, type NamedColumn, serveDownload } from '#server/export.ts'
import { ORDER_EXPORT_COLUMNS, smsDownloads } from './contract.ts'
import { SMS_ORDER_KINDS, SMS_ORDER_STATUSES } from './rules.ts'
import { ROW, selectForExport } from './server-list.ts'

type Key = (typeof ORDER_EXPORT_COLUMNS)[number]

const COLUMNS: Record<Key, NamedColumn> = {
  orderNo: { header: '订单号', kind: 'text', width: 24 },
  merchantId: { header: '商户ID', kind: 'integer', width: 12 },
  shopName: { header: '店铺名称', kind: 'text', width: 28 },
  kind: { header: '类型', kind: 'text', width: 12, names: SMS_ORDER_KINDS },
  name: { header: '套餐名称', kind: 'text', width: 18 },
  smsBefore: { header: '操作前条数', kind: 'integer', width: 12 },
  pieces: { header: '短信条数', kind: 'integer', width: 12 },
  smsAfter: { header: '操作后条数', kind: 'integer', width: 12 },
  totalCents: { header: '金额（代币；充值为元）', kind: 'cents', width: 14 },
  createdAt: { header: '时间', kind: 'time', width: 20 },
  payMethod: { header: '支付方式', kind: 'text', width: 12, names: PAY_METHODS },
  status: { header: '状态', kind: 'text', width: 12, names: SMS_ORDER_STATUSES },
  createdByName: { header: '操作人', kind: 'text', width: 12 },
  remark: { header: '备注', kind: 'text', width: 28 },
  agentName: { header: '代理商', kind: 'text', width: 24 },
}

export const smsOrdersDownload = serveDownload(smsDownloads.orders, planExport)

async function planExport(ctx: Ctx, input: DownloadIn<typeof smsDownloads.orders>): Promise<ExportPlan> {
  const { columns, ...filters } = input
  const file = { row: ROW, columns: COLUMNS, all: ORDER_EXPORT_COLUMNS }
  return { ...(await selectForExport(ctx, filters)), ...chosenColumns(file, columns) }
}
