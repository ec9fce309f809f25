import { lazy } from 'react'
import { OtherDoors } from '#features/agencies/sign-in/slots.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'

const CompatSection = lazy(() =>
  import('./CompatSection.tsx').then(module => ({ default: module.CompatSection })),
)

export function fillSlots(): void {
  OtherDoors.fill(() => (
    <Suspense>
      <CompatSection />
    </Suspense>
  ))
}
