// What a thread shows, and the two lists of them: of one's own shops, and what lies with the vendor (D3 §2, §3 Feedback, §7).
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { DATE_PRESET_DAYS } from '#features/shops/merchants/rules.ts'
import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import {
  RESOLUTIONS,
  SATISFACTIONS,
  THREAD_DESKS,
  THREAD_KINDS,
  THREAD_LIMITS,
  THREAD_STATES,
} from './rules.ts'

export const THREAD_FIELDS = {
  id: { kind: 'id', label: '反馈编号', in: ['row'] },
  kind: { kind: 'word', label: '来源', words: THREAD_KINDS, in: ['row'] },
  picture: { kind: 'text', label: '图片' },
  title: { kind: 'text', label: '反馈内容', in: ['row'] },
  lastText: { kind: 'text', label: '最近消息', in: ['row'] },
  state: {
    kind: 'word',
    label: '状态',
    words: THREAD_STATES,
    tones: { awaiting: 'attention', replied: 'done', closed: 'neutral' },
    in: ['row'],
  },
  desk: { kind: 'word', label: '处理方', words: THREAD_DESKS, in: ['row'] },
  merchantId: { kind: 'id', label: '商户ID', nullable: true, none: '', in: ['row'] },
  shopName: { ...MERCHANT_FIELDS.shopName, in: ['row'] },
  account: { ...MERCHANT_FIELDS.account, none: '', in: ['row'] },
  createdByName: { kind: 'text', label: '联系人', in: ['row'] },
  createdAt: { kind: 'instant', label: '反馈时间', in: ['row'] },
  lastAt: { kind: 'instant', label: '最近消息时间', in: ['row'] },
  assigneeName: { kind: 'text', label: '负责人', none: '未分配', in: ['row'] },
  repliedByName: { kind: 'text', label: '回复人', none: '', in: ['row'] },
  firstAnsweredAt: { kind: 'instant', label: '首次回复时间', nullable: true, none: '', in: ['row'] },
  satisfaction: {
    kind: 'word',
    label: '满意度',
    words: SATISFACTIONS,
    nullable: true,
    none: '',
    in: ['row'],
  },
  resolution: { kind: 'word', label: '是否解决', words: RESOLUTIONS, nullable: true, none: '', in: ['row'] },
  agentId: { kind: 'id', label: '代理商编号', in: ['row'] },
  agentName: { ...AGENT_FIELDS.companyName, in: ['row'] },
} as const satisfies Fields

const COLUMNS = {
  picture: { width: 56, screenOnly: true },
  title: {
    title: '反馈内容 / 最近消息',
    width: 256,
    fixed: 'start',
    opens: true,
    card: 'title',
    below: ['lastText'],
  },
  state: { title: '状态 / 来源', width: 96, card: 'whole', below: ['kind'] },
  shopName: { title: '店铺 / 账号', width: 152, card: 'fact', below: ['account'] },
  lastAt: { card: 'fact' },
  assigneeName: { title: '负责人 / 处理方', width: 104, card: 'fact', below: ['desk'] },
  repliedByName: { width: 88 },
  satisfaction: { title: '评价', width: 80, below: ['resolution'] },
  createdAt: {},
  createdByName: { width: 88, hidden: true },
  firstAnsweredAt: { hidden: true },
  merchantId: { width: 88, hidden: true },
} as const

const FILTERS = {
  state: byWord(THREAD_FIELDS.state),
  created: {
    kind: 'days',
    label: '反馈时间',
    params: ['from', 'to'],
    presets: DATE_PRESET_DAYS.map((days): DayPreset => [days, 'day']),
  },
  merchantId: { kind: 'text', label: '商户ID' },
  assigneeId: { kind: 'id', label: '负责人' },
  kind: byWord(THREAD_FIELDS.kind),
} as const
const SEARCH = '反馈和回复内容 / 店铺名称 / 账号 / 商户ID'

export const THREADS = list({
  key: 'threads.list',
  title: '商户反馈',
  fields: THREAD_FIELDS,
  columns: COLUMNS,
  search: SEARCH,
  filters: { ...FILTERS, desk: byWord(THREAD_FIELDS.desk) },
  sorts: ['lastAt'],
  file: { path: '/threads.xlsx', permission: 'threads.export', log: '导出商户反馈', name: '商户反馈' },
  empty: '还没有商户反馈，商户在收银系统中提交后会显示在这里',
})

export const ALL_THREADS = list({
  key: 'threads.all',
  title: '客户反馈列表',
  fields: THREAD_FIELDS,
  columns: { ...COLUMNS, agentName: { width: 128 }, agentId: { width: 72, fileOnly: true } },
  search: SEARCH,
  filters: { ...FILTERS, agentId: BY_AGENT },
  sorts: ['lastAt'],
  file: {
    path: '/threads/all.xlsx',
    permission: 'threads.exportAll',
    log: '导出客户反馈',
    name: '客户反馈',
  },
  empty: '还没有客户反馈；代理商转交的和直营商户的反馈会显示在这里',
})

export const PASSING = {
  note: {
    kind: 'text',
    label: '说明',
    max: THREAD_LIMITS.text,
    control: { as: 'lines', rows: 3, counted: true, hint: '选填，只有同事能看到' },
  },
} as const satisfies Fields

export const REOPENING = {
  reason: {
    kind: 'text',
    label: '原因',
    max: THREAD_LIMITS.reason,
    control: {
      as: 'lines',
      required: true,
      rows: 3,
      counted: true,
      hint: '只有同事能看到',
      missing: '请输入重新打开的原因',
    },
  },
} as const satisfies Fields
