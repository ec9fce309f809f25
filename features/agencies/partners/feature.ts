import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { partners as contract } from './contract.ts'
import { partnersRouter as router } from './server.ts'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [617, 61, 68, 'partners.manage', '管理合作伙伴', '/admin/operations/agents#manage', 'none'],
  ]),
} satisfies Feature
