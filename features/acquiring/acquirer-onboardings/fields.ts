// What bringing a shop in to an acquirer shows, its list, and what people say by its forms.
import { DOCUMENT_COLUMNS } from '#features/money/ledger/fields.ts'
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { DATE_PRESET_DAYS } from '#features/shops/merchants/rules.ts'
import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { ACQUIRER_NAMES, ACQUIRER_SOURCES as SOURCES } from '#kit/ports/acquirers.ts'
import { APPROVAL_STATES, CHANNEL_STATES, LIMITS, MERCHANT_STANDINGS, REFUSALS } from './rules.ts'

export const ACQUIRER_ONBOARDING_FIELDS = {
  id: { kind: 'id', label: '进件编号', in: ['row'] },
  merchantId: { kind: 'id', label: '商户ID', in: ['row'] },
  shopName: { ...MERCHANT_FIELDS.shopName, in: ['row'] },
  account: { kind: 'text', label: '软件账号', in: ['row'] },
  channel: { kind: 'word', label: '渠道', words: ACQUIRER_NAMES, in: ['row'] },
  approvalState: {
    kind: 'word',
    label: '审核状态',
    words: APPROVAL_STATES,
    tones: { draft: 'neutral', pending: 'attention', approved: 'done', rejected: 'problem' },
    in: ['row'],
  },
  state: {
    kind: 'word',
    label: '渠道状态',
    words: CHANNEL_STATES,
    tones: { waiting: 'neutral', sent: 'attention', opened: 'done', refused: 'problem' },
    in: ['row'],
  },
  merchantStatus: {
    kind: 'word',
    label: '商户状态',
    words: MERCHANT_STANDINGS,
    tones: { normal: 'done', frozen: 'problem', closed: 'neutral' },
    nullable: true,
    none: '',
    in: ['row'],
  },
  isActive: { kind: 'flag', label: '启用', in: ['row'] },
  code: { kind: 'digits', label: '商户编号', max: LIMITS.code, none: '', in: ['row'] },
  reason: { kind: 'text', label: '驳回原因', none: '', in: ['row'] },
  remark: { kind: 'text', label: '备注', max: LIMITS.remark, none: '', in: ['row'] },
  createdAt: { kind: 'instant', label: '创建时间', in: ['row'] },
  submittedAt: { kind: 'instant', label: '提交时间', nullable: true, none: '', in: ['row'] },
  submittedByName: { kind: 'text', label: '提交人', none: '', in: ['row'] },
  handledAt: { kind: 'instant', label: '审核时间', nullable: true, none: '', in: ['row'] },
  handledByName: { kind: 'text', label: '审核人', none: '', in: ['row'] },
  sentAt: { kind: 'instant', label: '送件时间', nullable: true, none: '', in: ['row'] },
  sentByName: { kind: 'text', label: '送件人', none: '', in: ['row'] },
  openedAt: { kind: 'instant', label: '开通时间', nullable: true, none: '', in: ['row'] },
  handedOverAt: { kind: 'instant', label: '交接时间', nullable: true, none: '', in: ['row'] },
  handedOverByName: { kind: 'text', label: '交接人', none: '', in: ['row'] },
  agentId: { kind: 'id', label: '代理商编号', in: ['row'] },
  agentName: { ...AGENT_FIELDS.companyName, in: ['row'] },
} as const satisfies Fields
const FIELDS = ACQUIRER_ONBOARDING_FIELDS

