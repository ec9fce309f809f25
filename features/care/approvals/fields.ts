// What a request shows, and the three lists of them (D2 §2 screens 5 to 7, §3 approval row, §7).
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { DATE_PRESET_DAYS } from '#features/shops/merchants/rules.ts'
import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { APPROVAL_KINDS, APPROVAL_LIMITS, APPROVAL_STATES } from './rules.ts'

export const APPROVAL_FIELDS = {
  id: { kind: 'id', label: '申请编号', in: ['row'] },
  kind: { kind: 'word', label: '申请类型', words: APPROVAL_KINDS, in: ['row'] },
  merchantId: { kind: 'id', label: '商户ID', in: ['row'] },
  picture: { kind: 'text', label: '图片' },
  content: { kind: 'text', label: '申请内容', in: ['row'] },
  /** Of the shop, as it is now. */
  current: { kind: 'text', label: '现在使用', none: '无', in: ['row'] },
  contentBefore: { kind: 'text', label: '申请时使用', none: '无', in: ['row'] },
  note: { kind: 'text', label: '申请说明', max: APPROVAL_LIMITS.note, none: '', in: ['row'] },
  bySms: { kind: 'flag', label: '短信告知店铺', in: ['row'] },
  shopName: { ...MERCHANT_FIELDS.shopName, in: ['row'] },
  shortName: { ...MERCHANT_FIELDS.shortName, in: ['row'] },
  account: { ...MERCHANT_FIELDS.account, in: ['row'] },
  shopPhone: { ...MERCHANT_FIELDS.shopPhone, in: ['row'] },
  smsBalance: MERCHANT_FIELDS.smsBalance,
  state: {
    kind: 'word',
    label: '状态',
    words: APPROVAL_STATES,
    tones: {
      pending: 'attention',
      approved: 'done',
      rejected: 'problem',
      reviewing: 'attention',
      withdrawn: 'neutral',
      replaced: 'neutral',
    },
    in: ['row'],
  },
  /** Where a signature stands at the SMS services. */
  services: { kind: 'text', label: '短信服务商', none: '', in: ['row'] },
  serviceAnswer: { kind: 'text', label: '服务商答复', none: '', in: ['row'] },
  reason: { kind: 'text', label: '驳回原因', max: APPROVAL_LIMITS.reason, none: '', in: ['row'] },
  advice: { kind: 'text', label: '给商户的建议', max: APPROVAL_LIMITS.advice, none: '', in: ['row'] },
  createdAt: { kind: 'instant', label: '提交时间', in: ['row'] },
  createdByName: { kind: 'text', label: '提交人', in: ['row'] },
  approvedByName: { kind: 'text', label: '审批人', none: '', in: ['row'] },
  approvedAt: { kind: 'instant', label: '审批时间', nullable: true, none: '', in: ['row'] },
  handledByName: { kind: 'text', label: '处理人', none: '', in: ['row'] },
  handledAt: { kind: 'instant', label: '处理时间', nullable: true, none: '', in: ['row'] },
  agentId: { kind: 'id', label: '代理商编号', in: ['row'] },
  agentName: { ...AGENT_FIELDS.companyName, in: ['row'] },
} as const satisfies Fields

const COLUMNS = {
  picture: { width: 56 },
  content: {
    title: '申请内容 / 现在使用',
    width: 176,
    fixed: 'start',
    opens: true,
    card: 'title',
    below: ['current'],
  },
  shopName: { title: '店铺', width: 152, card: 'fact', below: ['merchantId', 'shortName'] },
  account: { title: '账号 / 店铺电话', width: 112, below: ['shopPhone'] },
  state: { title: '状态 / 驳回原因', width: 128, card: 'fact', below: ['reason'] },
  createdAt: { card: 'fact' },
  agentName: { width: 120 },
  createdByName: { width: 88, hidden: true },
  approvedByName: { title: '审批人 / 处理人', width: 104, below: ['handledByName'] },
  approvedAt: { hidden: true },
  handledAt: { hidden: true },
  note: { width: 152, hidden: true },
  advice: { width: 152, hidden: true },
} as const

const SEARCH = '商户ID / 店铺名称 / 申请内容'
const FILTERS = {
  created: {
    kind: 'days',
    label: '提交时间',
    params: ['from', 'to'],
    presets: DATE_PRESET_DAYS.map((days): DayPreset => [days, 'day']),
  },
  agentId: BY_AGENT,
} as const
/** Nothing but a signature lies with an SMS service. */
const STATE = {
  ...byWord(APPROVAL_FIELDS.state),
  some: ['pending', 'approved', 'rejected', 'withdrawn', 'replaced'],
} as const

export const SIGNATURE_REQUESTS = list({
  key: 'approvals.signatures',
  title: APPROVAL_KINDS.signature,
  fields: APPROVAL_FIELDS,
  columns: {
    ...COLUMNS,
    state: { ...COLUMNS.state, below: ['services', 'reason'] },
    smsBalance: { title: '短信', width: 56 },
    serviceAnswer: { width: 152, hidden: true },
  },
  search: SEARCH,
  filters: { state: byWord(APPROVAL_FIELDS.state), ...FILTERS },
  sorts: ['createdAt'],
  empty: '还没有短信签名申请',
})

export const SHOP_NAME_REQUESTS = list({
  key: 'approvals.shopNames',
  title: APPROVAL_KINDS.shopName,
  fields: APPROVAL_FIELDS,
  columns: COLUMNS,
  search: SEARCH,
  filters: { state: STATE, ...FILTERS },
  sorts: ['createdAt'],
  empty: '还没有店铺名称申请',
})

export const MEMBER_TITLE_REQUESTS = list({
  key: 'approvals.memberTitles',
  title: APPROVAL_KINDS.memberTitle,
  fields: APPROVAL_FIELDS,
  columns: COLUMNS,
  search: SEARCH,
  filters: { state: STATE, ...FILTERS },
  sorts: ['createdAt'],
  empty: '还没有会员称谓申请',
})

export const APPROVALS = {
  signature: SIGNATURE_REQUESTS,
  shopName: SHOP_NAME_REQUESTS,
  memberTitle: MEMBER_TITLE_REQUESTS,
} as const

/** Why something of a shop is rejected, and what the shop is told to do. */
export const REJECTION = {
  reason: {
    ...APPROVAL_FIELDS.reason,
    control: { as: 'text', required: true, counted: true, missing: '请选择或填写驳回原因' },
  },
  advice: {
    ...APPROVAL_FIELDS.advice,
    control: { as: 'lines', counted: true, hint: '选填，和原因一起告诉商户' },
  },
} as const satisfies Fields

/** What a shop asks for, and why. */
export const REQUEST = {
  content: { kind: 'text', label: '申请内容', control: { as: 'own' } },
  note: { ...APPROVAL_FIELDS.note, control: { as: 'lines', counted: true, hint: '选填' } },
  pictureId: { kind: 'text', label: '证明图片', nullable: true, control: { as: 'own' } },
  bySms: { kind: 'flag', label: '出结果后短信告知店铺', control: { as: 'own' } },
} as const satisfies Fields
