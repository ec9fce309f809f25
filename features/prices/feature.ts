import { type Feature, rowsOf } from '#server/feature.ts'
import { LEVEL_DISCOUNTS } from './server-first.ts'
import { discounts } from './tables.ts'

export const feature = {
  reference: [rowsOf(discounts, LEVEL_DISCOUNTS)],
} satisfies Feature
