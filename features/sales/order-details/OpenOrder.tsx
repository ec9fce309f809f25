import { lazy } from 'react'
import { useOpenOrder } from '#features/money/ledger/useOpenOrder.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'

const OrderDrawer = lazy(() => import('./OrderDrawer.tsx'))

/** The order that the address names, over whichever page it is. */
export function OpenOrder() {
  const { orderNo, open, close } = useOpenOrder()
  return <Suspense>{orderNo && <OrderDrawer orderNo={orderNo} onOrder={open} onClose={close} />}</Suspense>
}
