import type { Feature } from '#server/feature.ts'
import { JOBS, MONTHS_AHEAD } from './jobs.ts'

export const feature = {
  starting: [MONTHS_AHEAD],
  jobs: JOBS,
} satisfies Feature
