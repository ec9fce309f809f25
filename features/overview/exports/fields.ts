// What the fields of a file in the making and their list are.
import type { Fields } from '#kit/declare/fields.ts'
import { list } from '#kit/declare/list.ts'
import { EXPORT_STATES } from './rules.ts'

export const EXPORT_FIELDS = {
  title: { kind: 'text', label: '内容' },
  conditions: { kind: 'text', label: '筛选条件' },
  state: {
    kind: 'word',
    label: '状态',
    words: EXPORT_STATES,
    tones: { queued: 'neutral', running: 'neutral', done: 'done', failed: 'problem', cancelled: 'neutral' },
  },
  progress: { kind: 'text', label: '进度' },
  byteSize: { kind: 'count', label: '文件大小' },
  createdAt: { kind: 'instant', label: '发起时间' },
  expiresAt: { kind: 'instant', label: '保留至' },
} as const satisfies Fields

export const EXPORTS = list({
  key: 'exports.list',
  title: '导出任务',
  fields: EXPORT_FIELDS,
  columns: {
    title: { width: 128, fixed: 'start', card: 'title' },
    conditions: { width: 240, card: 'fact' },
    state: { width: 104, card: 'fact' },
    progress: { width: 208, card: 'fact' },
    byteSize: { width: 104 },
    createdAt: { card: 'fact' },
    expiresAt: {},
  },
  empty: '没有导出任务；列表记录较多时，导出会在后台进行并显示在这里',
})
