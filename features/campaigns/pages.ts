// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/merchant/messageEditing',
    title: '消息编辑',
    words: ['群发', '短信群发', '营销短信'],
    permission: 'campaigns.list',
    file: 'features/campaigns/MessageEditingPage.tsx',
    group: '商户管理',
    list: '/api/campaigns',
  },
]
