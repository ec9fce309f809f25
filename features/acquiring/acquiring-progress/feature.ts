import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { acquiringProgress as contract } from './contract.ts'
import { progressRouter as router } from './server.ts'
import { inbox } from './server-inbox.ts'
import { listDownload } from './server-rows.ts'

const PAGE = '/admin/merchant/progress'

export const feature = {
  contract,
  router,
  downloads: { list: listDownload },
  inbox,
  permissions: permissionNodes([
    [1060, 2, 40, 'acquiringProgress.list', '开通进度', PAGE, '1'],
    [1061, 1060, 1, 'acquiringProgress.remind', '短信提醒商户', `${PAGE}#remind`, '1'],
    [1062, 1060, 2, 'acquiringProgress.export', '导出开通进度', `${PAGE}#export`, '1'],
  ]),
} satisfies Feature
