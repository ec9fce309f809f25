// Its features in their order: each may import of those before it, and of earlier districts. A new one is a line here.
import type { Feature } from '#server/feature.ts'
import { feature as platform } from './platform/feature.ts'
import { feature as programApplications } from './program-applications/feature.ts'
import { feature as programCategories } from './program-categories/feature.ts'
import { feature as programFlow } from './program-flow/feature.ts'
import { feature as programProfile } from './program-profile/feature.ts'
import { feature as programVersions } from './program-versions/feature.ts'
import { feature as releaseTrains } from './release-trains/feature.ts'

export const programs = {
  platform,
  programCategories,
  programApplications,
  programFlow,
  programProfile,
  programVersions,
  releaseTrains,
} satisfies Record<string, Feature>
