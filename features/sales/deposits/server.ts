import { serve } from '#server/serve.ts'
import { deposits as contract } from './contract.ts'
import { pay, readPage } from './server-payment.ts'
import { details, listDeposits, ofShop } from './server-rows.ts'
import { approve, ask, cancel, payOut, reject, request, withdraw } from './server-steps.ts'

export const depositsRouter = serve(contract, {
  ...{ list: listDeposits, details, ofShop },
  ...{ ask, cancel, request, withdraw, approve, reject, payOut, page: readPage, pay },
})
