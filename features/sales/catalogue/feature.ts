import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { catalogue as contract } from './contract.ts'
import { catalogueRouter as router } from './server.ts'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [606, 6, 77, 'catalogue.versions', '版本管理', '/admin/operations/versions', 'none'],
    [607, 6, 77, 'catalogue.items', '服务与套餐', '/admin/operations/items', 'none'],
    [6071, 607, 78, 'catalogue.editItems', '编辑服务与套餐', '/admin/operations/items#edit', 'none'],
    [6061, 606, 78, 'catalogue.editVersions', '编辑版本', '/admin/operations/versions#edit', 'none'],
  ]),
} satisfies Feature
