// The pages of this feature by path (D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { ROLES, STAFF } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/account/roleControl',
    title: '角色管理',
    words: ['权限', '授权', '岗位'],
    permission: 'team.roles',
    file: 'features/agencies/team/RolesPage.tsx',
    group: '账户管理',
    entry: '员工与角色',
    order: 11,
    list: '/api/team/roles',
    search: asks<ListParams<typeof ROLES>>(),
  },
  {
    path: '/admin/account/userControl',
    title: '员工管理',
    words: ['子账号', '同事', '人员', '账号', '密码'],
    permission: 'team.staff',
    file: 'features/agencies/team/StaffPage.tsx',
    group: '账户管理',
    entry: '员工与角色',
    order: 10,
    list: '/api/team/staff',
    search: asks<ListParams<typeof STAFF>>(),
  },
] as const satisfies readonly RoutePage[]
