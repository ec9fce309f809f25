import { serve } from '#server/serve.ts'
import { onboardings as contract } from './contract.ts'
import { ask, complete, handOver, ofApplication, submit } from './server-save.ts'

export const onboardingsRouter = serve(contract, { ofApplication, complete, submit, ask, handOver })
