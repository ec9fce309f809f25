import { serve } from '#server/serve.ts'
import { posChanges as contract } from './contract-pos.ts'
import { readChanges } from './server.ts'

export const posChangesRouter = serve(contract, { changes: readChanges })
