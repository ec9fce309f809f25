// The pages of this feature by path.
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { DELIVERIES, ENDPOINTS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/account/webhooks',
    title: '回调通知',
    words: ['webhook', '推送', '收银系统', 'POS', '对接'],
    permission: 'webhooks.list',
    file: 'features/agencies/webhooks/WebhooksPage.tsx',
    group: '账户管理',
    entry: '接口与回调',
    order: 14,
    list: '/api/webhooks',
    search: asks<ListParams<typeof ENDPOINTS>>(),
  },
  {
    path: '/admin/account/webhookDeliveries',
    title: '投递记录',
    permission: 'webhooks.list',
    file: 'features/agencies/webhooks/DeliveriesPage.tsx',
    group: '账户管理',
    under: '/admin/account/webhooks',
    list: '/api/webhook-deliveries',
    search: asks<ListParams<typeof DELIVERIES>>(),
  },
] as const satisfies readonly RoutePage[]
