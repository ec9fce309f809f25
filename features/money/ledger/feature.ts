import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { ledger as contract } from './contract.ts'
import { ledgerRouter as router } from './server.ts'
import { changesDownload } from './server-export.ts'
import { LEDGER_DRIFT } from './server-figures.ts'
import { LEDGER_BOOK } from './verify.ts'

export const feature = {
  contract,
  router,
  downloads: { changes: changesDownload },
  permissions: permissionNodes([
    [41, 4, 52, 'ledger.changes', '余额变动', '/admin/detail/personalDetails', '1'],
    [411, 41, 53, 'ledger.export', '导出余额变动', '/admin/detail/personalDetails#export', '1'],
    [412, 41, 54, 'ledger.wallet', '查看余额', '/admin/detail/personalDetails#wallet', '1'],
    [611, 61, 68, 'ledger.credit', '代理商充值', '/admin/operations/agents#credit', 'none'],
  ]),
  figures: { read: [LEDGER_DRIFT] },
  books: [LEDGER_BOOK],
} satisfies Feature
