import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { partnerClosing as contract } from './contract.ts'
import { partnerClosingRouter as router } from './server.ts'
import { workOnClosings } from './server-work.ts'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [693, 6, 68, 'partnerClosing.manage', '停止合作', '/admin/operations/closings', 'none'],
  ]),
  loops: { closings: { everyMs: 5_000, afterMs: 100, work: workOnClosings } },
} satisfies Feature
