// What the fields of a print template are, and the list that each kind declares (D3 §2, §3).
import type { Fields } from '#kit/declare/fields.ts'
import { byWord, list } from '#kit/declare/list.ts'
import { TEMPLATE_LIMITS, TEMPLATE_STATES } from './rules.ts'

export const TEMPLATE_FIELDS = {
  id: { kind: 'id', label: '模板编号', in: ['row'] },
  name: { kind: 'text', label: '模板名称', max: TEMPLATE_LIMITS.name, in: ['row', 'log'] },
  isCustom: { kind: 'flag', label: '自定义模板', in: ['row', 'log'] },
  industryNames: { kind: 'text', label: '适用行业', none: '全部行业', in: ['row', 'log'] },
  state: {
    kind: 'word',
    label: '状态',
    words: TEMPLATE_STATES,
    tones: { draft: 'neutral', published: 'done', changed: 'attention' },
    in: ['row'],
  },
  publishedVersion: { kind: 'id', label: '已发布版本', nullable: true, none: '—', in: ['row'] },
  createdByName: { kind: 'text', label: '创建人', in: ['row'] },
  createdAt: { kind: 'instant', label: '创建时间', in: ['row'] },
  updatedByName: { kind: 'text', label: '修改人', in: ['row'] },
  updatedAt: { kind: 'instant', label: '修改时间', in: ['row'] },
} as const satisfies Fields

const shared = {
  fields: TEMPLATE_FIELDS,
  columns: {
    name: { width: 264, fixed: 'start', card: 'title', opens: true },
    industryNames: { width: 200, card: 'fact' },
    state: { title: '状态 / 版本', width: 136, card: 'fact', also: ['publishedVersion'] },
    updatedAt: { width: 176, card: 'fact' },
    updatedByName: { width: 104 },
    createdAt: { hidden: true },
    createdByName: { hidden: true },
    isCustom: { hidden: true },
  },
  search: '模板名称',
  filters: {
    industryId: { kind: 'id', label: '适用行业' },
    state: byWord(TEMPLATE_FIELDS.state),
    deleted: { kind: 'flag', label: '回收站', words: { true: '已删除' } },
  },
  sorts: ['updatedAt', 'createdAt'],
} as const

/** The list of a kind's templates: its key is the operation's name, `labels.list`. */
export const templateList = <const K extends string>(key: K, title: string, empty: string) =>
  list({ ...shared, key, title, empty })

/** Which versions end, and why. */
export const WITHDRAWAL = {
  what: {
    kind: 'word',
    label: '撤回',
    words: { one: '一个版本', all: '全部版本' },
    control: { as: 'own', first: 'one' },
  },
  reason: {
    kind: 'text',
    label: '原因',
    max: TEMPLATE_LIMITS.reason,
    control: { as: 'lines', counted: true, placeholder: '可选，记入历史' },
  },
} as const satisfies Fields

/** What is said of a version that is published; for whom is the page's own. */
export const PUBLICATION = {
  reason: {
    kind: 'text',
    label: '发布说明',
    max: TEMPLATE_LIMITS.reason,
    control: { as: 'lines', counted: true, placeholder: '可选，记入历史' },
  },
} as const satisfies Fields
