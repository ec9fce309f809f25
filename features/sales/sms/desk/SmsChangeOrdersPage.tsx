import { useOpenOrder } from '#features/money/ledger/useOpenOrder.tsx'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { ORDER_CELLS } from '#features/sales/orders/orderCells.tsx'
import { SHOPS_CAPPED_TEXT } from '#features/sales/orders/rules.ts'
import { SMS_CHANGE_KINDS } from '#features/sales/sms/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { look } from '#web/controls/look.ts'
import { List } from '#web/list/List.tsx'
import { CappedNotes, RowCount, Sum } from '#web/list/ListTotals.tsx'
import type { smsDesk } from './contract.ts'
import { SMS_CHANGE_FIELDS, SMS_CHANGES } from './fields.ts'
import { Paid } from './Paid.tsx'
import { useAccountCell } from './useAccountCell.tsx'

const smsDeskApi = api<typeof smsDesk>('smsDesk')

type Row = Out<typeof smsDesk.changes>['rows'][number]

/** What took credit away from shops again (D2 §2, screen 15). */
export default function SmsChangeOrdersPage() {
  const order = useOpenOrder()
  return (
    <List
      of={SMS_CHANGES}
      from={smsDeskApi.changes}
      cells={{ ...CELLS, shopName: useAccountCell() }}
      options={OPTIONS}
      onOpen={row => order.open(row.orderNo)}
      summary={totals => (
        <>
          <Sum label={SMS_CHANGE_FIELDS.pieces.label} value={formatCount(totals.totalPieces)} unit="条" />
          <RowCount totals={totals} />
          <CappedNotes totals={totals} summed="变动条数" missing={totals.shopsCapped && SHOPS_CAPPED_TEXT} />
        </>
      )}
    />
  )
}

const CELLS = {
  ...ORDER_CELLS,
  /** What was taken back by hand is of no package: its kind says it all. */
  name: (row: Row) => (row.name === SMS_CHANGE_KINDS[row.kind] ? '' : row.name),
  pieces: (row: Row) => <span className={look.number}>−{formatCount(row.pieces)}</span>,
  totalCents: ({ totalCents, refundFen }: Row) => <Paid totalCents={totalCents} rechargeFen={refundFen} />,
}

const OPTIONS = { agentId: AGENT_OPTIONS }
