import { serve } from '#server/serve.ts'
import { messages as contract } from './contract.ts'
import { sendCode } from './server-codes.ts'
import { listTemplates } from './server-templates.ts'

export { queueMessages } from './server-outbox.ts'

export const messagesRouter = serve(contract, {
  sendCode,
  templates: listTemplates,
})
