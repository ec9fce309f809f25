import { serve } from '#server/serve.ts'
import { settlementAccounts as contract } from './contract.ts'
import { change, changeAtAcquirer, ofAcquirer, ofApplication, standing } from './server-change.ts'

export const settlementAccountsRouter = serve(contract, {
  ofApplication,
  standing,
  change,
  ofAcquirer,
  changeAtAcquirer,
})
