import { lazy, Suspense } from 'react'
import { MissingPay } from '#features/ledger/slots.tsx'

const Payment = lazy(() => import('./MissingPay.tsx'))

export function fillSlots(): void {
  MissingPay.fill(missing => (
    <Suspense>
      <Payment {...missing} />
    </Suspense>
  ))
}
