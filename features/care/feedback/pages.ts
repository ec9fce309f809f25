// The pages of this feature by path (D1 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { FEEDBACK } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/operations/feedback',
    title: '代理商反馈',
    permission: 'feedback.list',
    file: 'features/care/feedback/FeedbackPage.tsx',
    group: '伙伴管理',
    order: 4,
    list: '/api/feedback',
    search: asks<ListParams<typeof FEEDBACK>>(),
  },
] as const satisfies readonly RoutePage[]
