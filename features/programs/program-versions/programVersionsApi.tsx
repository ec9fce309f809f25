import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { programVersions } from './contract.ts'

export const programVersionsApi = api<typeof programVersions>('programVersions')

export type BoardData = Out<typeof programVersions.details>
export type AuditData = BoardData['audits'][number]
