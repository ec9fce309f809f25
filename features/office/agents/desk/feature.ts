import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { agentDesk as contract } from './contract.ts'
import { agentDeskRouter as router } from './server.ts'
import { secondaryDownload } from './server-secondary.ts'

export const feature = {
  contract,
  router,
  downloads: { secondary: secondaryDownload },
  permissions: permissionNodes([
    [26, 2, 8, 'agentDesk.secondary', '下级商户', '/admin/merchant/secondary', '1'],
    [61, 6, 67, 'agentDesk.list', '代理商', '/admin/operations/agents', '666'],
    [614, 61, 68, 'agentDesk.secure', '代理商账号安全', '/admin/operations/agents#secure', 'none'],
  ]),
} satisfies Feature
