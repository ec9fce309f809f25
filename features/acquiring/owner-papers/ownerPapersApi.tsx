import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { ownerPapers } from './contract.ts'

export const ownerPapersApi = api<typeof ownerPapers>('ownerPapers')

/** What one link brought, as the desk sees it. */
export type OwnerPapersData = NonNullable<Out<typeof ownerPapers.ofShop>['standing']>
type Page = Out<typeof ownerPapers.page>
/** What the owner sees whose phone has proven itself. */
export type OwnerFormData = NonNullable<Page['form']>
export type OwnerPageData = Page
