import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { PAY_METHODS, type PayMethod } from '#features/ledger/rules.ts'
import { SHOPS_CAPPED_TEXT } from '#features/orders/rules.ts'
import {
  exportAddress,
  type Numbered,
  numbered,
  undoAction,
  useFiltersInWords,
} from '#features/services/orderActions.tsx'
import { agentColumn, indexColumn, orderNoColumn } from '#features/services/orderColumns.tsx'
import '#features/services/services.css'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Count, Instant, Money } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage, type RowAction } from '#web/ListPage.tsx'
import { StatusTag, type Tone } from '#web/StatusTag.tsx'
import { usePermission, useSession } from '#web/session.ts'
import { type ListParams, useListParams } from '#web/useListParams.ts'
import type { sms } from './contract.ts'
import { PaymentCheck } from './PaymentCheck.tsx'
import { SMS_ORDER_KINDS, SMS_ORDER_STATUSES, type SmsOrderKind, type SmsOrderStatus } from './rules.ts'

const smsApi = api<typeof sms>('sms')
const SmsOrderFilters = lazy(() => import('./SmsOrderFilters.tsx'))
const UndoDialog = lazy(() => import('#features/settlement/UndoDialog.tsx'))

type Answered = Out<typeof sms.orders>
type Row = Numbered<Answered['rows'][number]>
type Answer = Omit<Answered, 'rows'> & { rows: Row[] }

export type OrderParams = ListParams & {
  kind?: SmsOrderKind
  status?: SmsOrderStatus
  payMethod?: PayMethod
  from?: string
  to?: string
  agentId?: number
}

/** SMS packages of shops and credit taken back (D2 §2, screen 11): before, after, and the undo of a package. */
export default function SmsOrdersPage() {
  const session = useSession()
  const mayUndo = usePermission('settlement.undo')
  const queries = useQueryClient()
  const [undoing, setUndoing] = useState<string | null>(null)
  return (
    <>
      <ListPage<Row, OrderParams, Answer>
        title="短信订单"
        listKey="sms.orders"
        queryKey={['sms', 'orders']}
        fetchPage={async params => numbered(await smsApi.orders(params), params)}
        rowKey={row => row.id}
        columns={session.isVendorStaff ? [...COLUMNS, agentColumn()] : COLUMNS}
        searchPlaceholder="订单号 / 商户ID / 店铺名称"
        filters={<SmsOrderFilters />}
        activeFilters={useActiveFilters()}
        summary={totals => <Totals totals={totals} />}
        exportHref={params => exportAddress('/api/sms/orders.xlsx', params)}
        exportPermission="sms.export"
        emptyText="还没有短信订单，为商户购买短信包后会显示在这里"
        actionsWidth={72}
        rowActions={mayUndo ? row => undoOf(row, () => setUndoing(row.orderNo)) : undefined}
      />
      {undoing !== null && (
        <Suspense>
          <UndoDialog
            kind="sms"
            orderNo={undoing}
            onClose={() => setUndoing(null)}
            onDone={() => void queries.invalidateQueries({ queryKey: ['sms'] })}
          />
        </Suspense>
      )}
    </>
  )
}

/** A package or a gift can be undone; whether the shop still holds it, the dialog asks the server. */
function undoOf(row: Row, onClick: () => void): RowAction[] {
  if (row.kind !== 'package' && row.kind !== 'gift') return []
  const order = { isPaid: row.status !== 'quoted', isUndone: row.status === 'recycled', paidAt: row.paidAt }
  return [undoAction(order, onClick)]
}

function Totals({ totals }: { totals: Answer }) {
  return (
    <>
      <span>
        总金额 <b>{formatCents(totals.totalCents)}</b> 代币
      </span>
      {totals.paidFen > 0 && (
        <span>
          充值 <b>{formatCents(totals.paidFen)}</b> 元
        </span>
      )}
      <span>
        总条数 <b>{formatCount(totals.totalPieces)}</b> 条
      </span>
      {totals.recycledPieces > 0 && (
        <span>
          其中已撤回 <b>{formatCents(totals.recycledCents)}</b> 代币，
          <b>{formatCount(totals.recycledPieces)}</b> 条
        </span>
      )}
      {totals.recalledPieces > 0 && (
        <span>
          回收 <b>{formatCount(totals.recalledPieces)}</b> 条
        </span>
      )}
      <span>
        笔数 <b>{formatCount(totals.total)}</b>
        {totals.totalCapped && ' 以上'}
      </span>
      {totals.totalCapped && <span>合计按最近 {formatCount(totals.total)} 笔</span>}
      {totals.shopsCapped && <span>{SHOPS_CAPPED_TEXT}</span>}
    </>
  )
}

