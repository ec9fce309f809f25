import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import type { approvals } from './contract.ts'

export const approvalsApi = api<typeof approvals>('approvals')

export type ApprovalRow = Out<typeof approvals.signatures>['rows'][number]
export type Decided = Out<typeof approvals.approve>
