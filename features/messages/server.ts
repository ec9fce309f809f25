import { serve } from '#server/serve.ts'
import { messages as contract } from './contract.ts'
import { listAbnormal, settleUnknown } from './server-abnormal.ts'
import { sendCode } from './server-codes.ts'
import { listForecast } from './server-forecast.ts'
import { listLog } from './server-log.ts'
import { listOutbox } from './server-outbox.ts'
import { remind } from './server-reminders.ts'
import { resend } from './server-resend.ts'
import { listTemplates } from './server-templates.ts'

export { queueMessages } from './server-outbox.ts'

export const messagesRouter = serve(contract, {
  sendCode,
  remind,
  outbox: listOutbox,
  templates: listTemplates,
  log: listLog,
  resend,
  abnormal: listAbnormal,
  settleUnknown,
  forecast: listForecast,
})
