import { chosenColumns, type NamedColumn, serveDownload } from '#server/export.ts'
import { ledgerDownloads } from './contract.ts'
import { PAY_METHODS } from './rules.ts'
import { CHANGE, changesForExport } from './server-changes.ts'

/** By the keys of the list's columns. */
const COLUMNS = {
  orderNo: { header: '订单号', kind: 'text', width: 24 },
  agentName: { header: '代理商', kind: 'text', width: 24 },
  merchantId: { header: '商户ID', kind: 'integer', width: 12 },
  description: { header: '说明', kind: 'text', width: 32 },
  payMethod: { header: '支付方式', kind: 'text', width: 12, names: PAY_METHODS },
  amountCents: { header: '变动金额', kind: 'cents', width: 14 },
  balanceBeforeCents: { header: '变动前', kind: 'cents', width: 14, cell: row => row.balanceBefore },
  balanceAfterCents: { header: '变动后', kind: 'cents', width: 14, cell: row => row.balanceAfter },
  actorName: { header: '操作人', kind: 'text', width: 12 },
  remark: { header: '备注', kind: 'text', width: 28 },
  createdAt: { header: '时间', kind: 'time', width: 20 },
} satisfies Record<string, NamedColumn>

const ALL = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

export const changesDownload = serveDownload(ledgerDownloads.changes, (ctx, { columns, ...filters }) => ({
  statement: changesForExport(ctx, filters),
  values: {},
  ...chosenColumns({ row: CHANGE, columns: COLUMNS, all: ALL }, columns),
}))
