import { DOCUMENT_CELLS } from '#features/money/ledger/documentCells.tsx'
import { useOpenOrder } from '#features/money/ledger/useOpenOrder.tsx'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { shopCell } from '#features/sales/orders/orderCells.tsx'
import { SHOPS_CAPPED_TEXT } from '#features/sales/orders/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCents } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { List } from '#web/list/List.tsx'
import { CappedNotes, RowCount, Sum } from '#web/list/ListTotals.tsx'
import type { hardware, OrderRow } from './contract.ts'
import { HARDWARE_ORDERS } from './fields.ts'
import { useOrderSteps } from './OrderSteps.tsx'

const hardwareApi = api<typeof hardware>('hardware')

type Answer = Out<typeof hardware.orders>

/** Hardware orders with shipping (D2 §2 screen 13). `?orderNo=` in its address opens the order over the list. */
export default function HardwareOrdersPage() {
  const order = useOpenOrder()
  const steps = useOrderSteps()
  return (
    <>
      <List
        of={HARDWARE_ORDERS}
        from={hardwareApi.orders}
        {...order.rows}
        cells={CELLS}
        options={OPTIONS}
        summary={totals => <Totals totals={totals} />}
        rowActions={row => [
          { key: 'details', label: '详情', reads: true, onClick: () => order.open(row.orderNo) },
          ...steps.actionsOf(row),
        ]}
        actionsWidth={184}
      />
      {steps.dialogs}
    </>
  )
}

function Totals({ totals }: { totals: Answer }) {
  return (
    <>
      <RowCount totals={totals} label="订单" />
      <Sum label="金额" value={formatCents(totals.sumCents)} unit="代币" />
      <Sum label="其中已退货或取消" value={formatCents(totals.returnedCents)} unit="代币" />
      <CappedNotes totals={totals} summed="金额" missing={totals.shopsCapped && SHOPS_CAPPED_TEXT} />
    </>
  )
}

/** "热敏打印机 399.00×2；…" */
function goodsOf(row: OrderRow): string {
  return row.lines
    .map(line => `${line.productName} ${formatCents(line.unitCents)}×${line.quantity}`)
    .join('；')
}

const CELLS = {
  ...DOCUMENT_CELLS,
  shopName: shopCell('—'),
  lines: { copy: goodsOf, render: goodsOf },
  trackingNo: {
    copy: (row: OrderRow) => row.trackingNo,
    render: (row: OrderRow) => (row.trackingNo ? `${row.carrier} ${row.trackingNo}` : '—'),
  },
}

const OPTIONS = { agentId: AGENT_OPTIONS }
