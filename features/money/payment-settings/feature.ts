import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { paymentSettings as contract } from './contract.ts'
import { paymentSettingsRouter as router } from './server.ts'
import { setup } from './server-setup.ts'

export const feature = {
  setup,
  contract,
  router,
  permissions: permissionNodes([
    [53, 5, 82, 'paymentSettings.manage', '支付设置', '/admin/account/settingPayFor', '1'],
    [615, 61, 68, 'paymentSettings.allow', '代理商在线收款', '/admin/operations/agents#pay', 'none'],
  ]),
} satisfies Feature
