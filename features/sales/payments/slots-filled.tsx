import { lazy } from 'react'
import * as slots from '#features/money/ledger/slots.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'

const MissingPay = lazy(() => import('./MissingPay.tsx').then(module => ({ default: module.MissingPay })))

export function fillSlots(): void {
  slots.MissingPay.fill(missing => (
    <Suspense>
      <MissingPay {...missing} />
    </Suspense>
  ))
}
