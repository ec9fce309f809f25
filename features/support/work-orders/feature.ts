import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { workOrders as contract } from './contract.ts'
import { jobs } from './jobs.ts'
import { WORK_ORDER_DAYS, WORK_ORDER_HOURS, WORK_ORDER_PICTURE_KB, WORK_ORDERS_PER_DAY } from './rules.ts'
import { workOrdersRouter as router } from './server.ts'
import { allWorkOrdersDownload, WORK_ORDER_FILES, workOrdersDownload } from './server-files.ts'
import { inbox } from './server-inbox.ts'

/** The group 帮助与反馈 of features/care/threads. */
const HELP = 740
const LIST = '/admin/help/workOrder'
const ALL = '/admin/help/workOrderList'

export const feature = {
  contract,
  router,
  downloads: { list: workOrdersDownload, all: allWorkOrdersDownload },
  permissions: permissionNodes([
    [850, HELP, 10, 'workOrders.list', '我的工单', LIST, '1'],
    [851, 850, 11, 'workOrders.write', '新建和回复工单', `${LIST}#write`, '1'],
    [852, 850, 12, 'workOrders.export', '导出工单', `${LIST}#export`, '1'],
    [853, HELP, 13, 'workOrders.all', '工单处理', ALL, '888'],
    [854, 853, 14, 'workOrders.handle', '处理工单', `${ALL}#handle`, '888'],
    [855, 853, 15, 'workOrders.exportAll', '导出全部工单', `${ALL}#export`, '888'],
  ]),
  settings: [...Object.values(WORK_ORDER_HOURS), WORK_ORDER_DAYS, WORK_ORDERS_PER_DAY, WORK_ORDER_PICTURE_KB],
  files: WORK_ORDER_FILES,
  inbox,
  jobs,
  clearing: [{ table: 'work_order_presence', at: 'seen_at', after: { days: 1 } }],
} satisfies Feature
