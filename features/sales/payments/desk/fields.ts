// What the fields of payments from outside and the operator's lists of them are.
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import {
  ASSET_WORDS,
  CHANNEL_NAMES,
  DIFFERENCE_KINDS,
  EVENT_KINDS,
  EVENT_STATUSES,
  INTENT_STATUSES,
  LIMITS,
  RECONCILIATION_STATUSES,
  REFUND_REASONS,
  REFUND_STATUSES,
  START_REFUSALS,
} from '#features/sales/payments/rules.ts'
import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { perChannel } from '#kit/ports/channels.ts'

const CHANNEL = { kind: 'word', label: '渠道', words: CHANNEL_NAMES } as const
const AMOUNT = { kind: 'money', label: '金额', unit: '元' } as const
const OUT_TRADE_NO = { kind: 'digits', label: '商户单号' } as const
const BILL_DAY = { kind: 'day', label: '账单日期' } as const

const DAYS = {
  kind: 'days',
  label: '时间',
  params: ['from', 'to'],
  presets: [1, 7, 15, 30, 90, 365].map((days): DayPreset => [days, 'day']),
} as const
const BY_CHANNEL = { ...byWord(CHANNEL), label: '支付渠道' } as const

export const INTENT_FIELDS = {
  id: { kind: 'digits', label: '支付单号' },
  createdAt: { kind: 'instant', label: '下单时间' },
  agentName: AGENT_FIELDS.companyName,
  asset: { kind: 'word', label: '充值内容', words: ASSET_WORDS },
  subject: { kind: 'text', label: '内容' },
  /** An agent that is paid on its own account; null: the vendor. */
  payeeName: { kind: 'text', label: '收款方', nullable: true },
  amountFen: AMOUNT,
  status: {
    kind: 'word',
    label: '状态',
    words: INTENT_STATUSES,
    tones: { waiting: 'attention', paid: 'done', expired: 'neutral', failed: 'problem' },
  },
  paidBy: { kind: 'word', label: '支付渠道', words: CHANNEL_NAMES, nullable: true },
  /** Of the refund of what counted as the payment. */
  refundStatus: { kind: 'word', label: '退款', words: REFUND_STATUSES, nullable: true },
  paidAt: { kind: 'instant', label: '支付时间', nullable: true },
  accountName: { kind: 'text', label: '下单人' },
  orderNo: { kind: 'digits', label: '订单号' },
} as const satisfies Fields

export const INTENT_TONES = INTENT_FIELDS.status.tones

export const PAYMENT_INTENTS = list({
  key: 'paymentDesk.intents',
  title: '支付单',
  fields: INTENT_FIELDS,
  columns: {
    id: { width: 104, fixed: 'start', opens: true },
    createdAt: { card: 'fact' },
    agentName: { title: '代理商 / 下单人', width: 200, card: 'title', below: ['accountName'] },
    subject: { title: '内容 / 收款方', width: 168, card: 'fact', below: ['payeeName'] },
    amountFen: { width: 104, card: 'amount' },
    status: { title: '状态 / 渠道', width: 96, card: 'fact', below: ['paidBy'] },
    refundStatus: { width: 88 },
    paidAt: {},
    orderNo: { width: 104 },
  },
  search: '支付单号 / 订单号 / 渠道单号',
  filters: {
    status: byWord(INTENT_FIELDS.status),
    asset: byWord(INTENT_FIELDS.asset),
    /** What was bought stands: it was paid and not taken back. */
    stands: { kind: 'flag', label: '到账', words: { true: '已到账，未退款' } },
    channel: BY_CHANNEL,
    created: DAYS,
    agentId: BY_AGENT,
  },
  sorts: ['createdAt'],
  empty: '还没有支付单，代理商扫码充值后会显示在这里',
})

export const EVENT_FIELDS = {
  receivedAt: { kind: 'instant', label: '收到时间' },
  channel: CHANNEL,
  kind: { kind: 'word', label: '类型', words: EVENT_KINDS },
  outTradeNo: OUT_TRADE_NO,
  amountFen: { ...AMOUNT, nullable: true },
  /** The provider's own name of what happened. */
  providerState: { kind: 'text', label: '渠道状态' },
  status: {
    kind: 'word',
    label: '处理',
    words: EVENT_STATUSES,
    tones: { kept: 'attention', done: 'done', unmatched: 'problem', refused: 'problem' },
  },
  problem: { kind: 'text', label: '问题' },
  times: { kind: 'count', label: '次数' },
  eventId: { kind: 'text', label: '通知编号' },
} as const satisfies Fields

