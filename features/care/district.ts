// Its features in their order: each may import of those before it, and of earlier districts. A new one is a line here.
import { feature as messageDesk } from '#features/shops/messages/desk/feature.ts'
import type { Feature } from '#server/feature.ts'
import { feature as approvals } from './approvals/feature.ts'
import { feature as campaigns } from './campaigns/feature.ts'
import { feature as documents } from './documents/feature.ts'
import { feature as feedback } from './feedback/feature.ts'
import { feature as renewals } from './renewals/feature.ts'
import { feature as shopAccess } from './shop-access/feature.ts'
import { feature as shopImport } from './shop-import/feature.ts'
import { feature as tableClearing } from './table-clearing/feature.ts'
import { feature as threads } from './threads/feature.ts'
import { feature as verification } from './verification/feature.ts'

export const care = {
  shopAccess,
  documents,
  approvals,
  verification,
  messageDesk,
  campaigns,
  shopImport,
  tableClearing,
  feedback,
  threads,
  renewals,
} satisfies Record<string, Feature>
