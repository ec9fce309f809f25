import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { personErasures as contract } from './contract.ts'
import { personErasuresRouter as router } from './server.ts'
import { inbox } from './server-inbox.ts'
import { certificateDownload, knownDownload } from './server-paper.ts'
import { workOnErasures } from './server-work.ts'

export const feature = {
  contract,
  router,
  downloads: { known: knownDownload, certificate: certificateDownload },
  permissions: permissionNodes([
    [696, 6, 80, 'personErasures.manage', '个人信息删除', '/admin/operations/person-erasures', 'none'],
  ]),
  inbox,
  loops: { personErasures: { everyMs: 5_000, afterMs: 100, workAsOwner: workOnErasures } },
} satisfies Feature