export const PAYMENT_EVENTS = list({
  key: 'paymentDesk.events',
  title: '渠道通知',
  fields: EVENT_FIELDS,
  columns: {
    receivedAt: { fixed: 'start', card: 'fact' },
    channel: { title: '渠道 / 类型', width: 80, card: 'fact', below: ['kind'] },
    outTradeNo: { width: 208, card: 'title', below: ['eventId'] },
    amountFen: { width: 104, card: 'fact' },
    providerState: { width: 128 },
    status: { width: 88, card: 'fact' },
    problem: { width: 208, card: 'fact' },
    times: { width: 64 },
  },
  search: '通知编号 / 商户单号',
  filters: {
    status: { ...byWord(EVENT_FIELDS.status), label: '状态' },
    channel: BY_CHANNEL,
    received: DAYS,
  },
  sorts: ['receivedAt'],
  empty: '还没有收到支付渠道的通知',
})

export const REFUND_FIELDS = {
  createdAt: { kind: 'instant', label: '时间' },
  agentName: AGENT_FIELDS.companyName,
  channel: CHANNEL,
  amountFen: AMOUNT,
  reason: { kind: 'word', label: '原因', words: REFUND_REASONS },
  status: {
    kind: 'word',
    label: '状态',
    words: REFUND_STATUSES,
    tones: {
      wanted: 'attention',
      processing: 'attention',
      done: 'done',
      failed: 'problem',
      replaced: 'neutral',
    },
  },
  providerWords: { kind: 'text', label: '渠道答复' },
  refundNo: { kind: 'digits', label: '退款单号' },
  remark: { kind: 'text', label: '说明' },
  createdByName: { kind: 'text', label: '操作人' },
  doneAt: { kind: 'instant', label: '到账时间', nullable: true },
} as const satisfies Fields

/** Of what was paid for nothing, of the operator, and of deposits. */
export const PAYMENT_REFUNDS = list({
  key: 'paymentDesk.refunds',
  title: '退款',
  fields: REFUND_FIELDS,
  columns: {
    createdAt: { fixed: 'start', card: 'fact' },
    agentName: { width: 144, card: 'title' },
    amountFen: { title: '金额（元）', width: 104, card: 'fact', below: ['channel'] },
    reason: { width: 80, card: 'fact' },
    status: { width: 80, card: 'fact' },
    providerWords: { width: 128, card: 'fact' },
    refundNo: { title: '退款单号 / 操作人', width: 208, below: ['createdByName'] },
    remark: { width: 104 },
    doneAt: {},
  },
  search: '退款单号 / 商户单号',
  filters: {
    status: byWord(REFUND_FIELDS.status),
    reason: byWord(REFUND_FIELDS.reason),
    created: DAYS,
    agentId: BY_AGENT,
  },
  sorts: ['createdAt'],
  empty: '还没有退款。重复支付会自动退款，也可以在支付单详情中退款',
})

export const BILL_FIELDS = {
  day: BILL_DAY,
  channel: CHANNEL,
  status: {
    kind: 'word',
    label: '状态',
    words: RECONCILIATION_STATUSES,
    tones: { wanted: 'attention', done: 'done', failed: 'problem' },
  },
  billPayments: { kind: 'count', label: '渠道收款', unit: '元' },
  ourPayments: { kind: 'count', label: '本方收款', unit: '元' },
  billRefunds: { kind: 'count', label: '渠道退款', unit: '元' },
  ourRefunds: { kind: 'count', label: '本方退款', unit: '元' },
  /** Shown in words. */
  differences: { kind: 'text', label: '差异' },
  problem: { kind: 'text', label: '说明' },
  comparedAt: { kind: 'instant', label: '对账时间', nullable: true },
} as const satisfies Fields

