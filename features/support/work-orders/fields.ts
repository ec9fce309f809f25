// What a work order shows, and the two lists of them: a partner's own, and all, for the vendor's staff (D3 §7).
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { DATE_PRESET_DAYS } from '#features/shops/merchants/rules.ts'
import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { ORDER_KINDS, ORDER_LIMITS, ORDER_STATES, SATISFACTION_WORDS, URGENCIES } from './rules.ts'

export const WORK_ORDER_FIELDS = {
  id: { kind: 'id', label: '工单编号', in: ['row'] },
  title: { kind: 'text', label: '标题', in: ['row'] },
  lastText: { kind: 'text', label: '最近消息', in: ['row'] },
  kind: { kind: 'word', label: '类型', words: ORDER_KINDS, in: ['row'] },
  urgency: {
    kind: 'word',
    label: '紧急程度',
    words: URGENCIES,
    tones: { normal: 'neutral', urgent: 'attention', critical: 'problem' },
    in: ['row'],
  },
  state: {
    kind: 'word',
    label: '状态',
    words: ORDER_STATES,
    tones: {
      new: 'attention',
      accepted: 'neutral',
      working: 'neutral',
      waiting: 'attention',
      done: 'done',
      closed: 'neutral',
    },
    in: ['row'],
  },
  merchantId: { kind: 'id', label: '商户ID', nullable: true, none: '', in: ['row'] },
  shopName: { ...MERCHANT_FIELDS.shopName, none: '', in: ['row'] },
  createdByName: { kind: 'text', label: '提交人', in: ['row'] },
  createdAt: { kind: 'instant', label: '提交时间', in: ['row'] },
  lastAt: { kind: 'instant', label: '最近消息时间', in: ['row'] },
  assigneeName: { kind: 'text', label: '负责人', none: '未分配', in: ['row'] },
  /** Of what runs. */
  pressingAt: { kind: 'instant', label: '截止时间', nullable: true, none: '', in: ['row'] },
  firstAnsweredAt: { kind: 'instant', label: '首次回复时间', nullable: true, none: '', in: ['row'] },
  doneAt: { kind: 'instant', label: '完成时间', nullable: true, none: '', in: ['row'] },
  satisfaction: {
    kind: 'word',
    label: '满意度',
    words: SATISFACTION_WORDS,
    nullable: true,
    none: '',
    in: ['row'],
  },
  ratingText: { kind: 'text', label: '评价', none: '', in: ['row'] },
  agentId: { kind: 'id', label: '代理商编号', in: ['row'] },
  agentName: { ...AGENT_FIELDS.companyName, in: ['row'] },
} as const satisfies Fields

const COLUMNS = {
  title: {
    title: '标题 / 最近消息',
    width: 248,
    fixed: 'start',
    opens: true,
    card: 'title',
    below: ['lastText'],
  },
  state: { title: '状态 / 紧急程度', width: 112, card: 'fact', below: ['urgency'] },
  kind: { width: 96, card: 'fact' },
  shopName: { title: '店铺', width: 136, card: 'fact', below: ['merchantId'] },
  assigneeName: { width: 80, card: 'fact' },
  pressingAt: { card: 'fact' },
  lastAt: {},
  satisfaction: { width: 104 },
  createdAt: { hidden: 'staff' },
  createdByName: { width: 80, hidden: 'staff' },
  id: { width: 88, hidden: true },
  firstAnsweredAt: { hidden: true },
  doneAt: { hidden: true },
  ratingText: { width: 160, hidden: true },
} as const

const FILTERS = {
  state: byWord(WORK_ORDER_FIELDS.state),
  kind: byWord(WORK_ORDER_FIELDS.kind),
  urgency: byWord(WORK_ORDER_FIELDS.urgency),
  created: {
    kind: 'days',
    label: '提交时间',
    params: ['from', 'to'],
    presets: DATE_PRESET_DAYS.map((days): DayPreset => [days, 'day']),
  },
} as const
const SEARCH = '工单编号 / 标题和内容 / 店铺名称 / 商户ID / 提交人'

