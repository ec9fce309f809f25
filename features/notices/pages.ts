// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/account/notices',
    title: '消息中心',
    words: ['通知', '提醒'],
    permission: 'session',
    file: 'features/notices/NoticesPage.tsx',
    group: '账户管理',
    order: 4,
    list: '/api/notices',
  },
]
