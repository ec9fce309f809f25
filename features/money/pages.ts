// The pages of its features. A feature with pages is a line here.
import type { RoutePage } from '#kit/declare/pages.ts'
import { PAGES as ledger } from './ledger/pages.ts'
import { PAGES as paymentSettings } from './payment-settings/pages.ts'

export const PAGES = [...ledger, ...paymentSettings] as const satisfies readonly RoutePage[]
