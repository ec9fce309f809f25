// The pages of this feature by path (D1 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { ABNORMAL_MESSAGES, OUTBOX, SENT_MESSAGES, SHOP_FORECAST } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/operations/outbox',
    title: '短信发件箱',
    permission: 'messageDesk.outbox',
    file: 'features/shops/messages/desk/OutboxPage.tsx',
    group: '短信',
    order: 8,
    list: '/api/messages/outbox',
    search: asks<ListParams<typeof OUTBOX>>(),
  },
  {
    path: '/admin/merchant/smsSendLog',
    title: '短信发送记录',
    words: ['重发', '回执'],
    permission: 'messageDesk.log',
    file: 'features/shops/messages/desk/SendLogPage.tsx',
    group: '短信',
    order: 2,
    list: '/api/messages/log',
    search: asks<ListParams<typeof SENT_MESSAGES>>(),
  },
  {
    path: '/admin/merchant/smsForecast',
    title: '短信余量预测',
    words: ['余量', '不足'],
    permission: 'messageDesk.forecast',
    file: 'features/shops/messages/desk/SmsForecastPage.tsx',
    group: '短信',
    order: 3,
    list: '/api/messages/forecast',
    search: asks<ListParams<typeof SHOP_FORECAST>>(),
  },
  {
    path: '/admin/merchant/smsManageError',
    title: '异常短信',
    permission: 'messageDesk.abnormal',
    file: 'features/shops/messages/desk/AbnormalSmsPage.tsx',
    group: '短信',
    order: 7,
    list: '/api/messages/abnormal',
    search: asks<ListParams<typeof ABNORMAL_MESSAGES>>(),
  },
] as const satisfies readonly RoutePage[]
