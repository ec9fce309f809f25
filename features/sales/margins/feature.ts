import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { margins as contract } from './contract.ts'
import { marginsRouter as router } from './server.ts'
import { marginsDownload } from './server-margins.ts'

export const feature = {
  contract,
  router,
  downloads: { orders: marginsDownload },
  permissions: permissionNodes([
    [46, 4, 60, 'margins.orders', '毛利', '/admin/detail/margins', '1'],
    [461, 46, 61, 'margins.set', '设置售价', '/admin/detail/margins#set', '1'],
  ]),
} satisfies Feature
