// Joins the features' figures for /metrics.
import { LEDGER_DRIFT } from '#features/ledger/server-figures.ts'
import { OLDEST_PENDING, PAY_CALLBACKS } from '#features/payments/server-figures.ts'
import type { Figures } from '#server/metrics.ts'

export const FIGURES: Figures = { counted: [PAY_CALLBACKS], read: [OLDEST_PENDING, LEDGER_DRIFT] }
