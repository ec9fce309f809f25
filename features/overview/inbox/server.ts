import { serve } from '#server/serve.ts'
import { inbox as contract } from './contract.ts'
import { assign, listPeople, snooze } from './server-deeds.ts'
import { countInbox, listInbox } from './server-list.ts'

export const inboxRouter = serve(contract, {
  list: listInbox,
  count: countInbox,
  people: listPeople,
  assign,
  snooze,
})
