import { lazy } from 'react'
import { ServiceSection } from '#features/acquiring/payment-applications/slots.tsx'
import { Correction as CorrectionSlot } from '#features/acquiring/refusals/slots.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'

const Correction = lazy(() => import('./Correction.tsx'))
const OnboardingSection = lazy(() => import('./OnboardingSection.tsx'))

export function fillSlots(): void {
  ServiceSection.fill(({ id }) => (
    <Suspense>
      <OnboardingSection id={id} />
    </Suspense>
  ))
  CorrectionSlot.fill(refusing => (
    <Suspense>
      <Correction {...refusing} />
    </Suspense>
  ))
}
