// Its features in their order: each may import of those before it, and of earlier districts. A new one is a line here.
import type { Feature } from '#server/feature.ts'
import { feature as acquirerOnboardings } from './acquirer-onboardings/feature.ts'
import { feature as acquiringProgress } from './acquiring-progress/feature.ts'
import { feature as onboardings } from './onboardings/feature.ts'
import { feature as ownerPapers } from './owner-papers/feature.ts'
import { feature as paymentApplications } from './payment-applications/feature.ts'
import { feature as refusals } from './refusals/feature.ts'
import { feature as settlementAccounts } from './settlement-accounts/feature.ts'

export const acquiring = {
  refusals,
  paymentApplications,
  onboardings,
  acquirerOnboardings,
  settlementAccounts,
  ownerPapers,
  acquiringProgress,
} satisfies Record<string, Feature>
