import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { agencyExports as contract } from './contract.ts'
import { KEPT_DAYS } from './rules.ts'
import { agencyExportsRouter as router } from './server.ts'
import { certificateDownload, fileDownload } from './server-files.ts'

export const feature = {
  contract,
  router,
  downloads: { file: fileDownload, certificate: certificateDownload },
  permissions: permissionNodes([
    [694, 6, 69, 'agencyExports.manage', '数据移交', '/admin/operations/agency-exports', 'none'],
  ]),
  settings: [KEPT_DAYS],
} satisfies Feature
