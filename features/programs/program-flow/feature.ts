import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { programFlow as contract } from './contract.ts'
import { flowRouter as router } from './server.ts'
import { inbox } from './server-inbox.ts'
import { followPlatform } from './server-rounds.ts'

const PAGE = '/admin/schedule/AppletFlow'

export const feature = {
  contract,
  router,
  inbox,
  loops: { programFlows: { everyMs: 2_000, afterMs: 20, work: followPlatform } },
  permissions: permissionNodes([
    [1076, 2, 43, 'programFlow.list', '小程序进度', PAGE, '1'],
    [1077, 1076, 1, 'programFlow.edit', '办理小程序进度', `${PAGE}#edit`, '1'],
  ]),
} satisfies Feature
