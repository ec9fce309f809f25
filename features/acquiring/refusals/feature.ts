import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { refusals as contract } from './contract.ts'
import { refusalsRouter as router } from './server.ts'

const PAGE = '/admin/schedule/payRefusals'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [1005, 2, 39, 'refusals.list', '驳回分析', PAGE, '888'],
    [1006, 1005, 1, 'refusals.advise', '填写更正建议', `${PAGE}#advise`, '888'],
  ]),
} satisfies Feature
