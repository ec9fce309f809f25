// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/account/msgRecharge',
    title: '充值',
    words: ['短信充值', '购买短信', '代币'],
    permission: 'payments.sms',
    file: 'features/payment-desk/RechargePage.tsx',
    order: 1,
  },
  {
    path: '/admin/operations/payments',
    title: '支付管理',
    words: ['支付单', '退款', '对账'],
    permission: 'paymentDesk.manage',
    file: 'features/payment-desk/PaymentsPage.tsx',
    group: '伙伴管理',
    order: 2,
  },
]