export const PAYMENT_BILLS = list({
  key: 'paymentDesk.reconciliations',
  keptAs: 'payments.bills',
  title: '对账',
  fields: BILL_FIELDS,
  columns: {
    day: { width: 104, fixed: 'start', card: 'title', below: ['channel'] },
    status: { width: 88, card: 'fact' },
    billPayments: { width: 136, card: 'fact' },
    ourPayments: { width: 136, card: 'fact' },
    billRefunds: { width: 136 },
    ourRefunds: { width: 136 },
    differences: { width: 112, card: 'fact' },
    problem: { width: 176, card: 'fact' },
    comparedAt: {},
  },
  filters: { channel: BY_CHANNEL, days: DAYS },
  sorts: ['day'],
  empty: '还没有对账记录，每天自动与支付渠道的前一日账单核对',
})

export const DIFFERENCE_FIELDS = {
  day: BILL_DAY,
  channel: CHANNEL,
  kind: { kind: 'word', label: '差异', words: DIFFERENCE_KINDS },
  isRefund: { kind: 'flag', label: '类型' },
  outTradeNo: OUT_TRADE_NO,
  billFen: { kind: 'money', label: '渠道金额', unit: '元', nullable: true },
  ourFen: { kind: 'money', label: '本方金额', unit: '元', nullable: true },
  resolution: { kind: 'text', label: '处理说明' },
  transactionId: { kind: 'digits', label: '渠道单号' },
} as const satisfies Fields

export const PAYMENT_DIFFERENCES = list({
  key: 'paymentDesk.differences',
  title: '对账差异',
  fields: DIFFERENCE_FIELDS,
  columns: {
    day: { width: 104, fixed: 'start', card: 'fact', below: ['channel'] },
    kind: { title: '差异', width: 120, card: 'fact', below: ['isRefund'] },
    outTradeNo: { width: 232, card: 'title', below: ['transactionId'] },
    billFen: { width: 128, card: 'fact' },
    ourFen: { width: 128, card: 'fact' },
    resolution: { width: 240, card: 'fact' },
  },
  filters: {
    open: { kind: 'flag', label: '状态', words: { true: '未处理', false: '已处理' } },
    reconciliationId: { kind: 'id', label: '对账' },
  },
  empty: '没有对账差异',
})

/** What a difference turned out to be. */
export const RESOLUTION = {
  note: {
    kind: 'text',
    label: '处理说明',
    max: LIMITS.noteMax,
    control: { as: 'lines', required: true, rows: 4 },
  },
} as const satisfies Fields

export const REFUND = {
  reason: {
    kind: 'text',
    label: '退款原因',
    max: LIMITS.refundReasonMax,
    control: { as: 'lines', required: true, rows: 3 },
  },
} as const satisfies Fields

/** Of which channel the bill of which day is compared. */
export const RECONCILIATION = {
  channel: { kind: 'word', label: INTENT_FIELDS.paidBy.label, words: CHANNEL_NAMES, control: { as: 'own' } },
  day: { kind: 'day', label: BILL_FIELDS.day.label, control: { as: 'own' } },
} as const satisfies Fields

/** As they are typed. */
export const UNIT_PRICES = {
  tokenYuan: { kind: 'text', label: '1 代币（元）', control: { as: 'text', inputMode: 'decimal' } },
  smsYuan: { kind: 'text', label: '100 条短信（元）', control: { as: 'text', inputMode: 'decimal' } },
} as const satisfies Fields

export const CHANNEL_CHOICES = { true: '开通', false: '关闭', null: '默认' } as const

/** Which channels an agent is offered. */
export const AGENT_CHANNELS = {
  agentId: { kind: 'id', label: INTENT_FIELDS.agentName.label, control: { as: 'own' } },
  ...perChannel(
    channel =>
      ({
        kind: 'word',
        label: CHANNEL_NAMES[channel],
        words: CHANNEL_CHOICES,
        control: { as: 'own' },
      }) as const,
  ),
} as const satisfies Fields

/** SMS credit by QR: a package, or a number of one's own, as it is typed. */
export const SMS_TOPUP = {
  packageId: { kind: 'id', label: '短信套餐', nullable: true, control: { as: 'own' } },
  pieces: {
    kind: 'text',
    label: '充值数量',
    unit: '条',
    control: { as: 'text', inputMode: 'numeric', placeholder: START_REFUSALS.COUNT_REQUIRED },
  },
} as const satisfies Fields

/** Tokens by QR, as they are typed. */
export const TOKEN_TOPUP = {
  tokens: {
    kind: 'text',
    label: '充值代币',
    unit: '代币',
    control: { as: 'text', inputMode: 'decimal', placeholder: START_REFUSALS.COUNT_REQUIRED },
  },
} as const satisfies Fields
