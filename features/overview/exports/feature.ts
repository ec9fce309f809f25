import { DIRECT_ROWS } from '#kit/declare/list.ts'
import type { Feature } from '#server/feature.ts'
import { settingInSql } from '#server/office/settings.ts'
import { exports as contract } from './contract.ts'
import { KEPT_HOURS } from './rules.ts'
import { exportsRouter as router } from './server.ts'
import { exportFileDownload } from './server-file.ts'

export const feature = {
  contract,
  router,
  downloads: { file: exportFileDownload },
  clearing: [
    `delete from export_jobs where expires_at < now()
       or state in ('failed', 'cancelled')
         and created_at < now() - make_interval(hours => ${settingInSql(KEPT_HOURS)})`,
  ],
  settings: [DIRECT_ROWS, KEPT_HOURS],
} satisfies Feature
