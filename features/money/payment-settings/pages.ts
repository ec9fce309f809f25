// The pages of this feature by path.
import type { RoutePage } from '#kit/declare/pages.ts'

export const PAGES = [
  {
    path: '/admin/account/settingPayFor',
    title: '支付设置',
    words: ['收款账户', '商户号', '密钥'],
    permission: 'paymentSettings.manage',
    file: 'features/money/payment-settings/PaymentSettingsPage.tsx',
    group: '账户管理',
    order: 8,
  },
] as const satisfies readonly RoutePage[]
