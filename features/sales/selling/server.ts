import { serve } from '#server/serve.ts'
import { selling as contract } from './contract.ts'
import { addMerchant, quoteMerchant } from './server-add.ts'

export const sellingRouter = serve(contract, { quote: quoteMerchant, add: addMerchant })
