// How a version order's facts are written, in the list and on paper.
import { PAY_METHODS } from '#features/ledger/rules.ts'
import { formatCents } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { Copyable, Instant, Money } from '#web/format.tsx'
import type { ListColumn } from '#web/ListPage.tsx'
import { StatusTag, type Tone } from '#web/StatusTag.tsx'
import type { orders } from './contract.ts'
import { ORDER_STATUSES, type OrderStatus, SALES_TYPES, SHOWN_ORDER_CHARS } from './rules.ts'

export type Answer = Out<typeof orders.list>
export type Row = Answer['rows'][number]
type Column = ListColumn<Row>

const TONES: Record<OrderStatus, Tone> = { quoted: 'attention', paid: 'done', recycled: 'neutral' }

export function OrderStatusText({ status }: { status: OrderStatus }) {
  return <StatusTag tone={TONES[status]}>{ORDER_STATUSES[status]}</StatusTag>
}

/** A shop's fact, or why there is none: no shop yet, or another agent's by now. */
export function shopText(row: Row, text: string | null): string {
  if (text !== null) return text
  return row.merchantId === null ? '—' : '已转至其他服务商'
}

const ORDER: Column[] = [
  {
    key: 'orderNo',
    title: '订单号',
    width: 112,
    fixed: 'start',
    copy: row => row.orderNo,
    render: row => <Copyable text={row.orderNo} shown={row.orderNo.slice(-SHOWN_ORDER_CHARS)} />,
    card: 'fact',
  },
  {
    key: 'merchantId',
    title: '商户ID',
    width: 96,
    copy: row => String(row.merchantId ?? ''),
    render: row => <span className="number">{row.merchantId ?? '—'}</span>,
    card: 'hidden',
  },
  {
    key: 'shopName',
    title: '店铺名称',
    width: 160,
    copy: row => row.shopName ?? '',
    opens: true,
    render: row => shopText(row, row.shopName),
    card: 'hidden',
  },
  {
    key: 'account',
    title: '账号',
    width: 120,
    copy: row => row.account ?? '',
    render: row => <span className="number">{row.account ?? '—'}</span>,
    card: 'hidden',
  },
  {
    key: 'content',
    title: '订单内容',
    width: 208,
    copy: row => row.content,
    render: row => row.content,
    card: 'title',
  },
  {
    key: 'payMethod',
    title: '支付方式',
    width: 88,
    render: row => PAY_METHODS[row.payMethod],
    card: 'hidden',
  },
  {
    key: 'totalCents',
    title: '结算（代币）',
    width: 112,
    align: 'right',
    copy: row => formatCents(row.totalCents),
    render: row => <Money cents={row.totalCents} />,
    card: 'fact',
  },
  {
    key: 'originalCents',
    title: '原价（代币）',
    width: 112,
    align: 'right',
    copy: row => formatCents(row.originalCents),
    render: row => <Money cents={row.originalCents} />,
    card: 'hidden',
  },
  {
    key: 'status',
    title: '订单状态',
    width: 104,
    render: row => <OrderStatusText status={row.status} />,
    card: 'fact',
  },
  {
    key: 'salesType',
    title: '销售类型',
    width: 80,
    render: row => SALES_TYPES[row.salesType],
    card: 'hidden',
  },
]

const PEOPLE: Column[] = [
  {
    key: 'managerName',
    title: '客户经理/客服',
    width: 112,
    copy: row => row.managerName ?? '',
    render: row => row.managerName ?? '—',
    card: 'hidden',
  },
  {
    key: 'actorName',
    title: '操作人',
    width: 96,
    copy: row => row.actorName ?? '',
    render: row => row.actorName ?? '—',
    card: 'hidden',
  },
  {
    key: 'remark',
    title: '备注',
    width: 184,
    copy: row => row.remark,
    render: row => row.remark || '—',
    card: 'hidden',
  },
]

const TIMES: Column[] = [
  {
    key: 'registeredAt',
    title: '注册时间',
    width: 160,
    copy: row => (row.registeredAt === null ? '' : formatInstant(row.registeredAt)),
    render: row => <Instant at={row.registeredAt} />,
    card: 'hidden',
  },
  {
    key: 'paidAt',
    title: '支付时间',
    width: 160,
    copy: row => (row.paidAt === null ? '' : formatInstant(row.paidAt)),
    render: row => <Instant at={row.paidAt} />,
    card: 'fact',
  },
]

const AGENT: Column = {
  key: 'agentName',
  title: '代理商',
  width: 200,
  copy: row => `${row.agentName}（${row.agentId}）`,
  render: row => `${row.agentName}（${row.agentId}）`,
  card: 'hidden',
}

export const COLUMNS: Column[] = [...ORDER, ...PEOPLE, ...TIMES]
export const STAFF_COLUMNS: Column[] = [...COLUMNS, AGENT]
