import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { selling as contract } from './contract.ts'
import { TRIAL_DAYS, TRIALS_PER_DAY } from './rules.ts'
import { sellingRouter as router } from './server.ts'
import { setup } from './server-setup.ts'

export const feature = {
  setup,
  contract,
  router,
  settings: [TRIAL_DAYS, TRIALS_PER_DAY],
  permissions: permissionNodes([[21, 2, 4, 'selling.add', '新增商户', '/admin/merchant/addUser', '1']]),
} satisfies Feature
