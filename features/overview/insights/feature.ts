import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { insights as contract } from './contract.ts'
import { jobs } from './jobs.ts'
import { insightsRouter as router } from './server.ts'
import { cohortsDownload, cohortsPdf, incomeDownload, incomePdf } from './server-files.ts'
import { partnersDownload } from './server-ranking.ts'
import { renewalsDownload } from './server-renewals.ts'

export const feature = {
  contract,
  router,
  downloads: {
    partners: partnersDownload,
    renewals: renewalsDownload,
    cohorts: cohortsDownload,
    cohortsPdf,
    income: incomeDownload,
    incomePdf,
  },
  permissions: permissionNodes([
    [6901, 6, 120, 'insights.partners', '代理商排行', '/admin/insights/partners', '888'],
    [6902, 6, 121, 'insights.cohorts', '留存', '/admin/insights/cohorts', '888'],
    [6903, 6, 122, 'insights.income', '收入', '/admin/insights/income', '888'],
    [69031, 6903, 122, 'insights.plan', '修改收入计划', '/admin/insights/income#plan', '888'],
    [6904, 6, 123, 'insights.funds', '资金', '/admin/insights/funds', '888'],
  ]),
  jobs,
} satisfies Feature
