import { serve } from '#server/serve.ts'
import { programFlow as contract } from './contract.ts'
import { authorizeLink, create, look, returned, setRemark, verify } from './server-ask.ts'
import { ownerBegin, ownerLink, ownerPage, ownerReturned } from './server-owner.ts'
import { details, list } from './server-rows.ts'

export const flowRouter = serve(contract, {
  ...{ ownerLink, ownerPage, ownerBegin, ownerReturned },
  ...{ list, details, create, look, authorizeLink, returned, verify, setRemark },
})
