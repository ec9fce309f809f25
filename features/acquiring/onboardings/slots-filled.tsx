import { lazy } from 'react'
import { ServiceSection } from '#features/acquiring/payment-applications/slots.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'

const OnboardingSection = lazy(() => import('./OnboardingSection.tsx'))

export function fillSlots(): void {
  ServiceSection.fill(({ id }) => (
    <Suspense>
      <OnboardingSection id={id} />
    </Suspense>
  ))
}
