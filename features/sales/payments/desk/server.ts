import {
  ask,
  reconcile,
  refund,
  resolveDifference,
  retryEvent,
  retryRefund,
} from '#features/sales/payments/server-manage.ts'
import { serve } from '#server/serve.ts'
import { paymentDesk as contract } from './contract.ts'
import {
  findPayments,
  listDifferences,
  listEvents,
  listIntents,
  listReconciliations,
  listRefunds,
  readIntent,
} from './server-list.ts'
import { agentChannels, setAgentChannels, setPrices, settings } from './server-settings.ts'

export const paymentDeskRouter = serve(contract, {
  intents: listIntents,
  find: findPayments,
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
  agentChannels,
  setAgentChannels,
})
