import { PAY_METHODS } from '#features/ledger/rules.ts'
import { formatAddress } from '#features/regions/divisions.ts'
import { chosenColumns, type NamedColumn, serveDownload } from '#server/export.ts'
import { hardwareDownloads } from './contract.ts'
import { DELIVERY_STATUSES } from './rules.ts'
import { EXPORT_ROW, ordersForExport } from './server-list.ts'

/** By the keys of the list's columns, and what only the file shows. */
const COLUMNS = {
  orderNo: { header: '订单号', kind: 'text', width: 24 },
  agentName: { header: '代理商', kind: 'text', width: 24 },
  contactName: { header: '联系人', kind: 'text', width: 12 },
  contactPhone: { header: '联系电话', kind: 'text', width: 14 },
  fullAddress: {
    header: '收货地址',
    kind: 'text',
    width: 40,
    cell: row => formatAddress(String(row.districtCode), String(row.address)),
  },
  lines: { header: '商品', kind: 'text', width: 40, cell: row => row.content },
  totalCents: { header: '合计', kind: 'cents', width: 14 },
  createdAt: { header: '下单时间', kind: 'time', width: 20 },
  shippedAt: { header: '发货时间', kind: 'time', width: 20 },
  finishedAt: { header: '完成时间', kind: 'time', width: 20 },
  payMethod: { header: '支付方式', kind: 'text', width: 10, cell: () => PAY_METHODS.balance },
  deliveryStatus: { header: '发货状态', kind: 'text', width: 10, names: DELIVERY_STATUSES },
  carrier: { header: '物流公司', kind: 'text', width: 14 },
  trackingNo: { header: '物流单号', kind: 'text', width: 20 },
  returnReason: { header: '退货原因', kind: 'text', width: 24 },
  remark: { header: '备注', kind: 'text', width: 24 },
} satisfies Record<string, NamedColumn>

const ALL = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

export const hardwareOrdersDownload = serveDownload(
  hardwareDownloads.orders,
  (ctx, { columns, ...filters }) => ({
    ...ordersForExport(ctx, filters),
    ...chosenColumns({ row: EXPORT_ROW, columns: COLUMNS, all: ALL }, columns),
  }),
)
