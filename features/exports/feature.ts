import type { Feature } from '#server/feature.ts'
import { exports as contract } from './contract.ts'
import { exportsRouter as router } from './server.ts'
import { exportFileDownload } from './server-file.ts'

export const feature = {
  contract,
  router,
  downloads: { file: exportFileDownload },
  clearing: [
    `delete from export_jobs where expires_at < now()
       or state in ('failed', 'cancelled') and created_at < now() - interval '24 hours'`,
  ],
} satisfies Feature
