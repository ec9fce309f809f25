// What is shown of those who asked to be forgotten, the list of them, and what is asked of who looks.
import type { Fields } from '#kit/declare/fields.ts'
import { byWord, list } from '#kit/declare/list.ts'
import { CHANNELS, ERASURE_STATES, LIMITS, LOOK_REFUSALS, STEP_REFUSALS } from './rules.ts'

export const ERASURE_FIELDS = {
  number: { kind: 'text', label: '申请编号', in: ['row'] },
  state: {
    kind: 'word',
    label: '状态',
    words: ERASURE_STATES,
    tones: {
      looking: 'attention',
      found: 'attention',
      asked: 'attention',
      running: 'attention',
      done: 'done',
      withdrawn: 'neutral',
    },
    in: ['row'],
  },
  phoneMasked: { kind: 'text', label: '手机号', in: ['row'] },
  nameMasked: { kind: 'text', label: '姓名', none: '', in: ['row'] },
  channel: { kind: 'word', label: '提出方式', words: CHANNELS, nullable: true, none: '', in: ['row'] },
  askedOn: { kind: 'day', label: '本人提出日期', nullable: true, none: '', in: ['row'] },
  reason: { kind: 'text', label: '原因', max: LIMITS.reason, none: '', in: ['row'] },
  createdByName: { kind: 'text', label: '查找人', in: ['row'] },
  createdAt: { kind: 'instant', label: '查找时间', in: ['row'] },
  requestedByName: { kind: 'text', label: '提交人', none: '', in: ['row'] },
  approvedByName: { kind: 'text', label: '复核人', none: '', in: ['row'] },
  finishedAt: { kind: 'instant', label: '完成时间', nullable: true, none: '', in: ['row'] },
} as const satisfies Fields

export const ERASURES = list({
  key: 'personErasures.list',
  title: '个人信息删除',
  fields: ERASURE_FIELDS,
  columns: {
    phoneMasked: {
      title: '手机号 / 姓名',
      width: 136,
      fixed: 'start',
      opens: true,
      card: 'title',
      below: ['nameMasked'],
    },
    state: { width: 96, card: 'fact' },
    askedOn: { title: '本人提出', width: 120, card: 'fact', below: ['channel'] },
    reason: { width: 176 },
    createdByName: { title: '查找', width: 152, below: ['createdAt'] },
    requestedByName: { width: 88 },
    approvedByName: { width: 88 },
    finishedAt: { card: 'fact' },
    number: { width: 184 },
  },
  search: '申请编号',
  filters: { state: byWord(ERASURE_FIELDS.state) },
  empty: '还没有人申请删除个人信息',
})

/** Whom to look for. */
export const LOOKED_FOR = {
  phone: {
    kind: 'text',
    label: '手机号',
    control: {
      as: 'text',
      required: true,
      missing: LOOK_REFUSALS.PHONE_REQUIRED,
      hint: '在所有代理商、店铺和记录中查找该号码',
    },
  },
  name: {
    kind: 'text',
    label: '姓名',
    max: LIMITS.name,
    control: { as: 'text', hint: '手机号和姓名都一致的记录会自动勾选' },
  },
  idNumber: {
    kind: 'text',
    label: '身份证号',
    control: { as: 'text', hint: '用于查找加密保存的证件资料' },
  },
} as const satisfies Fields

/** What the person asked. */
export const ASKED = {
  askedOn: {
    ...ERASURE_FIELDS.askedOn,
    control: { as: 'own', required: true, missing: STEP_REFUSALS.ASKED_ON_REQUIRED },
  },
  channel: {
    ...ERASURE_FIELDS.channel,
    control: { as: 'choice', required: true, missing: STEP_REFUSALS.CHANNEL_REQUIRED },
  },
  reason: {
    ...ERASURE_FIELDS.reason,
    control: { as: 'lines', required: true, rows: 3, counted: true, hint: '会写在删除证明上' },
  },
} as const satisfies Fields

/** Why a second person says no. */
export const REJECTION = {
  reason: {
    ...ERASURE_FIELDS.reason,
    label: '退回原因',
    control: { as: 'lines', required: true, rows: 3, counted: true },
  },
} as const satisfies Fields
