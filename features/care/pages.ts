// The pages of its features. A feature with pages is a line here.
import { PAGES as messageDesk } from '#features/shops/messages/desk/pages.ts'
import type { RoutePage } from '#kit/declare/pages.ts'
import { PAGES as approvals } from './approvals/pages.ts'
import { PAGES as campaigns } from './campaigns/pages.ts'
import { PAGES as documents } from './documents/pages.ts'
import { PAGES as feedback } from './feedback/pages.ts'
import { PAGES as renewals } from './renewals/pages.ts'
import { PAGES as shopAccess } from './shop-access/pages.ts'
import { PAGES as shopImport } from './shop-import/pages.ts'
import { PAGES as tableClearing } from './table-clearing/pages.ts'
import { PAGES as threads } from './threads/pages.ts'
import { PAGES as verification } from './verification/pages.ts'

export const PAGES = [
  ...shopAccess,
  ...documents,
  ...approvals,
  ...verification,
  ...messageDesk,
  ...campaigns,
  ...shopImport,
  ...tableClearing,
  ...feedback,
  ...threads,
  ...renewals,
] as const satisfies readonly RoutePage[]
