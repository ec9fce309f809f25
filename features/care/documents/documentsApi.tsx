import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { documents } from './contract.ts'
import type { LookPurpose } from './rules.ts'

export const documentsApi = api<typeof documents>('documents')
export type DocumentRow = Out<typeof documents.ofShop>['rows'][number]

/** Where a paper's picture lies, with the mark of who looks; each request of it is logged. */
export function lookAddress(id: number | string, purpose: LookPurpose): string {
  return `/api/documents/${id}/picture?purpose=${purpose}`
}
