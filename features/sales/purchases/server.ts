import { serve } from '#server/serve.ts'
import { purchases as contract } from './contract.ts'
import { confirmBulk, quoteBulk } from './server-bulk.ts'
import { listBranches, listOffers } from './server-offers.ts'
import { confirmPurchase, quotePurchase } from './server-purchase.ts'

export const purchasesRouter = serve(contract, {
  offers: listOffers,
  branches: listBranches,
  quote: quotePurchase,
  confirm: confirmPurchase,
  bulkQuote: quoteBulk,
  bulkConfirm: confirmBulk,
})
