import { sql } from 'drizzle-orm'
import { permissionNodes } from '#kit/declare/permission.ts'
import type { EditedTable } from '#server/ctx.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { cleanRich } from '#server/texts/clean.ts'
import { help as contract } from './contract.ts'
import { HELP_ARTICLES, HELP_CATEGORIES } from './reference.ts'
import {
  HELP_KIND_KEYS,
  HELP_LIMITS,
  HELP_PICTURE,
  HELP_STATES,
  HELP_VIDEO,
  HELP_VIDEO_MB,
  VIDEO_FORMAT,
  videoTypeOf,
} from './rules.ts'
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
  configured: [
    {
      key: 'help-articles',
      title: '帮助文章',
      table: helpArticles,
      id: helpArticles.id,
      named: 'title',
      // Files lie in the files of an office, and its pages are chosen there.
      left: '文章里的图片、视频和对应页面不随文件带出',
      labels: {
        state: '状态',
        categoryId: '分类',
        body: '正文',
        bodyText: '正文文字',
        version: '版本号',
        releasedOn: '更新日期',
        videoUrl: '视频链接',
        publishedAt: '发布时间',
      },
      leaves: {
        ...{ videoId: null, pages: [], views: 0, usefulVotes: 0, uselessVotes: 0, revision: 1 },
        ...{ createdByName: '导入', updatedByName: '导入', updatedAt: sql`now()`, searchText: '' },
      },
      touches: { revision: sql`revision + 1`, updatedByName: '导入', updatedAt: sql`now()` },
      words: { kind: HELP_KIND_KEYS, state: Object.keys(HELP_STATES) },
      flawOf: async ({ body }) =>
        (await cleanRich(String(body))).html === body ? null : '正文含有不允许的内容',
    },
  ],
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
