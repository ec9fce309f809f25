// The pages of this feature by path (D1 §2, D3 §2).
import { asks, type RoutePage } from '#kit/declare/pages.ts'

export const PAGES = [
  {
    path: '/admin/merchant/versionUp1',
    title: '版本购买',
    permission: 'purchases.buy',
    file: 'features/sales/purchases/PurchasePage.tsx',
    group: '商户管理',
    under: '/admin/merchant/myMerchant',
    search: asks<{ user_id: number; sv_versionid?: number | null; isStore?: boolean; from?: string }>(),
  },
] as const satisfies readonly RoutePage[]
