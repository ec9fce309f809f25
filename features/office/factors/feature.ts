import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { factors as contract } from './contract.ts'
import { factorsRouter as router } from './server.ts'
import { setup } from './server-setup.ts'

export const feature = {
  setup,
  contract,
  router,
  permissions: permissionNodes([
    [54, 5, 84, 'factors.rules', '安全设置', '/admin/account/securitySettings', '1'],
  ]),
  clearing: [
    { table: 'factor_challenges', at: 'expires_at' },
    { table: 'factor_failures', at: 'created_at', after: { days: 1 } },
  ],
} satisfies Feature
