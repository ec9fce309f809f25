// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/operations/feedback',
    title: '代理商反馈',
    permission: 'feedback.list',
    file: 'features/feedback/FeedbackPage.tsx',
    group: '伙伴管理',
    order: 4,
    list: '/api/feedback',
  },
]
