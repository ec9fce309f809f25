// The pages of its features. A feature with pages is a line here.
import { PAGES as agentDesk } from '#features/office/agents/desk/pages.ts'
import type { RoutePage } from '#kit/declare/pages.ts'
import { PAGES as merchants } from './merchants/pages.ts'

export const PAGES = [...merchants, ...agentDesk] as const satisfies readonly RoutePage[]
