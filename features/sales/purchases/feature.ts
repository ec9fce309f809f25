import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { purchases as contract } from './contract.ts'
import { purchasesRouter as router } from './server.ts'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [224, 22, 14, 'purchases.buy', '版本购买', '/admin/merchant/versionUp1', '1', false],
    [252, 25, 22, 'purchases.bulk', '批量续费', '/admin/merchant/renewals#bulk', '1'],
  ]),
} satisfies Feature
