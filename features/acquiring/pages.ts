// The pages of its features. A feature with pages is a line here.
import type { RoutePage } from '#kit/declare/pages.ts'
import { PAGES as paymentApplications } from './payment-applications/pages.ts'

export const PAGES = [...paymentApplications] as const satisfies readonly RoutePage[]
