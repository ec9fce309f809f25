import { permissionNodes } from '#kit/permission.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { content as contract } from './contract.ts'
import { CONTENT_ITEMS } from './reference.ts'
import { contentRouter as router } from './server.ts'
import { contentItems } from './tables.ts'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [66, 6, 75, 'content.manage', '内容管理', '/admin/operations/content', '888'],
  ]),
  reference: [rowsOf(contentItems, CONTENT_ITEMS)],
  files: {
    carousel: {
      permission: 'content.manage',
      log: '上传轮播图片',
      shared: true,
      usedBy: [{ table: 'content_items', column: 'picture_id' }],
    },
  },
} satisfies Feature
