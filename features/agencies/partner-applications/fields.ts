// What a company tells that wants to become a partner, and the list of those who asked.
import { DATE_PRESET_DAYS } from '#features/shops/merchants/rules.ts'
import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { byWord, list } from '#kit/declare/list.ts'
import { APPLICATION_LIMITS, APPLICATION_STATES } from './rules.ts'

export const APPLICATION_FIELDS = {
  companyName: { kind: 'text', label: '公司名称', max: APPLICATION_LIMITS.companyName },
  contactName: { kind: 'text', label: '联系人', max: APPLICATION_LIMITS.contactName },
  mobile: { kind: 'phone', label: '手机号码' },
  state: {
    kind: 'word',
    label: '状态',
    words: APPLICATION_STATES,
    tones: { new: 'attention', contacting: 'neutral', accepted: 'done', refused: 'neutral' },
  },
  regionName: { kind: 'text', label: '所在地区' },
  address: { kind: 'text', label: '详细地址', max: APPLICATION_LIMITS.address },
  sells: { kind: 'text', label: '经营业务', max: APPLICATION_LIMITS.sells },
  remark: { kind: 'text', label: '备注', max: APPLICATION_LIMITS.remark },
  createdAt: { kind: 'instant', label: '提交时间' },
  dueOn: { kind: 'day', label: '回复期限', nullable: true, none: '' },
  handledByName: { kind: 'text', label: '处理人' },
  handledAt: { kind: 'instant', label: '处理时间', nullable: true },
  reason: { kind: 'text', label: '婉拒原因', max: APPLICATION_LIMITS.reason },
} as const satisfies Fields

export const APPLICATIONS = list({
  key: 'partnerApplications.list',
  title: '合作申请',
  fields: APPLICATION_FIELDS,
  columns: {
    companyName: { width: 208, fixed: 'start', opens: true, card: 'title', below: ['regionName'] },
    state: { title: '状态 / 回复期限', width: 128, card: 'fact', below: ['dueOn'] },
    contactName: { title: '联系人 / 手机号码', width: 128, card: 'fact', below: ['mobile'] },
    sells: { width: 224 },
    createdAt: { card: 'fact' },
    handledByName: { width: 88 },
    handledAt: {},
    reason: { width: 144, hidden: true },
    address: { width: 176, hidden: true },
    remark: { width: 176, hidden: true },
  },
  search: '公司名称 / 联系人 / 手机号开头',
  filters: {
    state: byWord(APPLICATION_FIELDS.state),
    created: {
      kind: 'days',
      label: '提交时间',
      params: ['from', 'to'],
      presets: DATE_PRESET_DAYS.map((days): DayPreset => [days, 'day']),
    },
  },
  empty: '还没有合作申请，申请页的地址是 /partner/apply',
})

export const APPLICATION_NOTE = {
  text: {
    kind: 'text',
    label: '跟进记录',
    max: APPLICATION_LIMITS.note,
    control: { as: 'lines', required: true, rows: 4, counted: true },
  },
} as const satisfies Fields

export const DECLINING = {
  reason: {
    kind: 'text',
    label: '婉拒原因',
    max: APPLICATION_LIMITS.reason,
    control: {
      as: 'lines',
      required: true,
      rows: 3,
      counted: true,
      hint: '只有厂商工作人员可见，短信只告知结果',
    },
  },
} as const satisfies Fields
