import { serve } from '#server/serve.ts'
import { operationLog as contract } from './contract.ts'
import { historyOf, listLog, people } from './server-list.ts'

export const operationLogRouter = serve(contract, { list: listLog, history: historyOf, people })
