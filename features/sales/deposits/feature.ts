import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { deposits as contract } from './contract.ts'
import { depositsRouter as router } from './server.ts'
import { inbox } from './server-inbox.ts'
import { paidDeposit } from './server-payment.ts'
import { depositsDownload } from './server-rows.ts'

const PAGE = '/admin/tool/importDeposit'

export const feature = {
  contract,
  router,
  downloads: { list: depositsDownload },
  inbox,
  permissions: permissionNodes([
    [1040, 2, 39, 'deposits.list', '押金', PAGE, '1'],
    [1041, 1040, 1, 'deposits.ask', '收取押金', `${PAGE}#ask`, '888'],
    [1042, 1040, 2, 'deposits.request', '申请退还押金', `${PAGE}#request`, '1'],
    [1043, 1040, 3, 'deposits.decide', '审批押金', `${PAGE}#decide`, '888'],
    [1044, 1040, 4, 'deposits.export', '导出押金', `${PAGE}#export`, '1'],
  ]),
  paid: { deposit: paidDeposit },
} satisfies Feature
