import { lazy } from 'react'
import { ProfileSection as ProfileSlot } from '#features/programs/program-flow/slots.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'

const ProfileSection = lazy(() => import('./ProfileSection.tsx'))

export function fillSlots(): void {
  ProfileSlot.fill(({ id }) => (
    <Suspense>
      <ProfileSection id={id} />
    </Suspense>
  ))
}
