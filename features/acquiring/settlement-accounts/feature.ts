import type { Feature } from '#server/feature.ts'
import { settlementAccounts as contract } from './contract.ts'
import { settlementAccountsRouter as router } from './server.ts'
import { changeAndAsk } from './server-service.ts'

export const feature = {
  contract,
  router,
  loops: { settlementAccounts: { everyMs: 5_000, afterMs: 20, work: changeAndAsk } },
} satisfies Feature
