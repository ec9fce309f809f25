import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { LOG_LOOP } from '#server/operation-log.ts'
import { operationLog as contract } from './contract.ts'
import { JOBS, MONTHS_AHEAD, MONTHS_JOB } from './jobs.ts'
import { ARCHIVED_MONTHS, KEPT_MONTHS } from './rules.ts'
import { operationLogRouter as router } from './server.ts'
import { linkLog } from './server-link.ts'
import { logDownload } from './server-list.ts'
import { LOG_BOOK } from './verify.ts'

export const feature = {
  contract,
  router,
  downloads: { list: logDownload },
  permissions: permissionNodes([
    [59, 5, 90, 'operationLog.list', '操作日志', '/admin/account/operationLog', '1'],
    [591, 59, 91, 'operationLog.export', '导出操作日志', '/admin/account/operationLog#export', '1'],
  ]),
  settings: [KEPT_MONTHS, ARCHIVED_MONTHS],
  starting: [MONTHS_AHEAD],
  jobs: JOBS,
  clearing: [
    { table: 'operation_logs', at: 'created_at', after: KEPT_MONTHS, job: MONTHS_JOB },
    { table: 'operation_log_links', at: 'created_at', after: KEPT_MONTHS, job: MONTHS_JOB },
    { table: 'operation_log_erasures', at: 'created_at', after: KEPT_MONTHS, job: MONTHS_JOB },
    {
      ...{ table: 'operation_log_archives', at: 'archived_at', after: ARCHIVED_MONTHS, job: MONTHS_JOB },
      empties: ['file_key'],
    },
  ],
  loops: { [LOG_LOOP]: { everyMs: 500, afterMs: 20, work: linkLog } },
  books: [LOG_BOOK],
} satisfies Feature
