// The pages of this feature by path (D1 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { SMS_CHANGES, SMS_ENTRIES, SMS_ORDERS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/order/msgOrder',
    title: '短信订单',
    permission: 'smsDesk.orders',
    file: 'features/sales/sms/desk/SmsOrdersPage.tsx',
    group: '短信',
    entry: '短信订单',
    order: 4,
    list: '/api/sms/orders',
    search: asks<ListParams<typeof SMS_ORDERS>>(),
  },
  {
    path: '/admin/order/msgChanges',
    title: '短信变动订单',
    words: ['回收', '撤回'],
    permission: 'smsDesk.changes',
    file: 'features/sales/sms/desk/SmsChangeOrdersPage.tsx',
    group: '短信',
    entry: '短信订单',
    order: 5,
    list: '/api/sms/changes',
    search: asks<ListParams<typeof SMS_CHANGES>>(),
  },
  {
    path: '/admin/detail/merchantMsgChanges',
    title: '商户短信变动',
    words: ['赠送', '回收'],
    permission: 'smsDesk.merchantChanges',
    file: 'features/sales/sms/desk/MerchantSmsChangesPage.tsx',
    group: '短信',
    entry: '短信订单',
    order: 6,
    list: '/api/sms/merchant-changes',
    search: asks<ListParams<typeof SMS_ENTRIES>>(),
  },
] as const satisfies readonly RoutePage[]
