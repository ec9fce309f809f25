// What a clearing shows, and the list of all of them.
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { DATE_PRESET_DAYS } from '#features/shops/merchants/rules.ts'
import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { CLEARING_STATES, LIMITS } from './rules.ts'

export const CLEARING_FIELDS = {
  id: { kind: 'id', label: '清空编号' },
  merchantId: { kind: 'id', label: '商户ID' },
  shopName: MERCHANT_FIELDS.shopName,
  tableName: { kind: 'text', label: '数据表' },
  state: {
    kind: 'word',
    label: '状态',
    words: CLEARING_STATES,
    tones: {
      waiting: 'attention',
      asked: 'attention',
      backingUp: 'attention',
      backedUp: 'attention',
      emptying: 'attention',
      emptied: 'done',
      restoring: 'attention',
      restored: 'neutral',
      failed: 'problem',
      refused: 'neutral',
      cancelled: 'neutral',
      expired: 'neutral',
    },
  },
  rows: { kind: 'count', label: '行数', unit: '行' },
  backupRows: { kind: 'count', label: '备份行数', unit: '行', nullable: true, none: '' },
  emptiedRows: { kind: 'count', label: '清空行数', unit: '行', nullable: true, none: '' },
  restoredRows: { kind: 'count', label: '恢复行数', unit: '行', nullable: true, none: '' },
  besideRows: { kind: 'count', label: '保留的新增行数', unit: '行', nullable: true, none: '' },
  reason: { kind: 'text', label: '操作原因', max: LIMITS.reason },
  problem: { kind: 'text', label: '说明', none: '' },
  askedByName: { kind: 'text', label: '申请人' },
  askedAt: { kind: 'instant', label: '申请时间' },
  decidedByName: { kind: 'text', label: '第二人', none: '' },
  decidedAt: { kind: 'instant', label: '审批时间', nullable: true, none: '' },
  decision: { kind: 'text', label: '驳回原因', max: LIMITS.decision, none: '' },
  emptiedAt: { kind: 'instant', label: '清空时间', nullable: true, none: '' },
  expiresAt: { kind: 'instant', label: '可恢复至', nullable: true, none: '' },
  restoreByName: { kind: 'text', label: '恢复人', none: '' },
  restoreReason: { kind: 'text', label: '恢复原因', max: LIMITS.reason, none: '' },
  restoredAt: { kind: 'instant', label: '恢复时间', nullable: true, none: '' },
  agentId: { kind: 'id', label: '代理商编号' },
  agentName: AGENT_FIELDS.companyName,
} as const satisfies Fields

/** D3 §2: clearTable. */
export const CLEARINGS = list({
  key: 'tableClearing.list',
  title: '清空记录',
  fields: CLEARING_FIELDS,
  columns: {
    shopName: {
      title: '店铺',
      width: 168,
      fixed: 'start',
      opens: true,
      card: 'title',
      below: ['merchantId'],
    },
    tableName: { title: '数据表 / 行数', width: 104, card: 'fact', below: ['rows'] },
    state: { title: '状态 / 说明', width: 144, card: 'fact', below: ['problem'] },
    reason: { width: 168, card: 'fact' },
    askedByName: { title: '申请人 / 第二人', width: 112, below: ['decidedByName'] },
    askedAt: { card: 'fact' },
    expiresAt: {},
    agentName: { width: 128, for: 'staff', below: ['agentId'] },
    emptiedRows: { hidden: true, width: 88 },
    emptiedAt: { hidden: true },
    backupRows: { hidden: true, width: 88 },
    restoredRows: { hidden: true, width: 88, below: ['besideRows'] },
    restoreByName: { hidden: true, width: 88, below: ['restoreReason'] },
    restoredAt: { hidden: true },
    decidedAt: { hidden: true },
    decision: { hidden: true, width: 136 },
  },
  search: '店铺名称 / 商户ID / 账号',
  filters: {
    state: byWord(CLEARING_FIELDS.state),
    shop: { kind: 'text', label: '商户ID', linked: true },
    asked: {
      kind: 'days',
      label: '申请时间',
      params: ['from', 'to'],
      presets: DATE_PRESET_DAYS.map((days): DayPreset => [days, 'day']),
    },
    agentId: BY_AGENT,
  },
  file: {
    path: '/tools/clearings.xlsx',
    permission: 'tableClearing.list',
    log: '导出清空记录',
    name: '清空记录',
  },
  empty: '还没有清空过店铺数据',
})

/** Why a table is emptied; the shop's name is typed, so that no other one is meant. */
export const CLEARING = {
  shopName: { kind: 'text', label: '店铺名称', control: { as: 'text', required: true } },
  reason: { ...CLEARING_FIELDS.reason, control: { as: 'lines', required: true, counted: true } },
} as const satisfies Fields

/** Why the rows come back, or why nothing is emptied. */
export const CLEARING_REASONS = {
  restore: {
    reason: { ...CLEARING_FIELDS.restoreReason, control: { as: 'lines', required: true, counted: true } },
  },
  reject: {
    reason: { ...CLEARING_FIELDS.decision, control: { as: 'lines', required: true, counted: true } },
  },
} as const satisfies Record<string, Fields>
