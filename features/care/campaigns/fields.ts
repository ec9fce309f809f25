// What a campaign's fields and its list are.
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import { MERCHANT_FIELDS, SHOP_FILTERS } from '#features/shops/merchants/fields.ts'
import { DATE_PRESET_DAYS } from '#features/shops/merchants/rules.ts'
import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { CAMPAIGN_STATUSES } from './rules.ts'

const { status: _status, ...shopFilters } = SHOP_FILTERS

/** By which shops a campaign finds whom it reaches. Those that are disabled get nothing, whatever is filtered. */
export const AUDIENCE_FILTERS = {
  ...shopFilters,
  agentId: BY_AGENT,
  managerId: { kind: 'id', label: '客户经理' },
  verificationStatus: { ...byWord(MERCHANT_FIELDS.verificationStatus), chip: '认证' },
} as const

export const CAMPAIGN_FIELDS = {
  name: { kind: 'text', label: '任务名称' },
  status: {
    kind: 'word',
    label: '状态',
    words: CAMPAIGN_STATUSES,
    tones: {
      draft: 'neutral',
      scheduled: 'attention',
      queueing: 'neutral',
      sending: 'neutral',
      done: 'done',
      cancelled: 'neutral',
      refused: 'problem',
    },
  },
  template: { kind: 'text', label: '模板' },
  audience: { kind: 'text', label: '商户范围' },
  queued: { kind: 'count', label: '商户', unit: '家' },
  progress: { kind: 'text', label: '发送结果' },
  charged: { kind: 'count', label: '计费', unit: '条' },
  scheduledAt: { kind: 'instant', label: '发送时间' },
  agentName: AGENT_FIELDS.companyName,
  createdByName: { kind: 'text', label: '操作人' },
  createdAt: { kind: 'instant', label: '创建时间' },
} as const satisfies Fields

export const CAMPAIGNS = list({
  key: 'campaigns.list',
  title: '短信群发',
  fields: CAMPAIGN_FIELDS,
  columns: {
    name: { width: 160, fixed: 'start', opens: true, card: 'title', below: ['template'] },
    status: { width: 88, card: 'fact' },
    audience: { width: 184 },
    queued: { width: 88, card: 'fact' },
    progress: { width: 192, card: 'fact' },
    charged: { width: 88, card: 'fact' },
    scheduledAt: { card: 'fact' },
    createdByName: { width: 80 },
    agentName: { width: 144, for: 'staff' },
    createdAt: { hidden: 'staff' },
  },
  search: '任务名称',
  filters: {
    status: byWord(CAMPAIGN_FIELDS.status),
    created: {
      kind: 'days',
      label: '创建时间',
      chip: '时间',
      params: ['from', 'to'],
      presets: DATE_PRESET_DAYS.map((days): DayPreset => [days, 'day']),
    },
    agentId: BY_AGENT,
  },
  empty: '还没有群发过短信，写好内容并选择商户后即可发送',
})
