// The pages of this feature by path.
import { asks, type RoutePage } from '#kit/declare/pages.ts'

export const PAGES = [
  {
    path: '/admin/merchant/handOver',
    title: '开店资料',
    permission: 'shopAccess.handOver',
    file: 'features/care/shop-access/HandOverPage.tsx',
    group: '商户管理',
    under: '/admin/merchant/myMerchant',
    search: asks<{ user_id: number }>(),
  },
] as const satisfies readonly RoutePage[]
