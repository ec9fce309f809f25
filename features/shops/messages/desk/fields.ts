// What a message's fields and the lists of messages are, and of how long SMS credit lasts (D2 screen 8, D3 §2).
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { DATE_PRESET_DAYS } from '#features/shops/merchants/rules.ts'
import {
  ABNORMAL_STATUSES,
  MESSAGE_KINDS,
  MESSAGE_STATUSES,
  SETTLE_LIMITS,
  SETTLE_OUTCOMES,
} from '#features/shops/messages/rules.ts'
import type { DayPreset } from '#kit/day-presets.ts'
import { type Fields, picked } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { FORECAST } from './rules.ts'

export const MESSAGE_FIELDS = {
  phone: { kind: 'phone', label: '手机号', fileWidth: 14 },
  createdAt: { kind: 'instant', label: '时间', fileWidth: 20 },
  merchantId: { kind: 'id', label: '商户ID', fileWidth: 12 },
  shopName: MERCHANT_FIELDS.shopName,
  text: { kind: 'text', label: '短信内容', fileWidth: 60 },
  kind: { kind: 'word', label: '类型', words: MESSAGE_KINDS, fileWidth: 16 },
  segments: { kind: 'count', label: '计费条数', fileWidth: 12 },
  status: {
    kind: 'word',
    label: '状态',
    words: MESSAGE_STATUSES,
    tones: {
      queued: 'neutral',
      sending: 'neutral',
      submitted: 'neutral',
      delivered: 'done',
      failed: 'problem',
      unknown: 'attention',
      expired: 'attention',
      cancelled: 'neutral',
    },
    fileWidth: 12,
  },
  isReissued: { kind: 'flag', label: '是否已重发', fileWidth: 12 },
  /** The shop's own; without it the message carried the vendor's. */
  signature: { kind: 'text', label: '商户签名', none: '', fileWidth: 16 },
  reason: { kind: 'text', label: '失败原因', fileWidth: 28 },
  errorCode: { kind: 'text', label: '错误码' },
  submittedAt: { kind: 'instant', label: '提交时间', fileWidth: 20 },
  reportedAt: { kind: 'instant', label: '回执时间', fileWidth: 20 },
  createdByName: { kind: 'text', label: '提交人', fileWidth: 12 },
  agentName: { ...AGENT_FIELDS.companyName, fileWidth: 24 },
} as const satisfies Fields

const SENT_COLUMNS = {
  phone: { width: 112, fixed: 'start', card: 'title' },
  createdAt: { card: 'fact' },
  shopName: { title: '店铺', width: 136, card: 'fact', below: ['merchantId'] },
  text: { width: 208 },
  status: { width: 104, card: 'fact' },
} as const
const BY_KIND = byWord(MESSAGE_FIELDS.kind)
const DAYS = {
  kind: 'days',
  label: '时间',
  params: ['from', 'to'],
  presets: DATE_PRESET_DAYS.map((days): DayPreset => [days, 'day']),
} as const
const FOUND_BY = '完整的手机号 / 商户ID / 店铺名称'

export const SENT_MESSAGES = list({
  key: 'messageDesk.log',
  title: '短信发送记录',
  fields: MESSAGE_FIELDS,
  columns: {
    phone: SENT_COLUMNS.phone,
    createdAt: SENT_COLUMNS.createdAt,
    shopName: SENT_COLUMNS.shopName,
    text: SENT_COLUMNS.text,
    kind: { title: '类型 / 提交人', width: 96, card: 'fact', below: ['createdByName'] },
    segments: { width: 72 },
    status: { ...SENT_COLUMNS.status, also: ['isReissued'] },
    reason: { width: 120, card: 'fact' },
    signature: { width: 96, hidden: true },
    submittedAt: { hidden: 'staff' },
    reportedAt: { hidden: true },
    agentName: { width: 136, for: 'staff' },
  },
  search: FOUND_BY,
  filters: {
    status: byWord(MESSAGE_FIELDS.status),
    kind: BY_KIND,
    isReissued: { kind: 'flag', label: '是否已重发', words: { false: '未重发', true: '已重发' } },
    created: DAYS,
    agentId: BY_AGENT,
  },
  sorts: ['createdAt'],
  file: {
    path: '/messages/log.xlsx',
    permission: 'messageDesk.log',
    log: '导出短信发送记录',
    name: '短信发送记录',
  },
  empty: '还没有发送过短信，验证码、提醒和群发的短信会显示在这里',
})

