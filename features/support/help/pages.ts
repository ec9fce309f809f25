// The pages of this feature by path (D1 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { HELP_LIST } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/help/problem',
    title: '帮助中心',
    words: ['使用流程', '常见问题', '视频', '版本更新', '教程'],
    permission: 'session',
    file: 'features/support/help/HelpPage.tsx',
    group: '帮助与反馈',
    order: 10,
    early: [{ address: '/api/help', permission: 'session' }],
    search: asks<{ activeName?: string; article?: number; search?: string }>(),
  },
  {
    path: '/admin/help/articles',
    title: '帮助管理',
    words: ['文章', '视频', '更新日志'],
    permission: 'help.manage',
    file: 'features/support/help/ArticlesPage.tsx',
    group: '帮助与反馈',
    order: 20,
    list: '/api/help/articles',
    search: asks<ListParams<typeof HELP_LIST>>(),
  },
  {
    path: '/admin/help/article',
    title: '编辑帮助',
    permission: 'help.edit',
    file: 'features/support/help/ArticleFormPage.tsx',
    group: '帮助与反馈',
    under: '/admin/help/articles',
    search: asks<{ id?: number }>(),
  },
] as const satisfies readonly RoutePage[]
