// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/account/security',
    title: '登录与安全',
    words: ['密码', '设备', '下线'],
    permission: 'session',
    file: 'features/sign-in/SecurityPage.tsx',
    group: '账户管理',
    order: 2,
  },
]
