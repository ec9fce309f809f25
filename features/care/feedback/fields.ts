// What a feedback of a partner shows, and the list of all (D1 §2, D3 §3).
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import { DATE_PRESET_DAYS } from '#features/shops/merchants/rules.ts'
import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { FEEDBACK_LIMITS, FEEDBACK_PICTURE, FEEDBACK_STATES, ONE_PICTURE } from './rules.ts'

export const FEEDBACK_FIELDS = {
  id: { kind: 'id', label: '编号', in: ['row'] },
  picture: { kind: 'text', label: '图片' },
  content: { kind: 'text', label: '反馈内容', max: FEEDBACK_LIMITS.content, in: ['row'] },
  state: {
    kind: 'word',
    label: '状态',
    words: FEEDBACK_STATES,
    tones: { open: 'attention', answered: 'done' },
    in: ['row'],
  },
  createdAt: { kind: 'instant', label: '提交时间', in: ['row'] },
  createdByName: { kind: 'text', label: '姓名', in: ['row'] },
  phone: { kind: 'phone', label: '电话', in: ['row'] },
  agentId: { kind: 'id', label: '代理商编号', in: ['row'] },
  agentName: AGENT_FIELDS.companyName,
  answer: { kind: 'text', label: '回复', max: FEEDBACK_LIMITS.answer, in: ['row'] },
  answeredByName: { kind: 'text', label: '回复人', in: ['row'] },
  answeredAt: { kind: 'instant', label: '回复时间', nullable: true, in: ['row'] },
} as const satisfies Fields

export const FEEDBACK = list({
  key: 'feedback.list',
  title: '代理商反馈',
  fields: FEEDBACK_FIELDS,
  columns: {
    picture: { width: 72, fixed: 'start' },
    content: { width: 216, opens: true, card: 'title' },
    state: { width: 80, card: 'fact' },
    createdAt: { card: 'fact' },
    createdByName: { title: '姓名 / 电话', width: 120, card: 'fact', below: ['phone'] },
    agentName: { width: 152, card: 'fact' },
    answer: { width: 160 },
    answeredByName: { width: 88 },
    answeredAt: {},
  },
  search: '反馈内容 / 姓名 / 电话',
  filters: {
    state: byWord(FEEDBACK_FIELDS.state),
    created: {
      kind: 'days',
      label: '提交时间',
      params: ['from', 'to'],
      presets: DATE_PRESET_DAYS.map((days): DayPreset => [days, 'day']),
    },
    agentId: BY_AGENT,
  },
  empty: '还没有代理商提交反馈',
})

export const FEEDBACK_ANSWER = {
  answer: {
    ...FEEDBACK_FIELDS.answer,
    control: { as: 'lines', label: '回复内容', required: true, rows: 4, counted: true },
  },
} as const satisfies Fields

/** What a partner tells the vendor. */
export const FEEDBACK_SENT = {
  content: {
    ...FEEDBACK_FIELDS.content,
    control: {
      as: 'lines',
      label: '遇到的问题或建议',
      required: true,
      missing: '请输入反馈内容',
      rows: 4,
      counted: true,
    },
  },
  pictureId: {
    kind: 'text',
    label: '反馈图片',
    nullable: true,
    control: { as: 'picture', purpose: FEEDBACK_PICTURE, onlyOne: ONE_PICTURE },
  },
} as const satisfies Fields
