import { DIRECT_ROWS } from '#kit/declare/list.ts'
import type { Feature } from '#server/feature.ts'
import { exports as contract } from './contract.ts'
import { KEPT_HOURS } from './rules.ts'
import { exportsRouter as router } from './server.ts'
import { exportFileDownload } from './server-file.ts'

export const feature = {
  contract,
  router,
  downloads: { file: exportFileDownload },
  clearing: [
    { table: 'export_jobs', at: 'expires_at' },
    { table: 'export_jobs', at: 'created_at', after: KEPT_HOURS, only: `state in ('failed', 'cancelled')` },
  ],
  settings: [DIRECT_ROWS, KEPT_HOURS],
} satisfies Feature
