// Its features in their order: each may import of those before it, and of earlier districts. A new one is a line here.
import type { Feature } from '#server/feature.ts'
import { feature as consultations } from './consultations/feature.ts'
import { feature as demands } from './demands/feature.ts'
import { feature as downloads } from './downloads/feature.ts'
import { feature as help } from './help/feature.ts'
import { feature as workOrders } from './work-orders/feature.ts'

export const support = {
  help,
  downloads,
  consultations,
  demands,
  workOrders,
} satisfies Record<string, Feature>
