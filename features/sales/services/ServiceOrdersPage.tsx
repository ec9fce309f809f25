import { useQuery } from '@tanstack/react-query'
import { useOpenOrder } from '#features/money/ledger/useOpenOrder.tsx'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { ORDER_CELLS } from '#features/sales/orders/orderCells.tsx'
import { SHOPS_CAPPED_TEXT } from '#features/sales/orders/rules.ts'
import { useUndo } from '#features/sales/orders/slots.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { List } from '#web/list/List.tsx'
import { CappedNotes, RowCount, Sum } from '#web/list/ListTotals.tsx'
import type { services } from './contract.ts'
import { SERVICE_ORDERS } from './fields.ts'
import { SERVICE_UNITS } from './rules.ts'

const servicesApi = api<typeof services>('services')

type Answer = Out<typeof services.orders>
type Row = Answer['rows'][number]

/** Orders of value-added services (D2 §2, screen 14): what they come to, and their undo. */
export default function ServiceOrdersPage() {
  const order = useOpenOrder()
  const undo = useUndo('service')
  return (
    <>
      <List
        of={SERVICE_ORDERS}
        from={servicesApi.orders}
        cells={CELLS}
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
      <Sum label="总金额" value={formatCents(totals.totalCents)} unit="代币" />
      {totals.recalledCents > 0 && (
        <Sum label="其中已撤销" value={formatCents(totals.recalledCents)} unit="代币" />
      )}
      <RowCount totals={totals} />
      <CappedNotes totals={totals} summed="总金额" missing={totals.shopsCapped && SHOPS_CAPPED_TEXT} />
    </>
  )
}

const CELLS = {
  ...ORDER_CELLS,
  quantity: (row: Row) => `${formatCount(row.quantity)} ${SERVICE_UNITS[row.unit]}`,
}

const OPTIONS = {
  serviceId: {
    useRows: (enabled: boolean) => useQuery({ ...servicesApi.options.query(), enabled }).data?.rows,
  },
  agentId: AGENT_OPTIONS,
}
