import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { partners as contract } from './contract.ts'
import { partnersRouter as router } from './server.ts'
import { setup } from './server-setup.ts'

export const feature = {
  setup,
  contract,
  router,
  permissions: permissionNodes([
    [617, 61, 68, 'partners.manage', '管理合作伙伴', '/admin/operations/agents#manage', 'none'],
  ]),
} satisfies Feature
