import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { partnerApplications as contract } from './contract.ts'
import { ANSWER_DAYS, LICENCE_LIMITS, LICENCE_PICTURE } from './rules.ts'
import { partnerApplicationsRouter as router } from './server.ts'
import { inbox } from './server-inbox.ts'
import { licenceDownload } from './server-licence.ts'

export const feature = {
  contract,
  router,
  downloads: { licence: licenceDownload },
  inbox,
  settings: [ANSWER_DAYS],
  permissions: permissionNodes([
    [691, 6, 78, 'partnerApplications.list', '合作申请', '/admin/operations/applications', '888'],
    [
      692,
      691,
      79,
      'partnerApplications.decide',
      '处理合作申请',
      '/admin/operations/applications#decide',
      '888',
    ],
  ]),
  files: {
    [LICENCE_PICTURE]: {
      permission: 'partnerApplications.decide',
      log: '上传营业执照',
      shared: false,
      sealed: true,
      side: LICENCE_LIMITS.side,
      usedBy: [{ table: 'partner_applications', column: 'licence_id' }],
    },
  },
  clearing: [{ table: 'partner_application_codes', at: 'expires_at', after: { days: 2 } }],
} satisfies Feature
