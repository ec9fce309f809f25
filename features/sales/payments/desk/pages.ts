// The pages of this feature by path (D1 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type {
  PAYMENT_BILLS,
  PAYMENT_DIFFERENCES,
  PAYMENT_EVENTS,
  PAYMENT_INTENTS,
  PAYMENT_REFUNDS,
} from './fields.ts'

export const PAGES = [
  {
    path: '/admin/account/msgRecharge',
    title: '充值',
    words: ['短信充值', '购买短信', '代币'],
    permission: 'payments.sms',
    file: 'features/sales/payments/desk/RechargePage.tsx',
    order: 1,
    forPartners: true,
  },
  {
    path: '/admin/operations/payments',
    title: '支付管理',
    words: ['支付单', '退款', '对账'],
    permission: 'paymentDesk.manage',
    file: 'features/sales/payments/desk/PaymentsPage.tsx',
    group: '伙伴管理',
    order: 2,
    search: asks<
      | ListParams<typeof PAYMENT_INTENTS>
      | (ListParams<typeof PAYMENT_EVENTS> & { view: 'events' })
      | (ListParams<typeof PAYMENT_REFUNDS> & { view: 'refunds' })
      | (ListParams<typeof PAYMENT_BILLS> & { view: 'bills' })
      | (ListParams<typeof PAYMENT_DIFFERENCES> & { view: 'differences' })
      | { view: 'settings' }
    >(),
  },
] as const satisfies readonly RoutePage[]
