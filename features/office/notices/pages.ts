// The pages of this feature by path (D1 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { NOTICES } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/account/notices',
    title: '消息中心',
    words: ['通知', '提醒'],
    permission: 'session',
    file: 'features/office/notices/NoticesPage.tsx',
    group: '账户管理',
    order: 5,
    list: '/api/notices',
    search: asks<ListParams<typeof NOTICES>>(),
  },
] as const satisfies readonly RoutePage[]
