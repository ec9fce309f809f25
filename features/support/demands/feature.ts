import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { demands as contract } from './contract.ts'
import { jobs } from './jobs.ts'
import { DEMAND_FILE_KB, RESTORE_DAYS } from './rules.ts'
import { demandsRouter as router } from './server.ts'
import { DEMAND_FILES, fileDownload } from './server-files.ts'
import { inbox } from './server-inbox.ts'
import { demandsDownload } from './server-list.ts'

export const feature = {
  contract,
  router,
  downloads: { list: demandsDownload, file: fileDownload },
  permissions: permissionNodes([
    [760, 6, 78, 'demands.list', '需求管理', '/admin/demand', '888'],
    [761, 760, 1, 'demands.edit', '新增和修改需求', '/admin/demand#edit', '888'],
    [762, 760, 2, 'demands.remove', '删除和恢复需求', '/admin/demand#remove', '888'],
    [763, 760, 3, 'demands.export', '导出需求', '/admin/demand#export', '888'],
  ]),
  jobs,
  inbox,
  settings: [DEMAND_FILE_KB],
  clearing: [
    { table: 'demands', at: 'deleted_at', after: { days: RESTORE_DAYS }, only: 'deleted_at is not null' },
  ],
  files: DEMAND_FILES,
} satisfies Feature
