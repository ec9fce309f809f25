import { lazy } from 'react'
import { useOpenOrder } from '#features/money/ledger/useOpenOrder.tsx'
import { ORDER_CELLS } from '#features/sales/orders/orderCells.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { usePageSearch } from '#web/client/navigation.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import { CappedNotes, RowCount, Sum } from '#web/list/ListTotals.tsx'
import type { margins } from './contract.ts'
import { MARGIN_FIELDS, MARGINS } from './fields.ts'
import { MARGIN_MEANING } from './rules.ts'

const marginsApi = api<typeof margins>('margins')
const SellingPrices = lazy(() => import('./SellingPrices.tsx'))

/** What is left of an agent's orders; `?view=prices` shows the prices that it is reckoned by. Both are its own secret. */
export default function MarginsPage() {
  const [{ view }] = usePageSearch<'/admin/detail/margins'>()
  if (view !== 'prices') return <Margins />
  return (
    <Suspense>
      <SellingPrices />
    </Suspense>
  )
}

function Margins() {
  const order = useOpenOrder()
  return (
    <List
      of={MARGINS}
      from={marginsApi.orders}
      cells={CELLS}
      {...order.rows}
      main={<PricesLink />}
      summary={totals => <Totals totals={totals} />}
    />
  )
}

function PricesLink() {
  return (
    <Link to="/admin/detail/margins" search={{ view: 'prices' }} className={buttonLook()}>
      我的售价
    </Link>
  )
}

const CELLS = { orderNo: ORDER_CELLS.orderNo }

function Totals({ totals }: { totals: Out<typeof margins.orders> }) {
  return (
    <>
      <RowCount totals={totals} />
      <Sum label={MARGIN_FIELDS.sellingFen.label} value={formatCents(totals.sellingFen)} unit="元" />
      <Sum label={MARGIN_FIELDS.totalCents.label} value={formatCents(totals.totalCents)} unit="代币" />
      <span data-tip={MARGIN_MEANING}>
        <Sum label={MARGIN_FIELDS.profitFen.label} value={formatCents(totals.profitFen)} unit="元" />
      </span>
      {totals.unpriced > 0 && <Sum label="未设售价" value={formatCount(totals.unpriced)} unit="笔" />}
      <CappedNotes totals={totals} summed="金额" missing={false} />
    </>
  )
}
