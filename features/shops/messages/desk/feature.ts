import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { messageDesk as contract } from './contract.ts'
import { jobs } from './jobs.ts'
import { messageDeskRouter as router } from './server.ts'
import { messageLogDownload } from './server-export.ts'
import { inbox } from './server-inbox.ts'

export const feature = {
  contract,
  router,
  inbox,
  downloads: { log: messageLogDownload },
  permissions: permissionNodes([
    [231, 23, 20, 'messageDesk.remind', '发送续费提醒', '/admin/merchant/overdueMerchants#remind', 'none'],
    [211, 2, 27, 'messageDesk.log', '短信发送记录', '/admin/merchant/smsSendLog', '1'],
    [212, 211, 28, 'messageDesk.resend', '重发短信', '/admin/merchant/smsSendLog#resend', '1'],
    [213, 2, 29, 'messageDesk.forecast', '短信余量预测', '/admin/merchant/smsForecast', '1'],
    [214, 2, 30, 'messageDesk.abnormal', '异常短信', '/admin/merchant/smsManageError', '888'],
    [62, 6, 69, 'messageDesk.outbox', '短信发件箱', '/admin/operations/outbox', 'none'],
  ]),
  jobs,
} satisfies Feature
