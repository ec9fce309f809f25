// The pages of this feature by path (D1 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { CAMPAIGNS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/merchant/messageEditing',
    title: '短信群发',
    words: ['群发', '消息编辑', '营销短信'],
    permission: 'campaigns.list',
    file: 'features/care/campaigns/MessageEditingPage.tsx',
    group: '短信',
    order: 1,
    list: '/api/campaigns',
    search: asks<ListParams<typeof CAMPAIGNS> & { campaign?: number | 'new'; copy?: number }>(),
  },
] as const satisfies readonly RoutePage[]
