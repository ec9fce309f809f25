import { permissionNodes } from '#kit/permission.ts'
import type { Feature } from '#server/feature.ts'
import { insights as contract } from './contract.ts'
import { jobs } from './jobs.ts'
import { insightsRouter as router } from './server.ts'
import { partnersDownload } from './server-ranking.ts'

export const feature = {
  contract,
  router,
  downloads: { partners: partnersDownload },
  permissions: permissionNodes([
    [6901, 6, 120, 'insights.partners', '代理商排行', '/admin/insights/partners', '888'],
    [6904, 6, 123, 'insights.funds', '资金', '/admin/insights/funds', '888'],
  ]),
  jobs,
} satisfies Feature
