// Its features in their order: each may import of those before it, and of earlier districts. A new one is a line here.
import type { Feature } from '#server/feature.ts'
import { feature as platform } from './platform/feature.ts'

export const programs = {
  platform,
} satisfies Record<string, Feature>
