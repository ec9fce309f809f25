import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { agentProfile as contract } from './contract.ts'
import { LOGO, LOGO_KB } from './rules.ts'
import { agentProfileRouter as router } from './server.ts'
import { setup } from './server-setup.ts'

export const feature = {
  settings: [LOGO_KB],
  setup,
  contract,
  router,
  permissions: permissionNodes([
    [513, 51, 80, 'agentProfile.edit', '修改公司资料', '/admin/account/personalData#edit', '1'],
    [514, 51, 81, 'agentProfile.changePhone', '更换手机号', '/admin/account/personalData#phone', '1'],
  ]),
  files: {
    logo: {
      permission: 'agentProfile.edit',
      log: '上传公司标志',
      shared: true,
      public: true,
      most: LOGO_KB,
      side: LOGO.keptSide,
      usedBy: [{ table: 'agents', column: 'logo_id' }],
    },
  },
  clearing: [{ table: 'phone_change_codes', at: 'expires_at', after: { days: 2 } }],
} satisfies Feature
