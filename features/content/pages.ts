// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/operations/content',
    title: '内容管理',
    permission: 'content.manage',
    file: 'features/content/ContentPage.tsx',
    group: '价格与资料',
    order: 35,
    list: '/api/content',
  },
]
