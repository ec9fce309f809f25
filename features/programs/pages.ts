// The pages of its features. A feature with pages is a line here.
import type { RoutePage } from '#kit/declare/pages.ts'
import { PAGES as programApplications } from './program-applications/pages.ts'
import { PAGES as programCategories } from './program-categories/pages.ts'
import { PAGES as programFlow, PUBLIC_PAGES as publicFlow } from './program-flow/pages.ts'
import { PAGES as releaseTrains } from './release-trains/pages.ts'

export const PAGES = [
  ...programApplications,
  ...programCategories,
  ...programFlow,
  ...releaseTrains,
] as const satisfies readonly RoutePage[]
export const PUBLIC_PAGES = [...publicFlow] as const
