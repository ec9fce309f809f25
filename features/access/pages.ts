// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/account/personalData',
    title: '个人资料',
    words: ['账号', '头像'],
    permission: 'account.profile',
    file: 'features/access/ProfilePage.tsx',
    group: '账户管理',
    order: 1,
  },
]
