import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { partnerDesk as contract } from './contract.ts'
import { jobs } from './jobs.ts'
import { CONTRACT_DAYS, PAPER_FILE, PAPER_KB } from './rules.ts'
import { partnerDeskRouter as router } from './server.ts'
import { partnersDownload } from './server-list.ts'
import { paperDownload } from './server-notes.ts'

export const feature = {
  contract,
  router,
  downloads: { list: partnersDownload, paper: paperDownload },
  permissions: permissionNodes([
    [618, 61, 68, 'partnerDesk.view', '代理商详情', '/admin/operations/agents#details', '888'],
    [619, 61, 68, 'partnerDesk.write', '代理商备注与资料', '/admin/operations/agents#notes', '888'],
    [616, 61, 68, 'partnerDesk.export', '导出代理商', '/admin/operations/agents#export', '888'],
  ]),
  settings: [CONTRACT_DAYS, PAPER_KB],
  jobs,
  files: {
    [PAPER_FILE]: {
      permission: 'partnerDesk.write',
      log: '上传合作伙伴文件',
      shared: false,
      sealed: true,
      most: PAPER_KB,
      usedBy: [{ table: 'partner_papers', column: 'file_id' }],
    },
  },
} satisfies Feature
