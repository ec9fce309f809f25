import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { renewals as contract } from './contract.ts'
import { renewalsRouter as router } from './server.ts'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [25, 2, 6, 'renewals.desk', '续费工作台', '/admin/merchant/renewals', '1'],
    [251, 25, 21, 'renewals.mark', '续费跟进', '/admin/merchant/renewals#mark', '1'],
  ]),
} satisfies Feature
