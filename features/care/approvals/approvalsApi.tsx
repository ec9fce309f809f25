import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { approvals } from './contract.ts'

export const approvalsApi = api<typeof approvals>('approvals')

export type ApprovalRow = Out<typeof approvals.signatures>['rows'][number]
export type AtService = Out<typeof approvals.atServices>['rows'][number]
export type Decided = Out<typeof approvals.approve>

export const LOOK_AGAIN_MS = 3_000

/** While a request lies with the SMS services, whoever looks at it sees by itself what they say. */
export function lookAgainMs(row: ApprovalRow | undefined): number | false {
  return row?.state === 'reviewing' && LOOK_AGAIN_MS
}
