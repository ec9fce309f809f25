import { lazy } from 'react'
import { VersionSection as VersionSlot } from '#features/programs/program-flow/slots.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'

const VersionSection = lazy(() => import('./VersionSection.tsx'))

export function fillSlots(): void {
  VersionSlot.fill(({ id }) => (
    <Suspense>
      <VersionSection id={id} />
    </Suspense>
  ))
}
