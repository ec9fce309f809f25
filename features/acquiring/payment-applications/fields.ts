// What an application for payments shows, and its two lists: of those who hand in and decide, and of the review at the payment service.
import { DOCUMENT_COLUMNS } from '#features/money/ledger/fields.ts'
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { DATE_PRESET_DAYS } from '#features/shops/merchants/rules.ts'
import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { ONBOARDING_STATES } from '#kit/ports/onboarding.ts'
import { APPLICATION_STATES, HANDED_IN, LIMITS, PAY_TYPES, REVIEW_STATES } from './rules.ts'

export const APPLICATION_FIELDS = {
  id: { kind: 'id', label: '申请编号', in: ['row'] },
  merchantId: { kind: 'id', label: '商户ID', in: ['row'] },
  shopName: { ...MERCHANT_FIELDS.shopName, in: ['row'] },
  account: { kind: 'text', label: '软件账号', in: ['row'] },
  payType: { kind: 'word', label: '支付类型', words: PAY_TYPES, in: ['row'] },
  phone: { kind: 'phone', label: '联系电话', max: LIMITS.phone, none: '', in: ['row'] },
  email: { kind: 'text', label: '联系邮箱', max: LIMITS.email, none: '', in: ['row'] },
  regionName: { kind: 'text', label: '开户行地区', none: '', in: ['row'] },
  bankName: { kind: 'text', label: '开户银行', max: LIMITS.bankName, none: '', in: ['row'] },
  branchName: { kind: 'text', label: '支行名称', max: LIMITS.branchName, none: '', in: ['row'] },
  branchNumber: { kind: 'text', label: '支行联行号', none: '', in: ['row'] },
  state: {
    kind: 'word',
    label: '状态',
    words: APPLICATION_STATES,
    tones: { draft: 'neutral', pending: 'attention', approved: 'done', rejected: 'problem' },
    in: ['row'],
  },
  reason: { kind: 'text', label: '驳回原因', none: '', in: ['row'] },
  reviewState: {
    kind: 'word',
    label: '受理状态',
    words: REVIEW_STATES,
    tones: { waiting: 'attention', accepting: 'attention', accepted: 'done', rejected: 'problem' },
    nullable: true,
    none: '',
    in: ['row'],
  },
  serviceState: {
    kind: 'word',
    label: '支付服务状态',
    words: ONBOARDING_STATES,
    tones: {
      editing: 'attention',
      auditing: 'attention',
      rejected: 'problem',
      toBeConfirmed: 'attention',
      toBeSigned: 'attention',
      signing: 'attention',
      finished: 'done',
      canceled: 'problem',
    },
    nullable: true,
    none: '',
    in: ['row'],
  },
  reviewNote: { kind: 'text', label: '审核备注', max: LIMITS.reviewNote, none: '', in: ['row'] },
  submittedAt: { kind: 'instant', label: '提交时间', nullable: true, none: '', in: ['row'] },
  submittedByName: { kind: 'text', label: '提交人', none: '', in: ['row'] },
  handledAt: { kind: 'instant', label: '处理时间', nullable: true, none: '', in: ['row'] },
  handledByName: { kind: 'text', label: '处理人', none: '', in: ['row'] },
  reviewedAt: { kind: 'instant', label: '受理时间', nullable: true, none: '', in: ['row'] },
  reviewedByName: { kind: 'text', label: '受理人', none: '', in: ['row'] },
  agentId: { kind: 'id', label: '代理商编号', in: ['row'] },
  agentName: { ...AGENT_FIELDS.companyName, in: ['row'] },
} as const satisfies Fields

const SUBMITTED = {
  kind: 'days',
  label: '提交时间',
  params: ['from', 'to'],
  presets: DATE_PRESET_DAYS.map((days): DayPreset => [days, 'day']),
} as const

/** D2 §2 18. A draft stands in no list. */
export const APPLICATIONS = list({
  key: 'paymentApplications.list',
  title: '支付申请',
  fields: APPLICATION_FIELDS,
  columns: {
    account: {
      title: '软件账号 / 店铺',
      width: 168,
      fixed: 'start',
      opens: true,
      card: 'title',
      below: ['shopName'],
    },
    phone: { title: '联系电话 / 邮箱', width: 152, card: 'fact', below: ['email'] },
    regionName: { title: '支行信息', width: 232, card: 'fact', below: ['branchName'] },
    state: { title: '状态 / 驳回原因', width: 152, card: 'fact', below: ['reason'] },
    submittedAt: { title: '提交', width: 104, card: 'fact' },
    handledAt: { title: '处理', width: 104 },
    agentName: DOCUMENT_COLUMNS.agentName,
    payType: { width: 88, hidden: true },
    bankName: { width: 136, hidden: true },
    branchNumber: { width: 128, hidden: true },
    reviewState: { width: 96, hidden: true },
    submittedByName: { width: 88, hidden: true },
    handledByName: { width: 88, hidden: true },
  },
  search: '软件账号 / 店铺名称 / 商户ID',
  filters: {
    state: { ...byWord(APPLICATION_FIELDS.state), some: HANDED_IN },
    payType: byWord(APPLICATION_FIELDS.payType),
    submitted: SUBMITTED,
    agentId: BY_AGENT,
  },
  sorts: ['submittedAt'],
  empty: '没有符合条件的支付申请',
})

/** D2 §2 20: what was approved, and how far it is with the payment service. */
export const REVIEWS = list({
  key: 'paymentApplications.reviews',
  title: '支付受理',
  fields: APPLICATION_FIELDS,
  columns: {
    shopName: {
      title: '商户 / 商户ID',
      width: 176,
      fixed: 'start',
      card: 'title',
      below: ['merchantId'],
    },
    phone: { width: 136, card: 'fact', opens: true },
    branchName: { title: '支行名称', width: 224, card: 'fact', below: ['bankName'] },
    submittedAt: { title: '提交', width: 104, card: 'fact' },
    reviewState: { title: '受理状态', width: 112, card: 'fact', below: ['serviceState'] },
    reviewNote: { title: '备注', width: 184, card: 'fact' },
    agentName: DOCUMENT_COLUMNS.agentName,
    handledAt: { title: '通过审核', width: 104, hidden: true },
    reviewedAt: { width: 104, hidden: true },
    reviewedByName: { width: 88, hidden: true },
    payType: { width: 88, hidden: true },
    branchNumber: { width: 128, hidden: true },
  },
  search: '商户ID / 店铺名称 / 软件账号',
  filters: {
    reviewState: byWord(APPLICATION_FIELDS.reviewState),
    submitted: SUBMITTED,
    agentId: BY_AGENT,
  },
  sorts: ['handledAt'],
  empty: '没有符合条件的申请。审核通过的支付申请会在这里等待受理',
})

/** What a reviewer sets. */
export const REVIEW = {
  reviewState: {
    ...APPLICATION_FIELDS.reviewState,
    control: { as: 'choice', look: 'buttons', required: true, first: 'waiting' },
  },
  reviewNote: {
    ...APPLICATION_FIELDS.reviewNote,
    control: { as: 'lines', rows: 3, counted: true, hint: '驳回时必填，会告诉代理商' },
  },
} as const satisfies Fields
