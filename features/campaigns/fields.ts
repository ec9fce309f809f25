// What a campaign's fields and its list are.
import { AGENT_FIELDS } from '#features/agents/fields.ts'
import { MERCHANT_FIELDS, MY_MERCHANTS } from '#features/merchants/fields.ts'
import { DATE_PRESET_DAYS } from '#features/merchants/rules.ts'
import type { Fields } from '#kit/fields.ts'
import { BY_AGENT, byWord, type DayPreset, list } from '#kit/list.ts'
import { CAMPAIGN_STATUSES } from './rules.ts'

const { status: _status, ...shopFilters } = MY_MERCHANTS.filters

/** By which shops a campaign finds whom it reaches. Those that are disabled get nothing, whatever is filtered. */
export const AUDIENCE_FILTERS = {
  ...shopFilters,
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

/** What matters stands beside the actions at 1440 pixels: for staff down to the agent, for agents down to who sent it. */
export const CAMPAIGNS = list({
  key: 'campaigns.list',
  title: '消息编辑',
  fields: CAMPAIGN_FIELDS,
  columns: {
    name: { width: 152, fixed: 'start', opens: true, card: 'title' },
    status: { width: 80, card: 'fact' },
    template: { width: 96 },
    audience: { width: 220 },
    queued: { width: 80, card: 'fact' },
    progress: { width: 184, card: 'fact' },
    charged: { width: 80, card: 'fact' },
    scheduledAt: { width: 156, card: 'fact' },
    createdByName: { width: 88 },
    agentName: { width: 160, for: 'staff' },
    createdAt: { width: 156 },
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
