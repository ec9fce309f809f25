import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { downloads as contract } from './contract.ts'
import { DOWNLOAD_FILE, DOWNLOAD_MB, FILE_TYPE } from './rules.ts'
import { fileDownload, downloadsRouter as router } from './server.ts'

export const feature = {
  contract,
  router,
  downloads: { file: fileDownload },
  permissions: permissionNodes([
    [822, 6, 87, 'downloads.manage', '下载管理', '/admin/help/files', '888'],
    [823, 822, 1, 'downloads.edit', '上传和下架文件', '/admin/help/files#edit', '888'],
  ]),
  settings: [DOWNLOAD_MB],
  files: {
    [DOWNLOAD_FILE]: {
      permission: 'downloads.edit',
      log: '上传下载文件',
      shared: true,
      streamed: { most: DOWNLOAD_MB, typeOf: () => FILE_TYPE, refusal: '' },
      usedBy: [{ table: 'download_files', column: 'file_id' }],
    },
  },
} satisfies Feature
