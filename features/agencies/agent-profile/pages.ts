// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/declare/pages.ts'

export const PAGES = [
  {
    path: '/admin/account/personalData',
    title: '个人资料',
    words: ['账号', '公司', '标志', 'logo', '域名', '手机号', '热线', '地址'],
    permission: 'account.profile',
    file: 'features/agencies/agent-profile/ProfilePage.tsx',
    group: '账户管理',
    entry: '个人资料',
    order: 1,
  },
] as const satisfies readonly RoutePage[]
