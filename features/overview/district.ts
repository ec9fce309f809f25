// Its features in their order: each may import of those before it, and of earlier districts. A new one is a line here.
import { feature as partnerDesk } from '#features/agencies/partners/desk/feature.ts'
import type { Feature } from '#server/feature.ts'
import { feature as agencyExports } from './agency-exports/feature.ts'
import { feature as dashboard } from './dashboard/feature.ts'
import { feature as exports } from './exports/feature.ts'
import { feature as inbox } from './inbox/feature.ts'
import { feature as insights } from './insights/feature.ts'
import { feature as operationLog } from './operation-log/feature.ts'
import { feature as personErasures } from './person-erasures/feature.ts'
import { feature as setup } from './setup/feature.ts'

export const overview = {
  exports,
  inbox,
  operationLog,
  setup,
  dashboard,
  insights,
  partnerDesk,
  agencyExports,
  personErasures,
} satisfies Record<string, Feature>
