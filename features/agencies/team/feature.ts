import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { team as contract } from './contract.ts'
import { teamRouter as router } from './server.ts'
import { setup } from './server-setup.ts'
import { staffDownload } from './server-staff.ts'

export const feature = {
  setup,
  contract,
  router,
  downloads: { staff: staffDownload },
  permissions: permissionNodes([
    [57, 5, 90, 'team.roles', '角色管理', '/admin/account/roleControl', '1'],
    [571, 57, 91, 'team.editRoles', '编辑角色', '/admin/account/roleControl#edit', '1'],
    [572, 57, 92, 'team.grant', '设置角色权限', '/admin/account/roleControl#grant', '1'],
    [58, 5, 93, 'team.staff', '员工管理', '/admin/account/userControl', '1'],
    [581, 58, 94, 'team.editStaff', '编辑员工', '/admin/account/userControl#edit', '1'],
    [582, 58, 95, 'team.endStaff', '停用和删除员工', '/admin/account/userControl#end', '1'],
    [583, 58, 96, 'team.secureStaff', '员工密码和登录', '/admin/account/userControl#secure', '1'],
    [584, 58, 97, 'team.exportStaff', '导出员工', '/admin/account/userControl#export', '1'],
  ]),
  files: {
    portrait: {
      permission: 'team.editStaff',
      log: '上传员工头像',
      shared: false,
      usedBy: [{ table: 'accounts', column: 'portrait_id' }],
    },
  },
} satisfies Feature
