// How a version order's facts are written, in the list and on paper.
import {
  absentShop,
  agentColumn,
  merchantIdColumn,
  numberColumn,
  orderNoColumn,
  payMethodColumn,
  shopNameColumn,
} from '#features/services/orderColumns.tsx'
import type { Out } from '#kit/op.ts'
import type { ListColumn } from '#web/list/ListPage.tsx'
import { moneyColumn, textColumn, timeColumn, wordColumn } from '#web/list/listColumns.tsx'
import { StatusTag, type Tone } from '#web/StatusTag.tsx'
import type { orders } from './contract.ts'
import { ORDER_STATUSES, type OrderStatus, SALES_TYPES } from './rules.ts'

export type Answer = Out<typeof orders.list>
export type Row = Answer['rows'][number]

const TONES: Record<OrderStatus, Tone> = { quoted: 'attention', paid: 'done', recycled: 'neutral' }

export function OrderStatusText({ status }: { status: OrderStatus }) {
  return <StatusTag tone={TONES[status]}>{ORDER_STATUSES[status]}</StatusTag>
}

/** A shop's fact, or why there is none: no shop yet, or another agent's by now. */
export function shopText(row: Row, text: string | null): string {
  return text ?? absentShop(row)
}

export const COLUMNS: ListColumn<Row>[] = [
  orderNoColumn({ card: 'fact' }),
  merchantIdColumn(),
  { ...shopNameColumn(144), opens: true, render: row => shopText(row, row.shopName), card: 'hidden' },
  numberColumn('account', '账号', { width: 112 }),
  textColumn('content', '订单内容', { width: 244, card: 'title' }),
  payMethodColumn(),
  moneyColumn('totalCents', '结算（代币）', { width: 104, card: 'fact' }),
  moneyColumn('originalCents', '原价（代币）', { width: 104 }),
  {
    key: 'status',
    title: '订单状态',
    width: 96,
    render: row => <OrderStatusText status={row.status} />,
    card: 'fact',
  },
  wordColumn('salesType', '销售类型', SALES_TYPES, { width: 72 }),
  textColumn('managerName', '客户经理/客服', { width: 104 }),
  textColumn('actorName', '操作人', { width: 88 }),
  textColumn('remark', '备注', { width: 184 }),
  timeColumn('registeredAt', '注册时间', { width: 160 }),
  timeColumn('paidAt', '支付时间', { width: 160, card: 'fact' }),
]
export const STAFF_COLUMNS: ListColumn<Row>[] = [...COLUMNS, agentColumn({ card: 'hidden' })]
