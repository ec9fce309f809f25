// The page of this feature by path (D3 §3, §7).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { ACQUIRER_ONBOARDINGS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/merchant/acquiring',
    title: '收单进件',
    words: ['进件', '收单', '天阙', '随行付', '商户编号'],
    permission: 'acquirerOnboardings.list',
    file: 'features/acquiring/acquirer-onboardings/AcquirerOnboardingsPage.tsx',
    group: '支付与小程序',
    order: 3,
    list: '/api/acquirer-onboardings',
    search: asks<ListParams<typeof ACQUIRER_ONBOARDINGS> & { id?: number }>(),
  },
] as const satisfies readonly RoutePage[]
