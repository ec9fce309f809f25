import { permissionNodes } from '#kit/permission.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { messages as contract } from './contract.ts'
import { jobs } from './jobs.ts'
import { SMS_TEMPLATES } from './reference.ts'
import { messagesRouter as router } from './server.ts'
import { askAboutSent } from './server-details.ts'
import { messageLogDownload } from './server-export.ts'
import { receiptCallback } from './server-receipts.ts'
import { sendQueued } from './server-sending.ts'
import { smsTemplates } from './tables.ts'

export const feature = {
  contract,
  router,
  downloads: { log: messageLogDownload },
  callbacks: [receiptCallback],
  permissions: permissionNodes([
    [
      231,
      23,
      20,
      'messages.remind',
      '发送续费提醒',
      '/admin/merchant/overdueMerchants#remind',
      'none',
      false,
    ],
    [211, 2, 27, 'messages.log', '短信发送记录', '/admin/merchant/smsSendLog', '1', true],
    [212, 211, 28, 'messages.resend', '重发短信', '/admin/merchant/smsSendLog#resend', '1', false],
    [213, 2, 29, 'messages.forecast', '短信余量预测', '/admin/merchant/smsForecast', '1', true],
    [214, 2, 30, 'messages.abnormal', '异常短信', '/admin/merchant/smsManageError', '888', true],
    [62, 6, 69, 'messages.outbox', '短信发件箱', '/admin/operations/outbox', 'none', true],
  ]),
  reference: [rowsOf(smsTemplates, SMS_TEMPLATES)],
  jobs,
  clearing: [`delete from verification_codes where expires_at < now() - interval '2 days'`],
  loops: {
    sending: { everyMs: 2_000, afterMs: 20, work: sendQueued, heard: 'outbox_queued' },
    asking: { everyMs: 5_000, afterMs: 0, work: askAboutSent },
  },
} satisfies Feature
