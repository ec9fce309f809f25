import { serve } from '#server/serve.ts'
import { inbox as contract } from './contract.ts'
import { listDecided } from './server-decided.ts'
import { assign, listPeople, snooze } from './server-deeds.ts'
import { countInbox, listInbox } from './server-list.ts'

export const inboxRouter = serve(contract, {
  list: listInbox,
  decided: listDecided,
  count: countInbox,
  people: listPeople,
  assign,
  snooze,
})
