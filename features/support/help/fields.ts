// What the fields of an article of the help centre and its list are (D3 §2).
import type { Fields } from '#kit/declare/fields.ts'
import { byWord, list } from '#kit/declare/list.ts'
import { HELP_KINDS, HELP_LIMITS, HELP_STATES } from './rules.ts'

export const HELP_FIELDS = {
  id: { kind: 'id', label: '文章编号', in: ['row'] },
  kind: { kind: 'word', label: '栏目', words: HELP_KINDS, in: ['row'] },
  state: {
    kind: 'word',
    label: '状态',
    words: HELP_STATES,
    tones: { draft: 'attention', published: 'done' },
    in: ['row'],
  },
  title: { kind: 'text', label: '标题', max: HELP_LIMITS.title, in: ['row'] },
  categoryName: { kind: 'text', label: '分类', in: ['row'] },
  version: { kind: 'text', label: '版本号', max: HELP_LIMITS.version, in: ['row'] },
  releasedOn: { kind: 'day', label: '更新日期', nullable: true, none: '—', in: ['row'] },
  videoUrl: { kind: 'text', label: '视频链接', max: HELP_LIMITS.videoUrl },
  pagesText: { kind: 'text', label: '对应页面', in: ['row'] },
  views: { kind: 'count', label: '阅读', unit: '次', in: ['row'] },
  usefulVotes: { kind: 'count', label: '有用', unit: '次', in: ['row'] },
  uselessVotes: { kind: 'count', label: '没用', unit: '次', in: ['row'] },
  publishedAt: { kind: 'instant', label: '发布时间', nullable: true, none: '—', in: ['row'] },
  createdByName: { kind: 'text', label: '创建人', in: ['row'] },
  updatedByName: { kind: 'text', label: '修改人', in: ['row'] },
  updatedAt: { kind: 'instant', label: '修改时间', in: ['row'] },
  bodyText: { kind: 'text', label: '正文' },
} as const satisfies Fields

/** What the log calls them. */
export const LOGGED_FIELDS = {
  kind: HELP_FIELDS.kind,
  title: HELP_FIELDS.title,
  categoryName: HELP_FIELDS.categoryName,
  version: HELP_FIELDS.version,
  releasedOn: HELP_FIELDS.releasedOn,
  videoUrl: HELP_FIELDS.videoUrl,
  pagesText: HELP_FIELDS.pagesText,
  bodyText: HELP_FIELDS.bodyText,
} as const satisfies Fields

export const HELP_LIST = list({
  key: 'help.list',
  title: '帮助管理',
  fields: HELP_FIELDS,
  columns: {
    title: { width: 264, fixed: 'start', opens: true, card: 'title', below: ['categoryName'] },
    state: { width: 80, card: 'fact' },
    kind: { width: 96, card: 'fact' },
    version: { title: '版本号 / 更新日期', width: 128, below: ['releasedOn'] },
    views: { width: 96, card: 'fact' },
    usefulVotes: { title: '有用 / 没用（次）', width: 112, below: ['uselessVotes'] },
    updatedAt: { card: 'fact' },
    updatedByName: { width: 88 },
    pagesText: { hidden: true },
    publishedAt: { hidden: true },
    createdByName: { hidden: true },
  },
  search: '标题 / 版本号 / 正文',
  filters: { kind: byWord(HELP_FIELDS.kind), state: byWord(HELP_FIELDS.state) },
  sorts: ['updatedAt', 'views'],
  empty: '还没有帮助文章，新增并发布后显示在帮助中心',
})
