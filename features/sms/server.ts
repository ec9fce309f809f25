import { serve } from '#server/serve.ts'
import { sms as contract } from './contract.ts'
import { buyPackage, packagesOf, recallable, recallCredit } from './server-buy.ts'
import { listSmsChanges } from './server-changes.ts'
import { listSmsEntries } from './server-entries.ts'
import { giveCredit } from './server-gift.ts'
import { listSmsOrders } from './server-list.ts'

export const smsRouter = serve(contract, {
  packages: packagesOf,
  buy: buyPackage,
  recallable,
  recall: recallCredit,
  gift: giveCredit,
  changes: listSmsChanges,
  merchantChanges: listSmsEntries,
  orders: listSmsOrders,
})
