import { serve } from '#server/serve.ts'
import { payments as contract } from './contract.ts'
import { cashier, cashierAttempt, cashierInApp } from './server-cashier.ts'
import { check, offer, refresh, result, startSms, startTokens } from './server-start.ts'

export const paymentsRouter = serve(contract, {
  offer,
  startSms,
  startTokens,
  refresh,
  result,
  check,
  cashier,
  cashierAttempt,
  cashierInApp,
})
