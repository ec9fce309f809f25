// Its features in their order: each may import of those before it, and of earlier districts. A new one is a line here.
import type { Feature } from '#server/feature.ts'
import { feature as ledger } from './ledger/feature.ts'
import { feature as paymentSettings } from './payment-settings/feature.ts'

export const money = {
  ledger,
  paymentSettings,
} satisfies Record<string, Feature>
