// What the fields of a shop to renew and the renewal desk are.
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, list } from '#kit/declare/list.ts'
import { LIMITS, MARK_STATES } from './rules.ts'

const DESK_FIELDS = {
  id: { kind: 'id', label: 'ID' },
  shopName: MERCHANT_FIELDS.shopName,
  /** In words. */
  daysLeft: { kind: 'text', label: '剩余天数' },
  reasons: { kind: 'text', label: '优先原因' },
  storeKind: MERCHANT_FIELDS.storeKind,
  personName: MERCHANT_FIELDS.personName,
  account: MERCHANT_FIELDS.account,
  mark: { kind: 'text', label: '跟进' },
  nextOn: { kind: 'day', label: '下次跟进' },
  versionName: { kind: 'text', label: '版本' },
  yearCents: { kind: 'money', label: '续费一年', unit: '代币', nullable: true },
  expiresAt: MERCHANT_FIELDS.expiresAt,
  lastLoginAt: MERCHANT_FIELDS.lastLoginAt,
  managerName: { kind: 'text', label: '客户经理/客服', none: '未分配' },
  agentName: MERCHANT_FIELDS.agentName,
} as const satisfies Fields

export const MARK_TONES = { contacted: 'neutral', promised: 'done', lost: 'problem' } as const

export const RENEWAL_DESK = list({
  key: 'renewals.desk',
  title: '续费工作台',
  fields: DESK_FIELDS,
  columns: {
    shopName: {
      title: '店铺',
      width: 176,
      fixed: 'start',
      opens: true,
      card: 'title',
      below: ['id', 'storeKind'],
    },
    daysLeft: { title: '到期', width: 144, card: 'amount', below: ['expiresAt'] },
    yearCents: { width: 104, card: 'line' },
    reasons: { width: 168, card: 'line' },
    personName: { title: '姓名 / 电话', width: 120, below: ['account'] },
    versionName: { width: 104, hidden: 'staff' },
    mark: { width: 136, below: ['nextOn'] },
    lastLoginAt: { hidden: true },
    managerName: { width: 88, hidden: 'staff' },
    agentName: { width: 144, for: 'staff' },
  },
  search: '商户ID / 姓名 / 店铺 / 账号',
  filters: {
    /** 0: shops without a manager. */
    managerId: { kind: 'id', label: '客户经理/客服', chip: '客户经理' },
    mark: {
      kind: 'word',
      label: '跟进状态',
      chip: '跟进',
      words: { due: '到约定跟进日', none: '未跟进', ...MARK_STATES },
    },
    agentId: { ...BY_AGENT, clears: ['managerId'] },
  },
  empty: '这个时间范围内没有要续费的商户',
})

/** What was agreed with a shop about its renewal. */
export const MARK = {
  state: {
    kind: 'word',
    label: '跟进结果',
    words: MARK_STATES,
    control: { as: 'choice', first: 'contacted' },
  },
  note: { kind: 'text', label: '跟进说明', max: LIMITS.note, control: { as: 'lines', counted: true } },
  nextOn: { kind: 'day', label: '下次跟进日期', nullable: true, control: { as: 'own' } },
} as const satisfies Fields
