import { SALES_TYPES } from '#features/orders/rules.ts'
import {
  merchantIdColumn,
  numberColumn,
  orderNoColumn,
  shopNameColumn,
} from '#features/services/orderColumns.tsx'
import type { Out } from '#kit/op.ts'
import type { ListColumn } from '#web/list/ListPage.tsx'
import { moneyColumn, textColumn, timeColumn, wordColumn } from '#web/list/listColumns.tsx'
import { StatusTag } from '#web/StatusTag.tsx'
import type { settlement } from './contract.ts'
import { BILL_STATUSES } from './rules.ts'

export type Bill = Out<typeof settlement.bills>['rows'][number]

/** The fields of D3 §3, billing order; what decides about an undo stands first. */
export const COLUMNS: ListColumn<Bill>[] = [
  orderNoColumn(),
  shopNameColumn(168),
  merchantIdColumn(),
  wordColumn('salesType', '销售类型', SALES_TYPES, { width: 72 }),
  textColumn('content', '内容', { width: 256, card: 'fact' }),
  moneyColumn('originalCents', '应收（代币）', { width: 104 }),
  moneyColumn('totalCents', '结算（代币）', { width: 104, card: 'fact' }),
  {
    key: 'status',
    title: '状态',
    width: 100,
    render: row =>
      row.undoPending ? (
        <StatusTag tone="attention">撤销待审批</StatusTag>
      ) : (
        <StatusTag tone={row.status === 'paid' ? 'done' : 'neutral'}>{BILL_STATUSES[row.status]}</StatusTag>
      ),
    card: 'fact',
  },
  timeColumn('paidAt', '支付时间', { width: 160, card: 'fact' }),
  numberColumn('account', '账号', { width: 112 }),
  textColumn('personName', '商户姓名', { width: 88 }),
  textColumn('levelName', '代理等级', { width: 88 }),
  timeColumn('createdAt', '创建时间', { width: 160 }),
]
