import { sql } from 'drizzle-orm'
import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { content as contract } from './contract.ts'
import { CONTENT_KIND_KEYS } from './rules.ts'
import { contentRouter as router } from './server.ts'
import { contentItems } from './tables.ts'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [66, 6, 75, 'content.manage', '内容管理', '/admin/operations/content', '888'],
  ]),
  configured: [
    {
      key: 'content',
      title: '内容',
      table: contentItems,
      id: contentItems.id,
      named: 'title',
      // Pictures lie in the files of an office.
      left: '轮播图片不随文件带出',
      labels: { body: '正文', link: '链接', publishedAt: '发布时间' },
      leaves: { pictureId: null, createdBy: 0, createdByName: '导入', updatedAt: sql`now()` },
      words: { kind: CONTENT_KIND_KEYS },
    },
  ],
  files: {
    carousel: {
      permission: 'content.manage',
      log: '上传轮播图片',
      shared: true,
      usedBy: [{ table: 'content_items', column: 'picture_id' }],
    },
  },
} satisfies Feature
