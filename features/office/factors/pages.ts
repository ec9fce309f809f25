// The pages of this feature by path.
import type { RoutePage } from '#kit/declare/pages.ts'

export const PAGES = [
  {
    path: '/admin/account/securitySettings',
    title: '安全设置',
    words: ['强制二次验证', '员工二次验证'],
    permission: 'factors.rules',
    file: 'features/office/factors/SecuritySettingsPage.tsx',
    group: '账户管理',
    entry: '登录与安全',
    order: 4,
  },
] as const satisfies readonly RoutePage[]
