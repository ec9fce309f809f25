// What an application for a mini program shows, its list, and what its forms ask for (D2 §2 16, 17, 22).
import { DOCUMENT_COLUMNS } from '#features/money/ledger/fields.ts'
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { DATE_PRESET_DAYS } from '#features/shops/merchants/rules.ts'
import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import {
  APPLICATION_KINDS,
  FORM_REFUSALS,
  LIMITS,
  PROGRAM_APPLICATION_STATES,
  PROGRAM_TYPES,
  STEP_REFUSALS,
} from './rules.ts'

export const APPLICATION_FIELDS = {
  id: { kind: 'id', label: '申请编号', in: ['row'] },
  merchantId: { kind: 'id', label: '商户ID', in: ['row'] },
  shopName: { ...MERCHANT_FIELDS.shopName, in: ['row'] },
  account: { kind: 'text', label: '软件账号', in: ['row'] },
  kind: { kind: 'word', label: '申请类型', words: APPLICATION_KINDS, in: ['row'] },
  companyName: {
    kind: 'text',
    label: '营业执照名称',
    max: LIMITS.companyName,
    none: '',
    in: ['row'],
    control: { as: 'text', required: true, missing: FORM_REFUSALS.COMPANY_REQUIRED },
  },
  companyCode: {
    kind: 'digits',
    label: '统一社会信用代码',
    max: LIMITS.companyCode,
    none: '',
    in: ['row'],
    control: { as: 'text', required: true, missing: FORM_REFUSALS.CODE_REQUIRED },
  },
  legalPersonWechat: {
    kind: 'text',
    label: '法人微信号',
    max: LIMITS.legalPersonWechat,
    none: '',
    control: { as: 'text', half: true },
  },
  legalPersonWechatMasked: { kind: 'text', label: '法人微信号', none: '', in: ['row'] },
  legalPersonName: {
    kind: 'text',
    label: '法人姓名',
    max: LIMITS.legalPersonName,
    none: '',
    in: ['row'],
    control: { as: 'text', required: true, half: true, missing: FORM_REFUSALS.LEGAL_PERSON_REQUIRED },
  },
  servicePhone: {
    kind: 'phone',
    label: '客服电话',
    max: LIMITS.servicePhone,
    none: '',
    in: ['row'],
    control: { as: 'text', required: true, inputMode: 'tel', missing: FORM_REFUSALS.PHONE_REQUIRED },
  },
  programName: {
    kind: 'text',
    label: '小程序名称',
    max: LIMITS.nameWidthMost,
    none: '',
    in: ['row'],
    control: {
      as: 'text',
      required: true,
      missing: FORM_REFUSALS.NAME_REQUIRED,
      hint: `${LIMITS.nameWidthLeast} 至 ${LIMITS.nameWidthMost} 个字符，一个汉字算两个；发布后不能改名`,
    },
  },
  programType: {
    kind: 'word',
    label: '小程序类别',
    words: PROGRAM_TYPES,
    nullable: true,
    none: '',
    in: ['row'],
    control: { as: 'select', required: true, missing: FORM_REFUSALS.TYPE_REQUIRED },
  },
  intro: {
    kind: 'text',
    label: '小程序简介',
    max: LIMITS.intro,
    none: '',
    in: ['row'],
    control: {
      as: 'lines',
      rows: 3,
      counted: true,
      required: true,
      missing: FORM_REFUSALS.INTRO_REQUIRED,
      hint: `最多 ${LIMITS.intro} 字`,
    },
  },
  categoryName: { kind: 'text', label: '小程序类目', none: '', in: ['row'] },
  state: {
    kind: 'word',
    label: '状态',
    words: PROGRAM_APPLICATION_STATES,
    tones: { draft: 'neutral', pending: 'attention', approved: 'done', rejected: 'problem' },
    in: ['row'],
  },
  reason: {
    kind: 'text',
    label: '驳回原因',
    max: LIMITS.reason,
    none: '',
    in: ['row'],
    control: { as: 'lines', rows: 3, required: true, counted: true, missing: STEP_REFUSALS.REASON_REQUIRED },
  },
  createdAt: { kind: 'instant', label: '创建时间', in: ['row'] },
  submittedAt: { kind: 'instant', label: '提交时间', nullable: true, none: '', in: ['row'] },
  submittedByName: { kind: 'text', label: '提交人', none: '', in: ['row'] },
  handledAt: { kind: 'instant', label: '处理时间', nullable: true, none: '', in: ['row'] },
  handledByName: { kind: 'text', label: '处理人', none: '', in: ['row'] },
  deletedAt: { kind: 'instant', label: '删除时间', nullable: true, none: '', in: ['row'] },
  deletedByName: { kind: 'text', label: '删除人', none: '', in: ['row'] },
  agentId: { kind: 'id', label: '代理商编号', in: ['row'] },
  agentName: { ...AGENT_FIELDS.companyName, in: ['row'] },
} as const satisfies Fields
const FIELDS = APPLICATION_FIELDS

/** D2 §2 16. */
export const APPLICATIONS = list({
  key: 'programApplications.list',
  title: '小程序申请',
  fields: FIELDS,
  columns: {
    account: {
      title: '软件账号 / 店铺',
      width: 160,
      fixed: 'start',
      opens: true,
      card: 'title',
      below: ['shopName'],
    },
    programName: { title: '小程序名称 / 简介', width: 152, card: 'fact', below: ['intro'] },
    kind: { title: '类型 / 类别', width: 112, below: ['programType'] },
    legalPersonName: {
      title: '法人 / 微信号、客服电话',
      width: 152,
      below: ['legalPersonWechatMasked', 'servicePhone'],
    },
    state: { title: '状态 / 驳回原因', width: 136, card: 'fact', below: ['reason'] },
    createdAt: { title: '创建', width: 104, card: 'fact' },
    handledAt: { title: '处理', width: 104 },
    agentName: DOCUMENT_COLUMNS.agentName,
    categoryName: { width: 168, hidden: true },
    companyName: { width: 208, hidden: true },
    companyCode: { width: 168, hidden: true },
    submittedAt: { title: '提交', width: 104, hidden: true },
    submittedByName: { width: 88, hidden: true },
    handledByName: { width: 88, hidden: true },
    deletedAt: { width: 104, hidden: true },
    deletedByName: { width: 88, hidden: true },
  },
  search: '商户ID / 店铺名称 / 软件账号',
  filters: {
    state: byWord(FIELDS.state),
    kind: byWord(FIELDS.kind),
    programType: byWord(FIELDS.programType),
    created: {
      kind: 'days',
      label: '创建时间',
      params: ['from', 'to'],
      presets: DATE_PRESET_DAYS.map((days): DayPreset => [days, 'day']),
    },
    agentId: BY_AGENT,
    deleted: { kind: 'flag', label: '回收站', words: { true: '已删除' } },
  },
  sorts: ['createdAt'],
  empty: '没有符合条件的小程序申请，点击「创建小程序」为店铺申请',
})

/** The texts of a registration, in the documents' order. */
export const REGISTRATION = {
  companyName: FIELDS.companyName,
  companyCode: FIELDS.companyCode,
  legalPersonWechat: FIELDS.legalPersonWechat,
  legalPersonName: FIELDS.legalPersonName,
  servicePhone: FIELDS.servicePhone,
  programName: FIELDS.programName,
  programType: FIELDS.programType,
  intro: FIELDS.intro,
} as const satisfies Fields

/** What is asked of a mini program that is there already. */
export const EXISTING = { programType: FIELDS.programType } as const satisfies Fields

export const REJECTION = { reason: FIELDS.reason } as const satisfies Fields
