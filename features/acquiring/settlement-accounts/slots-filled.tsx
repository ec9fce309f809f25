import { lazy } from 'react'
import { AcquirerSettlement } from '#features/acquiring/acquirer-onboardings/slots.tsx'
import { SettlementSection as Slot } from '#features/acquiring/onboardings/slots.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'

const SettlementSection = lazy(() => import('./SettlementSection.tsx'))
const AcquirerSection = lazy(() =>
  import('./SettlementSection.tsx').then(all => ({ default: all.AcquirerSection })),
)

export function fillSlots(): void {
  Slot.fill(({ id }) => (
    <Suspense>
      <SettlementSection id={id} />
    </Suspense>
  ))
  AcquirerSettlement.fill(({ id }) => (
    <Suspense>
      <AcquirerSection id={id} />
    </Suspense>
  ))
}
