// What the fields of a shop to renew and the renewal desk are.
import { MERCHANT_FIELDS } from '#features/merchants/fields.ts'
import type { Fields } from '#kit/fields.ts'
import { BY_AGENT, list } from '#kit/list.ts'
import { MARK_STATES } from './rules.ts'

const DESK_FIELDS = {
  id: { kind: 'id', label: 'ID' },
  shopName: MERCHANT_FIELDS.shopName,
  daysLeft: { kind: 'count', label: '剩余天数' },
  reasons: { kind: 'text', label: '优先原因' },
  account: { kind: 'digits', label: '联系人 / 电话' },
  mark: { kind: 'text', label: '跟进' },
  versionName: { kind: 'text', label: '版本' },
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
    shopName: { width: 208, fixed: 'start', opens: true, card: 'title' },
    daysLeft: { width: 96, card: 'fact' },
    reasons: { width: 256, card: 'fact' },
    account: { width: 176, card: 'fact' },
    mark: { width: 240, card: 'fact' },
    versionName: { width: 136, card: 'fact' },
    expiresAt: { width: 164, card: 'fact' },
    lastLoginAt: { width: 164 },
    managerName: { width: 120 },
    id: { width: 124 },
    agentName: { width: 200, for: 'staff' },
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
