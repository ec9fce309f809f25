// The pages of this feature by path (D1 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { SECONDARY_MERCHANTS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/merchant/secondary',
    title: '下级商户',
    permission: 'agentDesk.secondary',
    file: 'features/office/agents/desk/SecondaryMerchantsPage.tsx',
    group: '商户管理',
    order: 5,
    list: '/api/merchants/secondary',
    search: asks<ListParams<typeof SECONDARY_MERCHANTS>>(),
  },
] as const satisfies readonly RoutePage[]