/** D3 §3, §7: merchants that are brought in to acquirers. */
export const ACQUIRER_ONBOARDINGS = list({
  key: 'acquirerOnboardings.list',
  title: '收单进件',
  fields: FIELDS,
  columns: {
    shopName: {
      title: '店铺 / 软件账号',
      width: 176,
      fixed: 'start',
      opens: true,
      card: 'title',
      below: ['account'],
    },
    channel: { title: '渠道 / 商户编号', width: 160, card: 'fact', below: ['code'] },
    approvalState: { title: '审核状态 / 驳回原因', width: 168, card: 'fact', below: ['reason'] },
    state: { title: '渠道状态 / 商户状态', width: 128, card: 'fact', below: ['merchantStatus'] },
    createdAt: { title: '创建', width: 104 },
    submittedAt: { title: '提交', width: 104, card: 'fact' },
    remark: { width: 144, card: 'fact' },
    agentName: DOCUMENT_COLUMNS.agentName,
    merchantId: { width: 96, hidden: true },
    isActive: { width: 72, hidden: true },
    submittedByName: { width: 88, hidden: true },
    handledAt: { title: '审核', width: 104, hidden: true },
    handledByName: { width: 88, hidden: true },
    sentAt: { title: '送件', width: 104, hidden: true },
    sentByName: { width: 88, hidden: true },
    openedAt: { title: '开通', width: 104, hidden: true },
    handedOverAt: { title: '交接', width: 104, hidden: true },
    handedOverByName: { width: 88, hidden: true },
  },
  search: '商户编号 / 软件账号 / 店铺名称 / 商户ID',
  filters: {
    channel: byWord(FIELDS.channel),
    approvalState: byWord(FIELDS.approvalState),
    state: byWord(FIELDS.state),
    merchantStatus: byWord(FIELDS.merchantStatus),
    isActive: { kind: 'flag', label: '启用状态', words: { true: '启用', false: '停用' } },
    created: {
      kind: 'days',
      label: '创建时间',
      presets: DATE_PRESET_DAYS.map((days): DayPreset => [days, 'day']),
    },
    agentId: BY_AGENT,
  },
  sorts: ['createdAt'],
  file: {
    path: '/acquirer-onboardings.xlsx',
    permission: 'acquirerOnboardings.export',
    log: '导出收单进件',
    name: '收单进件',
  },
  empty: '没有符合条件的进件，点击「新建进件」为店铺申请收单渠道',
})

/** Which shop is brought in where. */
export const BEGINNING = {
  account: {
    ...FIELDS.account,
    max: 50,
    control: {
      as: 'text',
      required: true,
      missing: REFUSALS.ACCOUNT_REQUIRED,
      inputMode: 'tel',
      hint: '店铺登录软件的账号，店铺已有的资料会自动带出',
    },
  },
  channel: { ...FIELDS.channel, control: { as: 'choice', look: 'lines', required: true } },
} as const satisfies Fields

/** What acquirers ask for beyond what is known of a shop already. */
export const COMPLETION = {
  shortName: {
    kind: 'text',
    label: SOURCES.shortName,
    max: LIMITS.shortName,
    control: { as: 'text', half: true, hint: '顾客付款后看到的名称' },
  },
  category: {
    kind: 'text',
    label: SOURCES.category,
    max: LIMITS.category,
    control: { as: 'own', half: true },
  },
  contactName: {
    kind: 'text',
    label: SOURCES.contactName,
    max: LIMITS.contactName,
    control: { as: 'text', half: true },
  },
  contactPhone: {
    kind: 'phone',
    label: SOURCES.contactPhone,
    max: LIMITS.contactPhone,
    control: { as: 'text', half: true, inputMode: 'tel' },
  },
  email: {
    kind: 'text',
    label: SOURCES.email,
    max: LIMITS.email,
    control: { as: 'text', half: true, inputMode: 'email' },
  },
  rate: {
    kind: 'text',
    label: SOURCES.rate,
    unit: '%',
    max: LIMITS.rate,
    control: { as: 'text', half: true, inputMode: 'decimal', hint: '与商户约定的百分数，如 0.38' },
  },
  accountName: {
    kind: 'text',
    label: SOURCES.accountName,
    max: LIMITS.accountName,
    control: { as: 'text' },
  },
  accountNumber: {
    kind: 'digits',
    label: SOURCES.accountNumber,
    max: LIMITS.accountNumber,
    control: { as: 'text', inputMode: 'numeric' },
  },
} as const satisfies Fields

export const CODE = {
  code: { ...FIELDS.code, control: { as: 'text', required: true } },
} as const satisfies Fields

export const REMARK = {
  remark: { ...FIELDS.remark, control: { as: 'lines', rows: 3, counted: true } },
} as const satisfies Fields

export const STANDING = {
  merchantStatus: {
    ...FIELDS.merchantStatus,
    control: { as: 'choice', look: 'buttons', required: true, first: 'normal', hint: '以渠道后台显示的为准' },
  },
} as const satisfies Fields

/** That a payment of one fen was seen to by hand. */
export const SETTLING = {
  settleReason: {
    kind: 'text',
    label: '处理说明',
    max: LIMITS.settleReason,
    control: {
      ...{ as: 'lines', rows: 3, counted: true, required: true },
      hint: '写明在渠道后台看到的状态，以及款项何时、怎样退回',
    },
  },
} as const satisfies Fields

/** What is handed over beside the number. */
export const HAND_OVER = {
  secret: {
    kind: 'text',
    label: '密钥',
    max: LIMITS.secret,
    control: { as: 'text', secret: true },
  },
} as const satisfies Fields
