import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { settlementAccounts } from './contract.ts'

export const settlementAccountsApi = api<typeof settlementAccounts>('settlementAccounts')

export type SettlementData = Out<typeof settlementAccounts.ofApplication>
export type AcquirerSettlementData = Out<typeof settlementAccounts.ofAcquirer>
