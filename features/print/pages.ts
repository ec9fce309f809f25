// The pages of its features. A feature with pages is a line here.
import type { RoutePage } from '#kit/declare/pages.ts'
import { PAGES as labelBatches } from './label-batches/pages.ts'
import { PAGES as labels } from './labels/pages.ts'
import { PAGES as printing } from './printing/pages.ts'
import { PAGES as receipts } from './receipts/pages.ts'

export const PAGES = [
  ...printing,
  ...labels,
  ...labelBatches,
  ...receipts,
] as const satisfies readonly RoutePage[]
