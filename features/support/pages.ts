// The pages of its features. A feature with pages is a line here.
import type { RoutePage } from '#kit/declare/pages.ts'
import { PAGES as consultations, PUBLIC_PAGES as publicConsultations } from './consultations/pages.ts'
import { PAGES as demands } from './demands/pages.ts'
import { PAGES as downloads } from './downloads/pages.ts'
import { PAGES as help } from './help/pages.ts'
import { PAGES as workOrders } from './work-orders/pages.ts'

export const PAGES = [
  ...help,
  ...downloads,
  ...consultations,
  ...demands,
  ...workOrders,
] as const satisfies readonly RoutePage[]

export const PUBLIC_PAGES = [...publicConsultations] as const
