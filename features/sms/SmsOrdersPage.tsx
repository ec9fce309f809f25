import { lazy } from 'react'
import { PAY_METHODS, type PayMethod } from '#features/ledger/rules.ts'
import { CappedNotes, RowCount, Sum } from '#features/services/OrderTotals.tsx'
import {
  exportAddress,
  type Numbered,
  numbered,
  useFiltersInWords,
  wordFilter,
} from '#features/services/orderActions.tsx'
import {
  agentColumn,
  countColumn,
  indexColumn,
  merchantIdColumn,
  orderNoColumn,
  payMethodColumn,
  shopNameColumn,
} from '#features/services/orderColumns.tsx'
import { useUndo } from '#features/settlement/useUndo.tsx'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { Money } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/list/ListPage.tsx'
import { moneyColumn, textColumn, timeColumn } from '#web/list/listColumns.tsx'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import { look } from '#web/look.ts'
import { StatusTag, type Tone } from '#web/StatusTag.tsx'
import { useSession } from '#web/session.ts'
import type { sms } from './contract.ts'
import { PaymentCheck } from './PaymentCheck.tsx'
import { SMS_ORDER_KINDS, SMS_ORDER_STATUSES, type SmsOrderKind, type SmsOrderStatus } from './rules.ts'

const smsApi = api<typeof sms>('sms')
const SmsOrderFilters = lazy(() => import('./SmsOrderFilters.tsx'))

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
  const undo = useUndo('sms')
  return (
    <>
      <ListPage<Row, OrderParams, Answer>
        title="短信订单"
        listKey="sms.orders"
        queryKey={['sms', 'orders']}
        fetchPage={async params => numbered(await smsApi.orders(params), params)}
        rowKey={row => row.id}
        columns={session.isVendorStaff ? STAFF_COLUMNS : OWN_COLUMNS}
        searchPlaceholder="订单号 / 商户ID / 店铺名称"
        filters={<SmsOrderFilters />}
        activeFilters={useActiveFilters()}
        summary={totals => <Totals totals={totals} />}
        exportHref={params => exportAddress('/api/sms/orders.xlsx', params)}
        exportPermission="sms.export"
        emptyText="还没有短信订单，为商户购买短信包后会显示在这里"
        actionsWidth={72}
        rowActions={undo.rowActions}
      />
      {undo.dialog}
    </>
  )
}

function Totals({ totals }: { totals: Answer }) {
  return (
    <>
      <Sum label="总金额" value={formatCents(totals.totalCents)} unit="代币" />
      {totals.paidFen > 0 && <Sum label="充值" value={formatCents(totals.paidFen)} unit="元" />}
      <Sum label="总条数" value={formatCount(totals.totalPieces)} unit="条" />
      {totals.recycledPieces > 0 && (
        <span>
          其中已撤回 <b>{formatCents(totals.recycledCents)}</b> 代币，
          {totals.refundedFen > 0 && (
            <>
              <b>{formatCents(totals.refundedFen)}</b> 元，
            </>
          )}
          <b>{formatCount(totals.recycledPieces)}</b> 条
        </span>
      )}
      {totals.recalledPieces > 0 && <Sum label="回收" value={formatCount(totals.recalledPieces)} unit="条" />}
      <RowCount totals={totals} />
      <CappedNotes totals={totals} summed="金额和条数" />
    </>
  )
}

const TONES: Record<SmsOrderStatus, Tone> = {
  quoted: 'attention',
  ended: 'neutral',
  paid: 'done',
  recycled: 'neutral',
}
/** Of a recharge alone: the others are paid when they are made. */
const isUnpaid = ({ status }: Row) => status === 'quoted' || status === 'ended'

const columnsOf = (withoutShop: string): ListColumn<Row>[] => [
  orderNoColumn(),
  indexColumn(),
  merchantIdColumn({ card: 'fact' }),
  shopNameColumn(160, withoutShop),
  textColumn('name', '套餐名称', { width: 112, card: 'fact' }),
  countColumn('smsBefore', '操作前条数', { width: 84 }),
  countColumn('pieces', '短信条数', {
    width: 76,
    render: row => <span className={look.number}>{changeText(row)}</span>,
    card: 'fact',
  }),
  countColumn('smsAfter', '操作后条数', { width: 84, card: 'fact' }),
  { ...moneyColumn('totalCents', '金额', { width: 116, card: 'fact' }), render: row => <Price row={row} /> },
  timeColumn('createdAt', '时间', { width: 148, card: 'fact' }),
  // Whoever tops up has not chosen before it is paid.
  payMethodColumn({
    render: row => (row.kind === 'recall' || isUnpaid(row) ? '—' : PAY_METHODS[row.payMethod]),
  }),
  {
    key: 'status',
    title: '状态',
    width: 72,
    render: row =>
      isUnpaid(row) ? (
        <PaymentCheck orderNo={row.orderNo} status={row.status} />
      ) : (
        <StatusTag tone={TONES[row.status]}>{SMS_ORDER_STATUSES[row.status]}</StatusTag>
      ),
    card: 'fact',
  },
  textColumn('createdByName', '操作人', { width: 80 }),
  textColumn('remark', '备注', { width: 152 }),
]
const OWN_COLUMNS = columnsOf('本账户')
const STAFF_COLUMNS = [...columnsOf('代理商账户'), agentColumn<Row>()]

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
  const words = useFiltersInWords(params, () => setParams({ from: undefined, to: undefined }))
  return [
    ...wordFilter('kind', '类型', SMS_ORDER_KINDS, params.kind),
    ...wordFilter('status', '状态', SMS_ORDER_STATUSES, params.status),
    ...wordFilter('payMethod', '支付方式', PAY_METHODS, params.payMethod),
    ...words.days,
    ...words.agent,
  ]
}
