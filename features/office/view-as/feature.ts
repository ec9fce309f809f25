import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { viewAs as contract } from './contract.ts'
import { viewAsRouter as router } from './server.ts'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [613, 61, 68, 'viewAs.agent', '以代理商身份查看', '/admin/operations/agents#view', 'none'],
    [512, 51, 79, 'viewAs.staff', '以员工身份查看', '/admin/account/personalData#view', '1'],
  ]),
} satisfies Feature
