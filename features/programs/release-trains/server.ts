import { serve } from '#server/serve.ts'
import { releaseTrains as contract } from './contract.ts'
import { details, list, listShops, ofProgram } from './server-list.ts'
import { rehearse, start, templates } from './server-start.ts'
import { correct, pause, resume, rollBackWave, stop } from './server-steps.ts'

export const releaseTrainsRouter = serve(contract, {
  ...{ list, details, shops: listShops, templates, rehearse, start },
  ...{ pause, resume, stop, rollBackWave, correct, ofProgram },
})
