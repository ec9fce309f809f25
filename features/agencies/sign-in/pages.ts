// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/declare/pages.ts'
import { PASSWORD_PATH } from './rules.ts'

export const PAGES = [
  {
    path: '/admin/account/security',
    title: '登录与安全',
    words: ['设备', '下线', '登录记录', '二次验证', '双重验证', '验证器', '通行密钥', '恢复码'],
    permission: 'session',
    file: 'features/agencies/sign-in/SecurityPage.tsx',
    group: '账户管理',
    entry: '登录与安全',
    order: 2,
    early: [{ address: '/api/sessions', permission: 'session' }],
  },
  {
    path: PASSWORD_PATH,
    title: '修改密码',
    words: ['密码'],
    permission: 'session',
    file: 'features/agencies/sign-in/ChangePasswordPage.tsx',
    group: '账户管理',
    entry: '登录与安全',
    order: 3,
  },
] as const satisfies readonly RoutePage[]
