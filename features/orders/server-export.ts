// What is filtered in the list of version orders, as a file with the columns that the list shows.
import { PAY_METHODS } from '#features/ledger/rules.ts'
import { chosenColumns, type NamedColumn, serveDownload } from '#server/export.ts'
import { orderDownloads } from './contract.ts'
import { ORDER_STATUSES, SALES_TYPES } from './rules.ts'
import { ORDER_ROW, orderList, ordersForExport } from './server-rows.ts'

const COLUMNS = {
  orderNo: { header: '订单号', kind: 'text', width: 26 },
  merchantId: { header: '商户ID', kind: 'integer', width: 12 },
  shopName: { header: '店铺名称', kind: 'text', width: 28 },
  account: { header: '账号', kind: 'text', width: 14 },
  content: { header: '订单内容', kind: 'text', width: 36 },
  versionName: { header: '软件版本', kind: 'text', width: 14 },
  payMethod: { header: '支付方式', kind: 'text', width: 12, names: PAY_METHODS },
  originalCents: { header: '原价', kind: 'cents', width: 14 },
  totalCents: { header: '结算', kind: 'cents', width: 14 },
  status: { header: '订单状态', kind: 'text', width: 12, names: ORDER_STATUSES },
  salesType: { header: '销售类型', kind: 'text', width: 10, names: SALES_TYPES },
  managerName: { header: '客户经理/客服', kind: 'text', width: 14 },
  actorName: { header: '操作人', kind: 'text', width: 12 },
  remark: { header: '备注', kind: 'text', width: 28 },
  registeredAt: { header: '注册时间', kind: 'time', width: 20 },
  paidAt: { header: '支付时间', kind: 'time', width: 20 },
  createdAt: { header: '下单时间', kind: 'time', width: 20 },
  agentName: { header: '代理商', kind: 'text', width: 24 },
} satisfies Partial<Record<keyof typeof ORDER_ROW, NamedColumn>>

const ALL = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

export const ordersDownload = serveDownload(orderDownloads.list, async (ctx, { columns, ...filters }) => {
  const { list } = await orderList(ctx, filters)
  const file = { row: ORDER_ROW, columns: COLUMNS, all: ALL }
  return { ...ordersForExport(ctx, list), ...chosenColumns(file, columns) }
})
