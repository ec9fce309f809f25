import { lazy, useState } from 'react'
import { useOpenOrder } from '#features/money/ledger/useOpenOrder.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatCents } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { useSession } from '#web/client/session.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import { CappedNotes, RowCount, Sum } from '#web/list/ListTotals.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import type { orders } from './contract.ts'
import { VERSION_ORDERS } from './fields.ts'
import { useDiscard } from './OrderDiscard.tsx'
import { ORDER_CELLS, ORDER_OPTIONS, type Row } from './orderCells.tsx'
import { SHOPS_CAPPED_TEXT } from './rules.ts'
import { useUndo } from './slots.tsx'

const ordersApi = api<typeof orders>('orders')
const OrderRemarkDialog = lazy(() => import('./OrderRemarkDialog.tsx'))

/** Version orders (D2 screen 12): what was sold to whom, for how much, by whom, and its undo. */
export default function VersionOrdersPage() {
  const session = useSession()
  const order = useOpenOrder()
  const [edited, setEdited] = useState<Row | null>(null)
  const mayRemark = session.permissions.includes('orders.remark')
  const discard = useDiscard()
  const undo = useUndo('version')
  const [{ status }] = useListParams(VERSION_ORDERS)
  return (
    <>
      <List
        of={VERSION_ORDERS}
        from={ordersApi.list}
        cells={ORDER_CELLS}
        options={ORDER_OPTIONS}
        main={
          <Link className={buttonLook()} to="/admin/order/renewalBatches">
            批量续费
          </Link>
        }
        summary={totals => <Totals totals={totals} />}
        {...order.rows}
        rowActions={
          mayRemark || undo.rowActions
            ? row => [
                ...(mayRemark ? discard.actionsOf(row) : []),
                ...(undo.rowActions?.(row) ?? []),
                ...(mayRemark
                  ? [{ key: 'remark', label: '修改备注', onClick: () => setEdited(row) } as const]
                  : []),
              ]
            : undefined
        }
        actionsWidth={undo.rowActions || status === 'quoted' ? 144 : 88}
      />
      {undo.dialog}
      {edited && (
        <Suspense>
          <OrderRemarkDialog order={edited} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </>
  )
}

function Totals({ totals }: { totals: Out<typeof orders.list> }) {
  return (
    <>
      <RowCount totals={totals} label="订单" />
      <Sum label="已支付结算" value={formatCents(totals.settledCents)} unit="代币" />
      <CappedNotes totals={totals} summed="结算" missing={totals.shopsCapped && SHOPS_CAPPED_TEXT} />
    </>
  )
}
