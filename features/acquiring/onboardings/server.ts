import { serve } from '#server/serve.ts'
import { onboardings as contract } from './contract.ts'
import { removePerson, savePerson } from './server-people.ts'
import { ask, complete, handOver, ofApplication, submit } from './server-save.ts'

export const onboardingsRouter = serve(contract, {
  ...{ ofApplication, complete, savePerson, removePerson, submit, ask, handOver },
})
