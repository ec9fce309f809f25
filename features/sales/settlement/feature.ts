import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { settlement as contract } from './contract.ts'
import { jobs } from './jobs.ts'
import { UNDO_COUNT } from './rules.ts'
import { settlementRouter as router } from './server.ts'
import { inbox } from './server-approval.ts'
import { billsDownload } from './server-bills.ts'
import { statementDownload, statementPdf } from './server-statement-files.ts'

export const feature = {
  contract,
  router,
  inbox,
  downloads: { bills: billsDownload, statement: statementDownload, statementPdf },
  permissions: permissionNodes([
    [42, 4, 47, 'settlement.bills', '账单明细', '/admin/detail/billingDetails', '1'],
    [421, 42, 48, 'settlement.undo', '撤销订单', '/admin/detail/billingDetails#undo', '1'],
    [422, 42, 49, 'settlement.approve', '审批撤销', '/admin/detail/billingDetails#approve', '888'],
    [423, 42, 50, 'settlement.settings', '撤销审批设置', '/admin/detail/billingDetails#settings', 'none'],
    [424, 42, 51, 'settlement.export', '导出账单', '/admin/detail/billingDetails#export', '1'],
    [43, 4, 57, 'settlement.statement', '月度对账单', '/admin/detail/statement', '1'],
    [44, 4, 58, 'settlement.subAgents', '下级代理', '/admin/detail/subAgents', '1'],
    [441, 44, 59, 'settlement.allocate', '划拨余额', '/admin/detail/subAgents#allocate', '1'],
  ]),
  settings: [UNDO_COUNT],
  jobs,
} satisfies Feature
