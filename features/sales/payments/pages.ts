// The pages of this feature by path (D1 §2, D3 §2).
import type { PublicPage } from '#kit/declare/pages.ts'

export const PUBLIC_PAGES = [
  { prefix: '/c/', title: '收银台', file: 'features/sales/payments/CashierPage.tsx' },
] as const satisfies readonly PublicPage[]
