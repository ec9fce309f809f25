// What the fields of a question from the website and their list are.
import { DATE_PRESET_DAYS } from '#features/shops/merchants/rules.ts'
import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { list } from '#kit/declare/list.ts'
import { CONSULTATION_LIMITS } from './rules.ts'

export const CONSULTATION_FIELDS = {
  name: { kind: 'text', label: '称呼' },
  mobile: { kind: 'phone', label: '手机号码' },
  contacted: { kind: 'flag', label: '状态' },
  createdAt: { kind: 'instant', label: '提交时间' },
  address: { kind: 'text', label: '地址' },
  content: { kind: 'text', label: '咨询内容' },
  contactedAt: { kind: 'instant', label: '联系时间', nullable: true },
  contactedByName: { kind: 'text', label: '联系人' },
} as const satisfies Fields

/** What the website asks; its page draws it with as little as it can. */
export const CONSULTATION_ASKED = {
  name: {
    ...CONSULTATION_FIELDS.name,
    max: CONSULTATION_LIMITS.name,
    control: { as: 'text', label: '您的称呼', required: true },
  },
  mobile: { ...CONSULTATION_FIELDS.mobile, control: { as: 'text', required: true } },
  address: {
    ...CONSULTATION_FIELDS.address,
    max: CONSULTATION_LIMITS.address,
    control: { as: 'text', label: '所在城市或地址' },
  },
  content: {
    ...CONSULTATION_FIELDS.content,
    max: CONSULTATION_LIMITS.content,
    control: { as: 'lines', label: '想了解什么', rows: 3 },
  },
} as const satisfies Fields

export const CONSULTATIONS = list({
  key: 'consultations.list',
  title: '官网咨询',
  fields: CONSULTATION_FIELDS,
  columns: {
    name: { title: '称呼 / 手机号码', width: 136, card: 'title', below: ['mobile'] },
    contacted: { width: 80, card: 'fact' },
    createdAt: { card: 'fact' },
    address: { width: 176 },
    content: { width: 272, card: 'fact' },
    contactedAt: {},
    contactedByName: { width: 88 },
  },
  search: '称呼 / 地址 / 手机号开头',
  filters: {
    contacted: { kind: 'flag', label: '状态', words: { false: '待联系', true: '已联系' } },
    created: {
      kind: 'days',
      label: '提交时间',
      params: ['from', 'to'],
      presets: DATE_PRESET_DAYS.map((days): DayPreset => [days, 'day']),
    },
  },
  empty: '还没有官网咨询，访客提交后会显示在这里',
})
