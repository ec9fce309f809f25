import { serve } from '#server/serve.ts'
import { payments as contract } from './contract.ts'
import { cashier, cashierAttempt, cashierInApp } from './server-cashier.ts'
import {
  listDifferences,
  listEvents,
  listIntents,
  listReconciliations,
  listRefunds,
  readIntent,
} from './server-list.ts'
import { ask, reconcile, refund, resolveDifference, retryEvent, retryRefund } from './server-manage.ts'
import { agentChannels, savePackage, setAgentChannels, setPrices, settings } from './server-settings.ts'
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
  intents: listIntents,
  intent: readIntent,
  events: listEvents,
  refunds: listRefunds,
  ask,
  retryEvent,
  refund,
  retryRefund,
  reconciliations: listReconciliations,
  differences: listDifferences,
  reconcile,
  resolveDifference,
  settings,
  setPrices,
  savePackage,
  agentChannels,
  setAgentChannels,
})
