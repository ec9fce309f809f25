// The pages of this feature by path.
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/account/settingPayFor',
    title: '支付设置',
    words: ['微信支付', '支付宝', '收款', '商户号'],
    permission: 'paymentSettings.manage',
    file: 'features/payment-settings/PaymentSettingsPage.tsx',
    group: '账户管理',
    order: 8,
  },
]
