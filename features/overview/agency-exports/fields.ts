// What one that is taken along shows, and the list of them.
import type { Fields } from '#kit/declare/fields.ts'
import { byWord, list } from '#kit/declare/list.ts'
import { AGENCY_EXPORT_REFUSALS, AGENCY_EXPORT_STATES, LIMITS } from './rules.ts'

export const AGENCY_EXPORT_FIELDS = {
  companyName: { kind: 'text', label: '代理商' },
  agentId: { kind: 'id', label: '代理商编号' },
  state: {
    kind: 'word',
    label: '状态',
    words: AGENCY_EXPORT_STATES,
    tones: {
      queued: 'neutral',
      making: 'attention',
      done: 'done',
      failed: 'problem',
      deleted: 'neutral',
    },
  },
  progress: { kind: 'text', label: '进度' },
  byteSize: { kind: 'count', label: '文件大小' },
  reason: { kind: 'text', label: '移交原因' },
  createdByName: { kind: 'text', label: '办理人' },
  createdAt: { kind: 'instant', label: '发起时间' },
  finishedAt: { kind: 'instant', label: '完成时间', nullable: true },
  expiresAt: { kind: 'instant', label: '保留至', nullable: true },
} as const satisfies Fields

export const AGENCY_EXPORTS = list({
  key: 'agencyExports.list',
  title: '数据移交',
  fields: AGENCY_EXPORT_FIELDS,
  columns: {
    companyName: { width: 200, fixed: 'start', card: 'title', below: ['agentId'] },
    state: { width: 112, card: 'fact' },
    progress: { width: 208, card: 'fact' },
    byteSize: { width: 96 },
    reason: { width: 176, card: 'fact' },
    createdByName: { width: 88 },
    createdAt: { card: 'fact' },
    expiresAt: {},
    finishedAt: { hidden: true },
  },
  search: '代理商名称 / 编号',
  filters: { state: byWord(AGENCY_EXPORT_FIELDS.state) },
  empty: '还没有移交过数据；代理商离开时，可以把它的全部数据生成一个压缩包带走',
})

/** Whose data, and why. */
export const HANDING = {
  agentId: {
    kind: 'id',
    label: '代理商',
    control: { as: 'own', required: true, missing: AGENCY_EXPORT_REFUSALS.AGENCY_REQUIRED },
  },
  reason: {
    ...AGENCY_EXPORT_FIELDS.reason,
    max: LIMITS.reason,
    control: { as: 'text', required: true, counted: true },
  },
} as const satisfies Fields
