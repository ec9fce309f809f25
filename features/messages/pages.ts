// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/operations/outbox',
    title: '短信发件箱',
    permission: 'messages.outbox',
    file: 'features/messages/OutboxPage.tsx',
    group: '运营管理',
    list: '/api/messages/outbox',
  },
  {
    path: '/admin/merchant/smsSendLog',
    title: '短信发送记录',
    permission: 'messages.log',
    file: 'features/messages/SendLogPage.tsx',
    group: '商户管理',
    list: '/api/messages/log',
  },
  {
    path: '/admin/merchant/smsForecast',
    title: '短信余量预测',
    permission: 'messages.forecast',
    file: 'features/messages/SmsForecastPage.tsx',
    group: '商户管理',
    list: '/api/messages/forecast',
  },
  {
    path: '/admin/merchant/smsManageError',
    title: '异常短信',
    permission: 'messages.abnormal',
    file: 'features/messages/AbnormalSmsPage.tsx',
    group: '商户管理',
    list: '/api/messages/abnormal',
  },
]
