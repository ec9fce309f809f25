// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/account/msgRecharge',
    title: '短信充值',
    words: ['充值', '购买短信'],
    permission: 'payments.sms',
    file: 'features/payment-desk/RechargePage.tsx',
    group: '账户管理',
  },
  {
    path: '/admin/operations/payments',
    title: '支付管理',
    words: ['支付单', '退款', '对账'],
    permission: 'paymentDesk.manage',
    file: 'features/payment-desk/PaymentsPage.tsx',
    group: '运营管理',
  },
]
