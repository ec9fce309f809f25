import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { acquirerOnboardings as contract } from './contract.ts'
import { ACQUIRER_HOURS } from './rules.ts'
import { acquirerOnboardingsRouter as router } from './server.ts'
import { handInAndAsk } from './server-hand-in-rounds.ts'
import { inbox } from './server-inbox.ts'
import { packageDownload } from './server-package.ts'
import { listDownload } from './server-rows.ts'
import { tryPayments } from './server-test-rounds.ts'

const LIST = '/admin/merchant/acquiring'

export const feature = {
  contract,
  router,
  downloads: { list: listDownload, package: packageDownload },
  inbox,
  loops: {
    acquirerTests: { everyMs: 2_000, afterMs: 20, work: tryPayments },
    acquirerHandIns: { everyMs: 2_000, afterMs: 20, work: handInAndAsk },
  },
  permissions: permissionNodes([
    [1010, 2, 39, 'acquirerOnboardings.list', '收单进件', LIST, '1'],
    [1011, 1010, 1, 'acquirerOnboardings.edit', '填写收单进件', `${LIST}#edit`, '1'],
    [1012, 1010, 2, 'acquirerOnboardings.export', '导出收单进件', `${LIST}#export`, '1'],
    [1013, 1010, 3, 'acquirerOnboardings.decide', '审核与送件', `${LIST}#decide`, '888'],
  ]),
  settings: [ACQUIRER_HOURS],
} satisfies Feature
