// The pages of its features. A feature with pages is a line here.
import { PAGES as partnerDesk } from '#features/agencies/partners/desk/pages.ts'
import type { RoutePage } from '#kit/declare/pages.ts'
import { PAGES as agencyExports } from './agency-exports/pages.ts'
import { PAGES as dashboard } from './dashboard/pages.ts'
import { PAGES as exports } from './exports/pages.ts'
import { PAGES as inbox } from './inbox/pages.ts'
import { PAGES as insights } from './insights/pages.ts'
import { PAGES as operationLog } from './operation-log/pages.ts'
import { PAGES as personErasures } from './person-erasures/pages.ts'

export const PAGES = [
  ...exports,
  ...inbox,
  ...operationLog,
  ...dashboard,
  ...insights,
  ...partnerDesk,
  ...agencyExports,
  ...personErasures,
] as const satisfies readonly RoutePage[]
