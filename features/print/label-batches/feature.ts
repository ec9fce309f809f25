import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { labelBatches as contract } from './contract.ts'
import { BATCH_PATH } from './rules.ts'
import { labelBatchesRouter as router, templateDownload } from './server.ts'

export const feature = {
  contract,
  router,
  downloads: { template: templateDownload },
  permissions: permissionNodes([[931, 6, 97, 'labelBatches.print', '批量打印标签', BATCH_PATH, '888']]),
} satisfies Feature
