// Its features in their order: each may import of those before it, and of earlier districts. A new one is a line here.
import type { Feature } from '#server/feature.ts'
import { feature as fonts } from './fonts/feature.ts'
import { feature as labelBatches } from './label-batches/feature.ts'
import { feature as labels } from './labels/feature.ts'
import { feature as printTemplates } from './print-templates/feature.ts'
import { feature as printing } from './printing/feature.ts'
import { feature as receipts } from './receipts/feature.ts'

export const print = {
  fonts,
  printing,
  printTemplates,
  labels,
  labelBatches,
  receipts,
} satisfies Record<string, Feature>
