import type { Feature } from '#server/feature.ts'

export const feature = {} satisfies Feature
