import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { dashboard as contract } from './contract.ts'
import { dashboardRouter as router } from './server.ts'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([[272, 27, 2, 'dashboard.figures', '经营数据', '/admin/index#figures', '1']]),
} satisfies Feature
