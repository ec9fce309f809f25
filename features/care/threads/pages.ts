// The pages of this feature by path (D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { ALL_THREADS, THREADS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/help/feedback',
    title: '商户反馈',
    words: ['意见', '投诉', '回复'],
    permission: 'threads.list',
    file: 'features/care/threads/ThreadsPage.tsx',
    forPartners: true,
    group: '帮助与反馈',
    order: 1,
    list: '/api/threads',
    search: asks<ListParams<typeof THREADS> & { thread?: number }>(),
  },
  {
    path: '/admin/help/feedbackList',
    title: '客户反馈列表',
    words: ['意见', '投诉', '转交'],
    permission: 'threads.all',
    file: 'features/care/threads/AllThreadsPage.tsx',
    group: '帮助与反馈',
    order: 2,
    list: '/api/threads/all',
    search: asks<ListParams<typeof ALL_THREADS> & { thread?: number }>(),
  },
] as const satisfies readonly RoutePage[]