export const WORK_ORDERS = list({
  key: 'workOrders.list',
  title: '我的工单',
  fields: WORK_ORDER_FIELDS,
  columns: COLUMNS,
  search: SEARCH,
  filters: { ...FILTERS, satisfaction: byWord(WORK_ORDER_FIELDS.satisfaction) },
  sorts: ['lastAt'],
  file: { path: '/work-orders.xlsx', permission: 'workOrders.export', log: '导出工单', name: '工单' },
  empty: '还没有工单，需要厂商处理的事情可以新建工单',
})

export const ALL_WORK_ORDERS = list({
  key: 'workOrders.all',
  title: '工单处理',
  fields: WORK_ORDER_FIELDS,
  columns: { ...COLUMNS, agentName: { width: 128 }, agentId: { width: 72, fileOnly: true } },
  search: SEARCH,
  filters: {
    ...FILTERS,
    agentId: BY_AGENT,
    assigneeId: { kind: 'id', label: '负责人' },
    mine: { kind: 'flag', label: '分配给我', words: { true: '分配给我的' } },
    overdue: { kind: 'flag', label: '逾期', words: { true: '已逾期' } },
  },
  sorts: ['pressingAt', 'lastAt'],
  order: 'asc',
  file: {
    path: '/work-orders/all.xlsx',
    permission: 'workOrders.exportAll',
    log: '导出全部工单',
    name: '全部工单',
  },
  empty: '还没有代理商提交工单',
})

export const ORDER_RATING = {
  satisfaction: {
    kind: 'word',
    label: '满意度',
    words: SATISFACTION_WORDS,
    control: { as: 'choice', look: 'lines', reversed: true, required: true },
  },
  text: {
    ...WORK_ORDER_FIELDS.ratingText,
    max: ORDER_LIMITS.rating,
    control: { as: 'lines', rows: 3, counted: true, hint: '选填' },
  },
} as const satisfies Fields

export const REOPENING = {
  reason: {
    kind: 'text',
    label: '哪里没有解决',
    max: ORDER_LIMITS.reason,
    control: { as: 'lines', required: true, rows: 3, counted: true },
  },
} as const satisfies Fields

/** What is said along with a step of the vendor's staff. */
export const ORDER_STEPS_SAID = {
  ask: {
    text: {
      kind: 'text',
      label: '需要补充什么',
      max: ORDER_LIMITS.text,
      control: {
        as: 'lines',
        required: true,
        rows: 4,
        counted: true,
        hint: '代理商会看到',
        missing: '请输入需要补充的内容',
      },
    },
  },
  finish: {
    text: {
      kind: 'text',
      label: '处理结果',
      max: ORDER_LIMITS.text,
      control: { as: 'lines', rows: 4, counted: true, hint: '选填，代理商会看到' },
    },
  },
} as const satisfies Record<string, Fields>

export const ORDER_DUE = {
  dueAt: {
    kind: 'instant',
    label: '截止时间',
    control: {
      as: 'own',
      required: true,
      missing: '请选择截止时间',
      hint: '逾期后在列表中标出并排在最前',
    },
  },
} as const satisfies Fields

/** What is asked of the vendor; its pictures are the page's own. */
export const NEW_ORDER = {
  kind: {
    kind: 'word',
    label: '工单类型',
    words: ORDER_KINDS,
    control: { as: 'own', required: true },
  },
  urgency: { ...WORK_ORDER_FIELDS.urgency, control: { as: 'choice', first: 'normal' } },
  title: {
    ...WORK_ORDER_FIELDS.title,
    max: ORDER_LIMITS.title,
    control: { as: 'text', required: true, counted: true },
  },
  text: {
    kind: 'text',
    label: '问题描述',
    max: ORDER_LIMITS.text,
    control: {
      as: 'lines',
      required: true,
      rows: 5,
      counted: true,
      placeholder: '发生了什么、从什么时候开始、怎样可以重现',
    },
  },
  merchantId: {
    kind: 'id',
    label: '相关店铺',
    nullable: true,
    control: { as: 'own', hint: '与某家店铺有关时选择' },
  },
} as const satisfies Fields
