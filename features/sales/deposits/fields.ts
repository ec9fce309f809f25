// What a deposit shows, its list, and what its dialogs ask for. Words stand in rules.ts.
import { BY_DAYS, DOCUMENT_COLUMNS, DOCUMENT_FIELDS } from '#features/money/ledger/fields.ts'
import { SHOP_ORDER_FIELDS } from '#features/sales/orders/fields.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { CHANNEL_NAMES } from '#kit/ports/channels.ts'
import {
  ASK_REFUSALS,
  DEPOSIT_KINDS,
  DEPOSIT_STATES,
  LIMITS,
  REQUEST_KINDS,
  REQUEST_STATES,
  STEP_REFUSALS,
} from './rules.ts'

export const DEPOSIT_FIELDS = {
  id: SHOP_ORDER_FIELDS.id,
  orderNo: { ...DOCUMENT_FIELDS.orderNo, label: '押金单号' },
  agentId: DOCUMENT_FIELDS.agentId,
  agentName: DOCUMENT_FIELDS.agentName,
  merchantId: { ...DOCUMENT_FIELDS.merchantId, nullable: undefined },
  shopName: { ...MERCHANT_FIELDS.shopName, in: ['row'] },
  kind: { kind: 'word', label: '收取对象', words: DEPOSIT_KINDS, in: ['row'] },
  subject: { kind: 'text', label: '押金用途', max: LIMITS.subjectMax, fileWidth: 24, in: ['row'] },
  amountFen: { kind: 'money', label: '押金', unit: '元', max: LIMITS.amountFenMax, in: ['row'] },
  heldFen: { kind: 'money', label: '押金余额', unit: '元', in: ['row'] },
  returnedFen: { kind: 'money', label: '已退还', unit: '元', in: ['row'] },
  keptFen: { kind: 'money', label: '已扣留', unit: '元', in: ['row'] },
  state: {
    kind: 'word',
    label: '状态',
    words: DEPOSIT_STATES,
    tones: {
      waiting: 'attention',
      held: 'done',
      deciding: 'attention',
      settled: 'neutral',
      cancelled: 'neutral',
    },
    in: ['row'],
  },
  payMethod: { ...DOCUMENT_FIELDS.payMethod, words: CHANNEL_NAMES, nullable: true },
  askedAt: { kind: 'instant', label: '收取时间', in: ['row'] },
  askedByName: { kind: 'text', label: '收取人', fileWidth: 12, in: ['row'] },
  paidAt: { kind: 'instant', label: '支付时间', nullable: true, in: ['row'] },
  settledAt: { kind: 'instant', label: '结清时间', nullable: true, in: ['row'] },
} as const satisfies Fields

/** D3 §2, importDeposit. */
export const DEPOSITS = list({
  key: 'deposits.list',
  title: '押金',
  fields: DEPOSIT_FIELDS,
  columns: {
    shopName: { ...DOCUMENT_COLUMNS.shopName, opens: true },
    subject: { title: '用途 / 收取对象', width: 168, card: 'fact', below: ['kind'] },
    amountFen: { width: 112, card: 'amount' },
    heldFen: { width: 120, card: 'fact' },
    state: { width: 88, card: 'fact' },
    askedAt: { width: 112, card: 'fact' },
    paidAt: { width: 112 },
    agentName: DOCUMENT_COLUMNS.agentName,
    returnedFen: { width: 104, hidden: true },
    keptFen: { width: 104, hidden: true },
    askedByName: { width: 88, hidden: true },
    payMethod: { width: 88, hidden: true },
    settledAt: { hidden: true },
    orderNo: { width: 96, hidden: true },
  },
  search: '押金单号 / 商户ID / 店铺名称',
  filters: {
    state: byWord(DEPOSIT_FIELDS.state),
    kind: byWord(DEPOSIT_FIELDS.kind),
    owed: { kind: 'flag', label: '线下退款', chip: '待线下退款', words: { true: '待线下退款' } },
    asked: BY_DAYS,
    agentId: BY_AGENT,
  },
  sorts: ['askedAt'],
  file: { path: '/deposits.xlsx', permission: 'deposits.export', log: '导出押金', name: '押金' },
  empty: '没有符合条件的押金',
})

/** What a shop is asked for. */
export const ASK = {
  merchantId: {
    kind: 'id',
    label: '店铺',
    nullable: true,
    control: { as: 'own', required: true, missing: ASK_REFUSALS.SHOP_REQUIRED },
  },
  kind: { ...DEPOSIT_FIELDS.kind, control: { as: 'choice', look: 'buttons', first: 'channel' } },
  subject: {
    ...DEPOSIT_FIELDS.subject,
    control: {
      as: 'text',
      required: true,
      missing: ASK_REFUSALS.SUBJECT_REQUIRED,
      placeholder: '如：扫码机 2 台，或某支付渠道的保证金',
      hint: '商户付款时会看到',
    },
  },
  amountFen: {
    ...DEPOSIT_FIELDS.amountFen,
    min: 1,
    control: { as: 'money', label: '押金金额', required: true, missing: ASK_REFUSALS.AMOUNT_REQUIRED },
  },
} as const satisfies Fields

const REASON = {
  kind: 'text',
  label: '原因',
  max: LIMITS.reasonMax,
  control: { as: 'lines', required: true, counted: true, missing: STEP_REFUSALS.REASON_REQUIRED },
} as const

/** Why a deposit is called off, or a request turned down. */
export const WHY = { reason: REASON } as const satisfies Fields

/** What is to become of some of a deposit. */
export const REQUEST = {
  kind: {
    kind: 'word',
    label: '申请内容',
    words: REQUEST_KINDS,
    control: { as: 'choice', look: 'buttons', first: 'return' },
  },
  amountFen: {
    kind: 'money',
    label: '金额',
    unit: '元',
    min: 1,
    control: { as: 'money', required: true, missing: STEP_REFUSALS.AMOUNT_REQUIRED },
  },
  reason: REASON,
} as const satisfies Fields

/** How it was paid out by hand. */
export const PAY_OUT = {
  receiptNo: {
    kind: 'text',
    label: '付款回单号',
    max: LIMITS.receiptMax,
    control: {
      as: 'text',
      required: true,
      missing: STEP_REFUSALS.RECEIPT_REQUIRED,
      hint: '银行转账或其他付款凭证上的编号',
    },
  },
} as const satisfies Fields

/** Of each request as the details show it. */
export const REQUEST_STATE = {
  kind: 'word',
  label: '状态',
  words: REQUEST_STATES,
  tones: {
    asked: 'attention',
    withdrawn: 'neutral',
    rejected: 'problem',
    paying: 'attention',
    owed: 'problem',
    done: 'done',
  },
} as const
