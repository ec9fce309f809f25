import { SALES_TYPES, SHOWN_ORDER_CHARS } from '#features/orders/rules.ts'
import { formatCents } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { Copyable, Instant, Money } from '#web/format.tsx'
import type { ListColumn } from '#web/ListPage.tsx'
import { StatusTag } from '#web/StatusTag.tsx'
import type { settlement } from './contract.ts'
import { BILL_STATUSES } from './rules.ts'

export type Bill = Out<typeof settlement.bills>['rows'][number]

/** The fields of D3 §3, billing order; what decides about an undo stands first. */
export const COLUMNS: ListColumn<Bill>[] = [
  {
    key: 'orderNo',
    title: '订单号',
    width: 108,
    fixed: 'start',
    copy: row => row.orderNo,
    render: row => <Copyable text={row.orderNo} shown={row.orderNo.slice(-SHOWN_ORDER_CHARS)} />,
    card: 'hidden',
  },
  {
    key: 'shopName',
    title: '店铺名称',
    width: 168,
    copy: row => row.shopName ?? '',
    render: row => row.shopName ?? <span className="quiet-text">已转至其他服务商</span>,
    card: 'title',
  },
  {
    key: 'merchantId',
    title: '商户ID',
    width: 96,
    copy: row => String(row.merchantId ?? ''),
    render: row => row.merchantId ?? '—',
    card: 'hidden',
  },
  {
    key: 'salesType',
    title: '销售类型',
    width: 84,
    render: row => SALES_TYPES[row.salesType],
    card: 'hidden',
  },
  {
    key: 'content',
    title: '内容',
    width: 200,
    copy: row => row.content,
    render: row => row.content,
    card: 'fact',
  },
  {
    key: 'originalCents',
    title: '应收（代币）',
    width: 112,
    align: 'right',
    copy: row => formatCents(row.originalCents),
    render: row => <Money cents={row.originalCents} />,
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
    key: 'status',
    title: '状态',
    width: 104,
    render: row =>
      row.undoPending ? (
        <StatusTag tone="attention">撤销待审批</StatusTag>
      ) : (
        <StatusTag tone={row.status === 'paid' ? 'done' : 'neutral'}>{BILL_STATUSES[row.status]}</StatusTag>
      ),
    card: 'fact',
  },
  {
    key: 'paidAt',
    title: '支付时间',
    width: 168,
    copy: row => formatInstant(row.paidAt),
    render: row => <Instant at={row.paidAt} />,
    card: 'fact',
  },
  {
    key: 'account',
    title: '账号',
    width: 120,
    copy: row => row.account ?? '',
    render: row => row.account ?? '—',
    card: 'hidden',
  },
  {
    key: 'personName',
    title: '商户姓名',
    width: 96,
    copy: row => row.personName ?? '',
    render: row => row.personName ?? '—',
    card: 'hidden',
  },
  { key: 'levelName', title: '代理等级', width: 88, render: row => row.levelName, card: 'hidden' },
  {
    key: 'createdAt',
    title: '创建时间',
    width: 168,
    copy: row => formatInstant(row.createdAt),
    render: row => <Instant at={row.createdAt} />,
    card: 'hidden',
  },
]

export const AGENT_COLUMN: ListColumn<Bill> = {
  key: 'agentName',
  title: '代理商',
  width: 200,
  copy: row => `${row.agentName}（${row.agentId}）`,
  render: row => `${row.agentName}（${row.agentId}）`,
  card: 'fact',
}
