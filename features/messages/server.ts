import { serve } from '#server/serve.ts'
import { messages as contract } from './contract.ts'
import { sendCode } from './server-codes.ts'
import { listOutbox } from './server-outbox.ts'
import { remind } from './server-reminders.ts'

export { queueMessages } from './server-outbox.ts'

export const messagesRouter = serve(contract, { sendCode, remind, outbox: listOutbox })
