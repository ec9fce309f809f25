import { findByAccount } from '#features/shops/merchants/server-list.ts'
import { serve } from '#server/serve.ts'
import { paymentApplications as contract } from './contract.ts'
import { banks, branches } from './server-banks.ts'
import { approve, reject, review } from './server-decide.ts'
import { details, list, ofShop, reviews } from './server-rows.ts'
import { save, submit } from './server-save.ts'

export const applicationsRouter = serve(contract, {
  ...{ list, reviews, details, find: findByAccount, ofShop, save, submit },
  ...{ approve, reject, review, banks, branches },
})
