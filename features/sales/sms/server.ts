import { serve } from '#server/serve.ts'
import { sms as contract } from './contract.ts'
import { buyPackage, packagesOf, recallable, recallCredit } from './server-buy.ts'
import { giveCredit } from './server-gift.ts'

export const smsRouter = serve(contract, {
  packages: packagesOf,
  buy: buyPackage,
  recallable,
  recall: recallCredit,
  gift: giveCredit,
})
