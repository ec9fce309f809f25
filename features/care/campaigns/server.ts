import { serve } from '#server/serve.ts'
import { campaigns as contract } from './contract.ts'
import { continueSending, remainder } from './server-continue.ts'
import { discard, save } from './server-draft.ts'
import { details, listCampaigns } from './server-list.ts'
import { preview } from './server-preview.ts'
import { cancel, send } from './server-send.ts'

export const campaignsRouter = serve(contract, {
  list: listCampaigns,
  details,
  preview,
  save,
  discard,
  send,
  remainder,
  continue: continueSending,
  cancel,
})
