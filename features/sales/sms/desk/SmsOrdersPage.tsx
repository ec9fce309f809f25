import { PAY_METHODS } from '#features/money/ledger/rules.ts'
import { useOpenOrder } from '#features/money/ledger/useOpenOrder.tsx'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { ORDER_CELLS } from '#features/sales/orders/orderCells.tsx'
import { SHOPS_CAPPED_TEXT } from '#features/sales/orders/rules.ts'
import { useUndo } from '#features/sales/orders/slots.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { look } from '#web/controls/look.ts'
import { shownAs } from '#web/list/columns.tsx'
import { List } from '#web/list/List.tsx'
import { CappedNotes, RowCount, Sum } from '#web/list/ListTotals.tsx'
import type { smsDesk } from './contract.ts'
import { SMS_CHANGE_FIELDS, SMS_ORDER_FIELDS, SMS_ORDERS } from './fields.ts'
import { Paid } from './Paid.tsx'
import { PaymentCheck } from './PaymentCheck.tsx'
import { useAccountCell } from './useAccountCell.tsx'

const smsDeskApi = api<typeof smsDesk>('smsDesk')

type Answer = Out<typeof smsDesk.orders>
type Row = Answer['rows'][number]

/** SMS packages of shops and credit taken back (D2 §2, screen 11): before, after, and the undo of a package. */
export default function SmsOrdersPage() {
  const order = useOpenOrder()
  const undo = useUndo('sms')
  return (
    <>
      <List
        of={SMS_ORDERS}
        from={smsDeskApi.orders}
        cells={{ ...CELLS, shopName: useAccountCell() }}
        options={OPTIONS}
        {...order.rows}
        summary={totals => <Totals totals={totals} />}
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
      <Sum label={SMS_CHANGE_FIELDS.totalCents.label} value={formatCents(totals.totalCents)} unit="代币" />
      {totals.paidFen > 0 && <Sum label="充值" value={formatCents(totals.paidFen)} unit="元" />}
      <Sum label="总条数" value={formatCount(totals.totalPieces)} unit="条" />
      {totals.giftPieces > 0 && <Sum label="赠送" value={formatCount(totals.giftPieces)} unit="条" />}
      {totals.recycledPieces > 0 && (
        <span>
          其中已撤销 <b>{formatCents(totals.recycledCents)}</b> 代币，
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
      <CappedNotes totals={totals} summed="金额和条数" missing={totals.shopsCapped && SHOPS_CAPPED_TEXT} />
    </>
  )
}

/** Of a recharge alone: the others are paid when they are made. */
const isUnpaid = ({ status }: Row) => status === 'quoted' || status === 'ended'

const CELLS = {
  ...ORDER_CELLS,
  pieces: (row: Row) => <span className={look.number}>{changeText(row)}</span>,
  totalCents: (row: Row) => <Price row={row} />,
  // Whoever tops up has not chosen before it is paid.
  payMethod: (row: Row) => (row.kind === 'recall' || isUnpaid(row) ? '—' : PAY_METHODS[row.payMethod]),
  status: (row: Row) =>
    isUnpaid(row) ? (
      <PaymentCheck orderNo={row.orderNo} status={row.status} />
    ) : (
      shownAs(SMS_ORDER_FIELDS.status, row.status)
    ),
}

const OPTIONS = { agentId: AGENT_OPTIONS }

/** What is handed over for nothing has no price. */
function Price({ row }: { row: Row }) {
  return row.kind === 'recall' || row.kind === 'gift' ? '—' : <Paid {...row} />
}

/** A recall takes pieces away, which the number shows. */
function changeText(row: Row): string {
  return row.kind === 'recall' ? `−${formatCount(row.pieces)}` : formatCount(row.pieces)
}
