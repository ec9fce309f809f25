import { serve } from '#server/serve.ts'
import { smsDesk as contract } from './contract.ts'
import { listSmsChanges } from './server-changes.ts'
import { listSmsEntries } from './server-entries.ts'
import { listSmsOrders } from './server-list.ts'

export const smsDeskRouter = serve(contract, {
  changes: listSmsChanges,
  merchantChanges: listSmsEntries,
  orders: listSmsOrders,
})
