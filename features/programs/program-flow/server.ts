import { serve } from '#server/serve.ts'
import { programFlow as contract } from './contract.ts'
import { authorizeLink, create, look, returned, setRemark, verify } from './server-ask.ts'
import { details, list } from './server-rows.ts'

export const flowRouter = serve(contract, {
  ...{ list, details, create, look, authorizeLink, returned, verify, setRemark },
})
