import { lazy } from 'react'
import { SettlementSection as Slot } from '#features/acquiring/onboardings/slots.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'

const SettlementSection = lazy(() => import('./SettlementSection.tsx'))

export function fillSlots(): void {
  Slot.fill(({ id }) => (
    <Suspense>
      <SettlementSection id={id} />
    </Suspense>
  ))
}
