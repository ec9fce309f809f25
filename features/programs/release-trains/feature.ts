import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { releaseTrains as contract } from './contract.ts'
import { releaseTrainsRouter as router } from './server.ts'
import { inbox } from './server-inbox.ts'
import { workOnTrains } from './server-work.ts'

const PAGE = '/admin/schedule/releaseTrains'

export const feature = {
  contract,
  router,
  inbox,
  loops: { releaseTrains: { everyMs: 2_000, afterMs: 20, work: workOnTrains } },
  permissions: permissionNodes([
    [1078, 2, 44, 'releaseTrains.list', '小程序分批发布', PAGE, '888'],
    [1079, 1078, 1, 'releaseTrains.run', '办理小程序分批发布', `${PAGE}#run`, '888'],
  ]),
} satisfies Feature
