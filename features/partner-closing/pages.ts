// The pages of this feature by path.
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/operations/closings',
    title: '停止合作',
    words: ['关闭代理商', '注销代理商', '商户转移'],
    permission: 'partnerClosing.manage',
    file: 'features/partner-closing/ClosingsPage.tsx',
    group: '伙伴管理',
    order: 13,
    list: '/api/partner-closings',
  },
]
