import { useQuery } from '@tanstack/react-query'
import { useOpenOrder } from '#features/money/ledger/useOpenOrder.tsx'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { ORDER_CELLS } from '#features/sales/orders/orderCells.tsx'
import { SHOPS_CAPPED_TEXT } from '#features/sales/orders/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { Button } from '#web/controls/Button.tsx'
import { StatusTag, StatusWord } from '#web/controls/StatusTag.tsx'
import { List } from '#web/list/List.tsx'
import { CappedNotes, RowCount, Sum } from '#web/list/ListTotals.tsx'
import type { settlement } from './contract.ts'
import { BILL_FIELDS, BILLS } from './fields.ts'
import { BILL_STATUSES } from './rules.ts'
import { UndoRequests } from './UndoRequests.tsx'
import { useOrderUndo } from './useUndo.tsx'

const settlementApi = api<typeof settlement>('settlement')

type Answer = Out<typeof settlement.bills>
type Row = Answer['rows'][number]

/** Billing details (D3 §2): what was sold, for how much, and its undo. `?view=requests` shows what waits for approval. */
export default function BillingDetailsPage() {
  const [{ view }] = usePageSearch<'/admin/detail/billingDetails'>()
  return view === 'requests' ? <UndoRequests /> : <Bills />
}

function Bills() {
  const order = useOpenOrder()
  const undo = useOrderUndo('version')
  return (
    <>
      <List
        of={BILLS}
        from={settlementApi.bills}
        cells={CELLS}
        options={OPTIONS}
        {...order.rows}
        main={<RequestsButton />}
        summary={totals => <Totals totals={totals} />}
        actionsWidth={72}
        rowActions={undo.rowActions}
      />
      {undo.dialog}
    </>
  )
}

/** How many requests wait, and the way to them. */
function RequestsButton() {
  const navigate = useNavigate()
  const pending = useQuery({
    ...settlementApi.undoRequests.query({ state: 'pending' }),
  })
  const total = pending.data?.total ?? 0
  return (
    <Button
      onClick={() => void navigate({ to: '/admin/detail/billingDetails', search: { view: 'requests' } })}
    >
      撤销申请{total > 0 && `（${formatCount(total)} 待审批）`}
    </Button>
  )
}

function Totals({ totals }: { totals: Answer }) {
  return (
    <>
      <RowCount totals={totals} />
      <Sum label={BILL_FIELDS.originalCents.label} value={formatCents(totals.originalCents)} unit="代币" />
      <Sum label={BILL_FIELDS.totalCents.label} value={formatCents(totals.totalCents)} unit="代币" />
      {totals.refundedCents > 0 && (
        <Sum label="其中已撤销" value={formatCents(totals.refundedCents)} unit="代币" />
      )}
      <CappedNotes totals={totals} summed="金额" missing={totals.shopsCapped && SHOPS_CAPPED_TEXT} />
    </>
  )
}

const CELLS = {
  ...ORDER_CELLS,
  status: ({ status, undoPending }: Row) =>
    undoPending ? (
      <StatusTag tone="attention">撤销待审批</StatusTag>
    ) : (
      <StatusWord tone={BILL_FIELDS.status.tones[status]}>{BILL_STATUSES[status]}</StatusWord>
    ),
}

const OPTIONS = { agentId: AGENT_OPTIONS }
