// What verification data show, and the list of what shops have submitted (D1 §2, §3; D2 §3).
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { DATE_PRESET_DAYS, VERIFICATION_STATUSES } from '#features/shops/merchants/rules.ts'
import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { READ_LABELS, VERIFICATION_LIMITS } from './rules.ts'

export const VERIFICATION_FIELDS = {
  id: { kind: 'id', label: '资料编号', in: ['row'] },
  merchantId: { kind: 'id', label: '商户ID', in: ['row'] },
  shopName: { ...MERCHANT_FIELDS.shopName, in: ['row'] },
  account: { ...MERCHANT_FIELDS.account, in: ['row'] },
  company: {
    kind: 'text',
    label: READ_LABELS.company,
    max: VERIFICATION_LIMITS.company,
    none: '',
    in: ['row'],
  },
  creditCode: {
    kind: 'text',
    label: READ_LABELS.creditCode,
    max: VERIFICATION_LIMITS.creditCode,
    none: '',
    in: ['row'],
  },
  legalPerson: {
    kind: 'text',
    label: READ_LABELS.legalPerson,
    max: VERIFICATION_LIMITS.legalPerson,
    none: '',
    in: ['row'],
  },
  personInCharge: {
    kind: 'text',
    label: READ_LABELS.personInCharge,
    max: VERIFICATION_LIMITS.personInCharge,
    none: '',
    in: ['row'],
  },
  idNumber: { kind: 'text', label: READ_LABELS.idNumber, max: VERIFICATION_LIMITS.idNumber, none: '' },
  signature: { kind: 'text', label: '短信签名', max: VERIFICATION_LIMITS.signature, none: '', in: ['row'] },
  phone: { kind: 'phone', label: '责任人手机号', max: VERIFICATION_LIMITS.phone, none: '', in: ['row'] },
  state: {
    kind: 'word',
    label: '认证状态',
    words: VERIFICATION_STATUSES,
    tones: MERCHANT_FIELDS.verificationStatus.tones,
    in: ['row'],
  },
  reason: { kind: 'text', label: '驳回原因', max: VERIFICATION_LIMITS.reason, none: '', in: ['row'] },
  advice: { kind: 'text', label: '给商户的建议', max: VERIFICATION_LIMITS.advice, none: '', in: ['row'] },
  submittedAt: { kind: 'instant', label: '提交时间', nullable: true, none: '', in: ['row'] },
  submittedByName: { kind: 'text', label: '提交人', none: '', in: ['row'] },
  handledByName: { kind: 'text', label: '处理人', none: '', in: ['row'] },
  handledAt: { kind: 'instant', label: '处理时间', nullable: true, none: '', in: ['row'] },
  agentId: { kind: 'id', label: '代理商编号', in: ['row'] },
  agentName: { ...AGENT_FIELDS.companyName, in: ['row'] },
} as const satisfies Fields

/** A draft that was never submitted stands in no list. */
export const VERIFICATIONS = list({
  key: 'verification.reviews',
  title: '实名审核',
  fields: VERIFICATION_FIELDS,
  columns: {
    company: {
      title: '企业名称 / 信用代码',
      width: 208,
      fixed: 'start',
      opens: true,
      card: 'title',
      below: ['creditCode'],
    },
    shopName: { title: '店铺', width: 152, card: 'fact', below: ['merchantId'] },
    personInCharge: { title: '责任人 / 手机号', width: 120, below: ['phone'] },
    state: { title: '状态 / 驳回原因', width: 136, card: 'fact', below: ['reason'] },
    submittedAt: { card: 'fact' },
    agentName: { width: 120 },
    handledByName: { width: 72 },
    legalPerson: { width: 88, hidden: true },
    signature: { width: 104, hidden: true },
    submittedByName: { width: 88, hidden: true },
    handledAt: { hidden: true },
    advice: { width: 152, hidden: true },
  },
  search: '商户ID / 企业名称 / 信用代码 / 责任人',
  filters: {
    state: { ...byWord(VERIFICATION_FIELDS.state), some: ['reviewing', 'verified', 'failed'] },
    submitted: {
      kind: 'days',
      label: '提交时间',
      params: ['from', 'to'],
      presets: DATE_PRESET_DAYS.map((days): DayPreset => [days, 'day']),
    },
    agentId: BY_AGENT,
  },
  sorts: ['submittedAt'],
  empty: '还没有提交的实名资料',
})
