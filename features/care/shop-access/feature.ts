import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { shopAccess as contract } from './contract.ts'
import { shopAccessRouter as router } from './server.ts'
import { setup } from './server-setup.ts'

export const feature = {
  setup,
  contract,
  router,
  permissions: permissionNodes([
    [227, 22, 18, 'shopAccess.changePhone', '修改手机号', '/admin/merchant/merchantDetails#phone', '1'],
    [228, 22, 19, 'shopAccess.resetPassword', '重置密码', '/admin/merchant/merchantDetails#password', '1'],
    [230, 22, 25, 'shopAccess.handOver', '开店资料', '/admin/merchant/handOver', '1', false],
  ]),
} satisfies Feature
