import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { shopImport as contract } from './contract.ts'
import { jobs } from './jobs.ts'
import { PASSWORD_DAYS } from './rules.ts'
import { shopImportRouter as router } from './server.ts'
import { inbox } from './server-approval.ts'
import { failedDownload, resultsDownload, templateDownload } from './server-files.ts'
import { workOnImports } from './server-work.ts'

export const feature = {
  contract,
  router,
  inbox,
  downloads: { template: templateDownload, failed: failedDownload, results: resultsDownload },
  permissions: permissionNodes([
    [780, 2, 35, 'shopImport.list', '批量导入', '/admin/merchant/merchantImport', '1'],
    [781, 780, 36, 'shopImport.import', '导入店铺', '/admin/merchant/merchantImport#import', '1'],
  ]),
  jobs,
  loops: { shopImports: { everyMs: 5_000, afterMs: 100, work: workOnImports } },
  // Passwords that were not taken along can be set anew by the shop's details.
  clearing: [
    {
      ...{ table: 'shop_import_rows', after: { days: PASSWORD_DAYS }, empties: ['password'] },
      at: '(select i.started_at from shop_imports i where i.id = import_id)',
      only: `state <> 'pending'`,
    },
  ],
} satisfies Feature
