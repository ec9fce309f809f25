// The pages of its features. A feature with pages is a line here.
import type { RoutePage } from '#kit/declare/pages.ts'
import { PAGES as acquirerOnboardings } from './acquirer-onboardings/pages.ts'
import { PAGES as acquiringProgress } from './acquiring-progress/pages.ts'
import { PUBLIC_PAGES as publicOwnerPapers } from './owner-papers/pages.ts'
import { PAGES as paymentApplications } from './payment-applications/pages.ts'
import { PAGES as refusals } from './refusals/pages.ts'

export const PAGES = [
  ...paymentApplications,
  ...refusals,
  ...acquirerOnboardings,
  ...acquiringProgress,
] as const satisfies readonly RoutePage[]

export const PUBLIC_PAGES = [...publicOwnerPapers] as const
