import { serve } from '#server/serve.ts'
import { messageDesk as contract } from './contract.ts'
import { listAbnormal, settleUnknown } from './server-abnormal.ts'
import { listForecast } from './server-forecast.ts'
import { listLog } from './server-log.ts'
import { listOutbox } from './server-outbox.ts'
import { remind, reminderText } from './server-reminders.ts'
import { resend } from './server-resend.ts'
import { sendTest } from './server-tests.ts'

export const messageDeskRouter = serve(contract, {
  reminderText,
  remind,
  outbox: listOutbox,
  sendTest,
  log: listLog,
  resend,
  abnormal: listAbnormal,
  settleUnknown,
  forecast: listForecast,
})
