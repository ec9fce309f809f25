import { serve } from '#server/serve.ts'
import { tableClearing as contract } from './contract.ts'
import { approve, ask, cancel, countTables, findShop, reject, restore } from './server-ask.ts'
import { findDetails, listClearings } from './server-rows.ts'

export const tableClearingRouter = serve(contract, {
  find: findShop,
  tables: countTables,
  list: listClearings,
  details: findDetails,
  ask,
  approve,
  reject,
  cancel,
  restore,
})
