import { serve } from '#server/serve.ts'
import { acquiringProgress as contract } from './contract.ts'
import { remind } from './server-remind.ts'
import { counts, list } from './server-rows.ts'

export const progressRouter = serve(contract, { list, counts, remind })
