// The pages of this feature by path (D1 §2, D3 §2).
import type { PublicPage, RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/operations/payments',
    title: '支付管理',
    permission: 'payments.manage',
    file: 'features/payments/PaymentsPage.tsx',
    group: '运营管理',
  },
  {
    path: '/admin/account/msgRecharge',
    title: '短信充值',
    permission: 'payments.sms',
    file: 'features/payments/RechargePage.tsx',
    group: '账户管理',
  },
]

export const PUBLIC_PAGES = [
  { prefix: '/c/', title: '收银台', file: 'features/payments/CashierPage.tsx' },
] as const satisfies readonly PublicPage[]
