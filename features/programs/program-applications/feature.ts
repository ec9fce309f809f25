import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { programApplications as contract } from './contract.ts'
import { PROGRAM_APPLICATION_HOURS } from './rules.ts'
import { applicationsRouter as router } from './server.ts'
import { inbox } from './server-inbox.ts'
import { zipDownload } from './server-zip.ts'

const LIST = '/admin/schedule/appApplication'

export const feature = {
  contract,
  router,
  downloads: { zip: zipDownload },
  inbox,
  permissions: permissionNodes([
    [1070, 2, 41, 'programApplications.list', '小程序申请', LIST, '1'],
    [1071, 1070, 1, 'programApplications.edit', '提交小程序申请', `${LIST}#edit`, '1'],
    [1072, 1070, 2, 'programApplications.decide', '审核小程序申请', `${LIST}#decide`, '888'],
    [1073, 1070, 3, 'programApplications.remove', '删除小程序申请', `${LIST}#remove`, '1'],
  ]),
  settings: [PROGRAM_APPLICATION_HOURS],
} satisfies Feature