export const ABNORMAL_MESSAGES = list({
  key: 'messageDesk.abnormal',
  title: '异常短信',
  fields: MESSAGE_FIELDS,
  columns: {
    phone: SENT_COLUMNS.phone,
    createdAt: SENT_COLUMNS.createdAt,
    status: SENT_COLUMNS.status,
    reason: { width: 184, card: 'fact', also: ['errorCode'] },
    kind: { width: 80, card: 'fact' },
    shopName: SENT_COLUMNS.shopName,
    agentName: { width: 144 },
    text: SENT_COLUMNS.text,
    submittedAt: { hidden: true },
  },
  search: FOUND_BY,
  filters: {
    status: { ...byWord(MESSAGE_FIELDS.status), some: ABNORMAL_STATUSES },
    kind: BY_KIND,
    errorCode: { kind: 'text', label: '错误码', linked: true },
    messageId: { kind: 'text', label: '短信编号', linked: true },
    created: DAYS,
    agentId: BY_AGENT,
  },
  sorts: ['createdAt'],
  empty: '没有异常短信',
})

export const OUTBOX = list({
  key: 'messageDesk.outbox',
  title: '短信发件箱',
  fields: MESSAGE_FIELDS,
  columns: {
    createdAt: { card: 'fact' },
    kind: { width: 128, card: 'title' },
    status: { width: 88, card: 'fact' },
    shopName: { ...SENT_COLUMNS.shopName, width: 184 },
    phone: { width: 120, card: 'fact' },
    text: { width: 344, card: 'fact' },
    createdByName: { width: 112 },
  },
  search: '完整的手机号 / 商户ID',
  filters: { kind: BY_KIND, created: DAYS },
  sorts: ['createdAt'],
  empty: '发件箱里还没有短信',
})

const FORECAST_FIELDS = {
  id: { kind: 'id', label: '商户ID' },
  name: MERCHANT_FIELDS.shopName,
  /** Shown in words. */
  daysLeft: { kind: 'text', label: '预计可用' },
  lastDay: { kind: 'day', label: '用尽日期' },
  balance: { kind: 'count', label: '短信余额', unit: '条' },
  used: { kind: 'count', label: `近${FORECAST.days}天用量`, unit: '条' },
  perDayTenths: { kind: 'count', label: '日均', unit: '条' },
  agentName: AGENT_FIELDS.companyName,
} as const satisfies Fields

const FORECASTED = {
  key: 'messageDesk.forecast',
  title: '短信余量预测',
  fields: FORECAST_FIELDS,
  filters: {
    driesUp: { kind: 'flag', label: '余量', words: { true: '本周将用尽' } },
    of: {
      kind: 'word',
      label: '对象',
      words: { merchant: '商户', agent: '代理商' },
      initial: 'merchant',
      for: 'staff',
    },
    agentId: BY_AGENT,
  },
  empty: `近${FORECAST.days}天没有使用短信，暂时无法预测`,
} as const
const LASTING = {
  daysLeft: { width: 160, card: 'fact' },
  lastDay: { width: 112 },
  balance: { width: 112, card: 'fact' },
  used: { width: 128, card: 'fact' },
  perDayTenths: { width: 88 },
} as const

export const SHOP_FORECAST = list({
  ...FORECASTED,
  columns: {
    id: { width: 96, fixed: 'start' },
    name: { width: 200, card: 'title' },
    ...LASTING,
    agentName: { width: 200, for: 'staff' },
  },
  search: '商户ID / 店铺名称',
})
export const AGENT_FORECAST = list({
  ...FORECASTED,
  columns: {
    id: { title: '代理商ID', width: 96, fixed: 'start' },
    name: { title: '代理商', width: 200, card: 'title' },
    ...LASTING,
  },
  search: '代理商ID / 名称',
})

/** What became of a message about which nobody could tell. */
export const SETTLING = {
  outcome: {
    kind: 'word',
    label: '向服务商查询的结果',
    words: picked(MESSAGE_STATUSES, SETTLE_OUTCOMES),
    control: { as: 'choice', first: 'failed' },
  },
  note: {
    kind: 'text',
    label: '处理说明',
    max: SETTLE_LIMITS.noteMax,
    control: { as: 'lines', required: true, counted: true },
  },
} as const satisfies Fields
