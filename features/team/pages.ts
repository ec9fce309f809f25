// The pages of this feature by path (D3 §2).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/account/roleControl',
    title: '角色管理',
    words: ['权限', '授权', '岗位'],
    permission: 'team.roles',
    file: 'features/team/RolesPage.tsx',
    group: '账户管理',
    order: 10,
    list: '/api/team/roles',
  },
  {
    path: '/admin/account/userControl',
    title: '员工管理',
    words: ['子账号', '同事', '人员', '账号', '密码'],
    permission: 'team.staff',
    file: 'features/team/StaffPage.tsx',
    group: '账户管理',
    order: 11,
    list: '/api/team/staff',
  },
]
