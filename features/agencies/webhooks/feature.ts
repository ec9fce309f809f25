import { CHANGES_KEPT_DAYS } from '#features/shops/pos-changes/rules.ts'
import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { webhooks as contract } from './contract.ts'
import { webhooksRouter as router } from './server.ts'
import { deliverWebhooks, stopDelivering } from './server-deliver.ts'
import { inbox } from './server-inbox.ts'

export const feature = {
  contract,
  router,
  inbox,
  clearing: [{ table: 'webhook_deliveries', at: 'queued_at', after: CHANGES_KEPT_DAYS }],
  loops: { webhooks: { everyMs: 1_000, afterMs: 20, work: deliverWebhooks, finish: stopDelivering } },
  permissions: permissionNodes([
    [503, 5, 99, 'webhooks.list', '回调通知', '/admin/account/webhooks', '1'],
    [504, 503, 100, 'webhooks.edit', '管理回调通知', '/admin/account/webhooks#edit', '1'],
  ]),
} satisfies Feature
