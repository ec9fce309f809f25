import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { apiKeys as contract } from './contract.ts'
import { jobs } from './jobs.ts'
import { apiKeysRouter as router } from './server.ts'

export const feature = {
  contract,
  router,
  jobs,
  permissions: permissionNodes([
    [501, 5, 97, 'apiKeys.list', '接口密钥', '/admin/account/apiKeys', '1'],
    [502, 501, 98, 'apiKeys.edit', '管理接口密钥', '/admin/account/apiKeys#edit', '1'],
  ]),
} satisfies Feature
