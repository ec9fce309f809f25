import { permissionNodes } from '#kit/permission.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import type { EditedTable } from '#server/office/reference-tables.ts'
import { help as contract } from './contract.ts'
import { HELP_ARTICLES, HELP_CATEGORIES } from './reference.ts'
import { HELP_LIMITS, HELP_PICTURE, HELP_VIDEO, HELP_VIDEO_MB, VIDEO_FORMAT, videoTypeOf } from './rules.ts'
import { helpRouter as router } from './server.ts'
import { helpArticles, helpCategories } from './tables.ts'

const CATEGORY_TABLE: EditedTable = {
  key: 'help-categories',
  title: '帮助分类',
  about: '帮助中心的文章按分类排列，顺序与这里一致。',
  table: helpCategories,
  id: helpCategories.id,
  named: 'name',
  fields: { name: { kind: 'text', label: '分类', max: HELP_LIMITS.category, required: true } },
  adds: true,
  orders: true,
  retires: true,
  imports: true,
  uses: [{ what: '帮助文章', counted: '篇', column: helpArticles.categoryId }],
}

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [820, 6, 86, 'help.manage', '帮助管理', '/admin/help/articles', '888'],
    [821, 820, 1, 'help.edit', '编辑和发布帮助', '/admin/help/articles#edit', '888'],
  ]),
  reference: [rowsOf(helpCategories, HELP_CATEGORIES), rowsOf(helpArticles, HELP_ARTICLES)],
  edited: [CATEGORY_TABLE],
  settings: [HELP_VIDEO_MB],
  files: {
    [HELP_PICTURE]: {
      permission: 'help.edit',
      log: '上传帮助图片',
      shared: true,
      usedBy: [{ table: 'help_pictures', column: 'file_id' }],
    },
    [HELP_VIDEO]: {
      permission: 'help.edit',
      log: '上传帮助视频',
      shared: true,
      streamed: { most: HELP_VIDEO_MB, typeOf: videoTypeOf, refusal: VIDEO_FORMAT, shown: true },
      usedBy: [{ table: 'help_articles', column: 'video_id' }],
    },
  },
} satisfies Feature
