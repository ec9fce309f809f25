import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { campaigns as contract } from './contract.ts'
import { campaignsRouter as router } from './server.ts'
import { workOnCampaigns } from './server-work.ts'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [29, 2, 25, 'campaigns.list', '短信群发', '/admin/merchant/messageEditing', '1'],
    [291, 29, 26, 'campaigns.send', '发送群发短信', '/admin/merchant/messageEditing#send', '1'],
  ]),
  loops: { campaigns: { everyMs: 5_000, afterMs: 0, work: workOnCampaigns } },
} satisfies Feature