const TONES: Record<SmsOrderStatus, Tone> = { quoted: 'attention', paid: 'done', recycled: 'neutral' }
const isUnpaid = (row: Row) => row.kind === 'recharge' && row.status === 'quoted'
const countOr = (value: number | null) => (value === null ? '—' : <Count value={value} />)

const COLUMNS: ListColumn<Row>[] = [
  orderNoColumn(),
  indexColumn(),
  {
    key: 'merchantId',
    title: '商户ID',
    width: 84,
    copy: row => String(row.merchantId ?? ''),
    render: row => <span className="number">{row.merchantId ?? '—'}</span>,
    card: 'fact',
  },
  {
    key: 'shopName',
    title: '店铺名称',
    width: 136,
    copy: row => row.shopName ?? '',
    render: row =>
      row.shopName ?? (
        <span className="quiet-text">{row.merchantId === null ? '本账户' : '已转至其他服务商'}</span>
      ),
    card: 'title',
  },
  {
    key: 'name',
    title: '套餐名称',
    width: 104,
    copy: row => row.name,
    render: row => row.name,
    card: 'fact',
  },
  {
    key: 'smsBefore',
    title: '操作前条数',
    width: 84,
    align: 'right',
    render: row => countOr(row.smsBefore),
    card: 'hidden',
  },
  {
    key: 'pieces',
    title: '短信条数',
    width: 80,
    align: 'right',
    copy: row => String(row.pieces),
    render: row => <span className="number">{changeText(row)}</span>,
    card: 'fact',
  },
  {
    key: 'smsAfter',
    title: '操作后条数',
    width: 84,
    align: 'right',
    render: row => countOr(row.smsAfter),
    card: 'fact',
  },
  {
    key: 'totalCents',
    title: '金额',
    width: 120,
    align: 'right',
    copy: row => formatCents(row.totalCents),
    render: row => <Price row={row} />,
    card: 'fact',
  },
  {
    key: 'createdAt',
    title: '时间',
    width: 156,
    copy: row => formatInstant(row.createdAt),
    render: row => <Instant at={row.createdAt} />,
    card: 'fact',
  },
  {
    key: 'payMethod',
    title: '支付方式',
    width: 72,
    // Whoever tops up has not chosen before it is paid.
    render: row => (row.kind === 'recall' || isUnpaid(row) ? '—' : PAY_METHODS[row.payMethod]),
    card: 'hidden',
  },
  {
    key: 'status',
    title: '状态',
    width: 76,
    render: row =>
      isUnpaid(row) ? (
        <PaymentCheck orderNo={row.orderNo} />
      ) : (
        <StatusTag tone={TONES[row.status]}>{SMS_ORDER_STATUSES[row.status]}</StatusTag>
      ),
    card: 'fact',
  },
  {
    key: 'createdByName',
    title: '操作人',
    width: 88,
    copy: row => row.createdByName,
    render: row => row.createdByName,
    card: 'hidden',
  },
  {
    key: 'remark',
    title: '备注',
    width: 168,
    copy: row => row.remark,
    render: row => row.remark || '—',
    card: 'hidden',
  },
]

/** Packages cost tokens, a recharge costs yuan, the rest nothing. */
function Price({ row }: { row: Row }) {
  if (row.kind === 'recall' || row.kind === 'gift') return '—'
  return (
    <>
      <Money cents={row.totalCents} /> {row.kind === 'recharge' ? '元' : '代币'}
    </>
  )
}

/** A recall takes pieces away, which the number shows. */
function changeText(row: Row): string {
  return row.kind === 'recall' ? `−${formatCount(row.pieces)}` : formatCount(row.pieces)
}

/** What is filtered, in words. */
function useActiveFilters(): ActiveFilter[] {
  const [params, setParams] = useListParams<OrderParams>()
  const { kind, status, payMethod } = params
  const words = useFiltersInWords(params, () => setParams({ from: undefined, to: undefined }))
  const filters: ActiveFilter[] = []
  if (kind) filters.push({ key: 'kind', label: '类型', text: SMS_ORDER_KINDS[kind] ?? kind })
  if (status) filters.push({ key: 'status', label: '状态', text: SMS_ORDER_STATUSES[status] ?? status })
  if (payMethod)
    filters.push({ key: 'payMethod', label: '支付方式', text: PAY_METHODS[payMethod] ?? payMethod })
  return [...filters, ...words.days, ...words.agent]
}
