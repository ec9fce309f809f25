// The pages of this feature by path.
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { DECIDED, INBOX } from './fields.ts'

export const INBOX_PATH = '/admin/inbox'

export const PAGES = [
  {
    path: INBOX_PATH,
    title: '待办',
    words: ['收件箱', '待处理', '审批', '任务'],
    permission: 'session',
    file: 'features/overview/inbox/InboxPage.tsx',
    order: 1,
    list: '/api/inbox',
    search: asks<
      (ListParams<typeof INBOX> & { open?: 'first' }) | (ListParams<typeof DECIDED> & { view: 'decided' })
    >(),
  },
] as const satisfies readonly RoutePage[]
