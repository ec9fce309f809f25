// What the end of a partner shows, and the list of them.
import type { Fields } from '#kit/declare/fields.ts'
import { byWord, list } from '#kit/declare/list.ts'
import { BALANCE_CHOICES, CLOSING_REFUSALS, CLOSING_STATES, LIMITS } from './rules.ts'

export const CLOSING_FIELDS = {
  companyName: { kind: 'text', label: '合作伙伴' },
  agentId: { kind: 'id', label: '代理商编号' },
  takerName: { kind: 'text', label: '接收方' },
  takerId: { kind: 'id', label: '接收方编号' },
  state: {
    kind: 'word',
    label: '状态',
    words: CLOSING_STATES,
    tones: { running: 'attention', paused: 'neutral', stuck: 'problem', done: 'done' },
  },
  shops: { kind: 'count', label: '商户', unit: '家' },
  moved: { kind: 'count', label: '已转移', unit: '家' },
  balances: { kind: 'word', label: '余额处理', words: BALANCE_CHOICES },
  reason: { kind: 'text', label: '原因' },
  createdByName: { kind: 'text', label: '办理人' },
  createdAt: { kind: 'instant', label: '开始时间' },
  finishedAt: { kind: 'instant', label: '完成时间', nullable: true },
} as const satisfies Fields

export const CLOSINGS = list({
  key: 'partnerClosing.list',
  title: '停止合作',
  fields: CLOSING_FIELDS,
  columns: {
    companyName: { width: 200, fixed: 'start', opens: true, card: 'title', below: ['agentId'] },
    state: { width: 128, card: 'fact' },
    moved: { title: '已转移 / 商户', width: 112, card: 'fact', below: ['shops'] },
    takerName: { width: 192, card: 'fact', below: ['takerId'] },
    reason: { width: 152 },
    createdByName: { width: 88 },
    createdAt: {},
    finishedAt: {},
    balances: { width: 128, hidden: true },
  },
  search: '合作伙伴 / 接收方 / 编号',
  filters: { state: byWord(CLOSING_FIELDS.state) },
  empty: '还没有停止合作的合作伙伴',
})

/** Which partner ends, who takes its shops, and what becomes of what it holds. */
export const CLOSING = {
  agentId: {
    kind: 'id',
    label: '停止合作的合作伙伴',
    control: { as: 'own', required: true, missing: CLOSING_REFUSALS.PARTNER_REQUIRED },
  },
  takerId: {
    kind: 'id',
    label: '商户转给',
    control: { as: 'own', required: true, missing: CLOSING_REFUSALS.TAKER_REQUIRED },
  },
  balances: {
    ...CLOSING_FIELDS.balances,
    control: { as: 'choice', required: true, missing: CLOSING_REFUSALS.BALANCES_REQUIRED },
  },
  reason: {
    kind: 'text',
    label: '停止合作的原因',
    max: LIMITS.reason,
    control: { as: 'text', required: true, counted: true },
  },
} as const satisfies Fields
