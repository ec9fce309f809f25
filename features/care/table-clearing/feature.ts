import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { tableClearing as contract } from './contract.ts'
import { jobs } from './jobs.ts'
import { DECIDE_HOURS, SECOND_PERSON_ROWS } from './rules.ts'
import { tableClearingRouter as router } from './server.ts'
import { inbox } from './server-inbox.ts'
import { clearingsDownload } from './server-rows.ts'
import { setup } from './server-setup.ts'
import { workOnClearings } from './server-work.ts'

const TOOL = '/admin/tool/clearTable'

export const feature = {
  setup,
  contract,
  router,
  downloads: { list: clearingsDownload },
  // The pages carry the documents' marker of the tools; what is done there is the vendor's staff's alone.
  permissions: permissionNodes([
    [840, 7, 66, 'tableClearing.find', '清空数据', TOOL, '666'],
    [841, 7, 67, 'tableClearing.list', '清空记录', '/admin/tool/clearings', '666'],
    [842, 840, 68, 'tableClearing.clear', '清空与恢复', `${TOOL}#clear`, '888'],
    [843, 841, 69, 'tableClearing.approve', '审批清空数据', '/admin/tool/clearings#approve', '888'],
  ]),
  jobs,
  loops: { tableClearings: { everyMs: 2_000, afterMs: 100, work: workOnClearings } },
  inbox,
  settings: [SECOND_PERSON_ROWS, DECIDE_HOURS],
} satisfies Feature
