import { serve } from '#server/serve.ts'
import { acquiringProgress as contract } from './contract.ts'
import { remind } from './server-remind.ts'
import { counts, list } from './server-rows.ts'
import { times } from './server-times.ts'

export const progressRouter = serve(contract, { list, counts, times, remind })
