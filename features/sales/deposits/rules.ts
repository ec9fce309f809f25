// Owns deposits: what they are asked for, their states, what is given back or kept of them, and by whom (D3 §2 importDeposit).
// Must never read a clock or a database.
import type { Machine } from '#kit/declare/machine.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

/** What asks a shop for a deposit. */
export const DEPOSIT_KINDS = { channel: '支付渠道', device: '设备' } as const
export type DepositKind = keyof typeof DEPOSIT_KINDS
export const DEPOSIT_KIND_KEYS = Object.keys(DEPOSIT_KINDS) as [DepositKind, ...DepositKind[]]

/** deciding: somebody has asked to give back or keep some of it. settled: nothing of it is held any more. */
export const DEPOSIT_STATES = {
  waiting: '待支付',
  held: '已收取',
  deciding: '待审批',
  settled: '已结清',
  cancelled: '已取消',
} as const
export type DepositState = keyof typeof DEPOSIT_STATES
export const DEPOSIT_STATE_KEYS = Object.keys(DEPOSIT_STATES) as DepositState[]
export const DEPOSIT_STEPS = {
  pay: { from: ['waiting'], to: 'held', by: ['provider'] },
  cancel: { from: ['waiting'], to: 'cancelled', by: ['deposits.ask'] },
  request: { from: ['held'], to: 'deciding', by: ['deposits.request'] },
  /** Some of it is still held. */
  release: {
    from: ['deciding'],
    to: 'held',
    by: ['deposits.decide', 'deposits.request'],
  },
  settle: { from: ['deciding'], to: 'settled', by: ['deposits.decide'] },
} as const satisfies Machine<DepositState>

/** One time that its payment was begun; returned: it was paid when nothing was to be paid any more, and goes back. */
export const DEPOSIT_PAYMENT_STATES = { waiting: '待支付', paid: '已支付', returned: '已退回' } as const
export type DepositPaymentState = keyof typeof DEPOSIT_PAYMENT_STATES
export const DEPOSIT_PAYMENT_STEPS = {
  pay: { from: ['waiting'], to: 'paid', by: ['provider'] },
  return: { from: ['waiting'], to: 'returned', by: ['provider'] },
} as const satisfies Machine<DepositPaymentState>

export const REQUEST_KINDS = { return: '退还', keep: '扣留' } as const
export type RequestKind = keyof typeof REQUEST_KINDS
export const REQUEST_KIND_KEYS = Object.keys(REQUEST_KINDS) as [RequestKind, ...RequestKind[]]

/** paying: its channel gives it back. owed: to be paid out by hand, since no channel can or its channel has refused. */
export const REQUEST_STATES = {
  asked: '待审批',
  withdrawn: '已撤回',
  rejected: '未通过',
  paying: '退款中',
  owed: '待线下退款',
  done: '已完成',
} as const
export type RequestState = keyof typeof REQUEST_STATES
export const DEPOSIT_REQUEST_STEPS = {
  withdraw: { from: ['asked'], to: 'withdrawn', by: ['deposits.request'] },
  reject: { from: ['asked'], to: 'rejected', by: ['deposits.decide'] },
  keep: { from: ['asked'], to: 'done', by: ['deposits.decide'] },
  send: { from: ['asked'], to: 'paying', by: ['deposits.decide'] },
  owe: { from: ['asked'], to: 'owed', by: ['deposits.decide'] },
  /** Its channel has refused it. */
  fail: { from: ['paying'], to: 'owed', by: ['provider'] },
  /** A refund that had failed may have been sent again. */
  finish: { from: ['paying', 'owed'], to: 'done', by: ['provider'] },
  payOut: { from: ['owed'], to: 'done', by: ['deposits.decide'] },
} as const satisfies Machine<RequestState>

/** `amountFenMax`: 100,000 yuan, what a channel takes at once. */
export const LIMITS = { amountFenMax: 10_000_000, subjectMax: 40, reasonMax: 100, receiptMax: 40 } as const

/** Addresses of nobody that a network may ask for in ten minutes. */
export const UNKNOWN_CODES = { perNetwork: 30, minutes: 10 } as const
/** A payment that ends sooner is not shown again. */
export const LEAST_SECONDS = 120
/** Times that the payment of one deposit may be begun within an hour: whoever knows its address may. */
export const PAYMENTS_PER_HOUR = 20

export const ASK_REFUSALS = {
  SHOP_REQUIRED: '请选择店铺',
  SHOP_UNKNOWN: '没有这家店铺，请重新选择',
  MERCHANT_DISABLED: '该店铺已被禁用，不能收取押金',
  AMOUNT_REQUIRED: '请输入大于0的金额，最多两位小数',
  AMOUNT_TOO_LARGE: `单笔押金不得超过${formatCount(LIMITS.amountFenMax / 100)}元`,
  SUBJECT_REQUIRED: '请输入押金用途',
  SUBJECT_TOO_LONG: `押金用途不得超过${LIMITS.subjectMax}字`,
} as const
export type AskRefusal = keyof typeof ASK_REFUSALS

export const STEP_REFUSALS = {
  REASON_REQUIRED: '请输入原因',
  REASON_TOO_LONG: `原因不得超过${LIMITS.reasonMax}字`,
  NOT_WAITING: '该押金已支付或已取消，不能取消',
  NOT_HELD: '该押金未收取或已结清，没有可退还或扣留的金额',
  REQUEST_STANDS: '该押金已有待审批的申请，请先处理',
  HELD_CHANGED: '押金余额已变动，请核对后重试',
  MORE_THAN_HELD: '金额不能超过押金余额',
  KEEP_BY_STAFF: '扣留押金只能由厂商人员申请',
  DECIDED_ALREADY: '该申请已处理，请刷新后查看',
  OWN_REQUEST: '申请人不能审批自己的申请，请由其他人审批',
  NOT_OWN_REQUEST: '只能撤回本人的申请',
  NOT_OWED: '该申请不需要线下退款，请刷新后查看',
  REFUND_UNDER_WAY: '该退款已重新提交给支付渠道，请等待结果，不要线下退款',
  RECEIPT_REQUIRED: '请输入付款回单号',
  RECEIPT_TOO_LONG: `付款回单号不得超过${LIMITS.receiptMax}个字符`,
  AMOUNT_REQUIRED: ASK_REFUSALS.AMOUNT_REQUIRED,
} as const

/** What whoever pays is told. */
export const PAY_REFUSALS = {
  DEPOSIT_PAID: '该押金已支付，无需再付',
  DEPOSIT_CANCELLED: '该押金已取消，无需支付',
  PAYMENTS_TOO_MANY: '支付过于频繁，请一小时后再试',
} as const
export type PayRefusal = keyof typeof PAY_REFUSALS

export function refuseAmount(fen: number | null): 'AMOUNT_REQUIRED' | 'AMOUNT_TOO_LARGE' | null {
  if (fen === null || !Number.isSafeInteger(fen) || fen < 1) return 'AMOUNT_REQUIRED'
  return fen > LIMITS.amountFenMax ? 'AMOUNT_TOO_LARGE' : null
}

/** First broken rule of a deposit that is asked for, with its field, or null. */
export function refuseAsk(asked: {
  merchantId: number | null
  amountFen: number | null
  subject: string
}): { field: 'merchantId' | 'amountFen' | 'subject'; code: AskRefusal } | null {
  if (asked.merchantId === null) return { field: 'merchantId', code: 'SHOP_REQUIRED' }
  const amount = refuseAmount(asked.amountFen)
  if (amount) return { field: 'amountFen', code: amount }
  if (asked.subject.trim() === '') return { field: 'subject', code: 'SUBJECT_REQUIRED' }
  return lengthOf(asked.subject) > LIMITS.subjectMax ? { field: 'subject', code: 'SUBJECT_TOO_LONG' } : null
}

export function refuseReason(reason: string): 'REASON_REQUIRED' | 'REASON_TOO_LONG' | null {
  if (reason.trim() === '') return 'REASON_REQUIRED'
  return lengthOf(reason) > LIMITS.reasonMax ? 'REASON_TOO_LONG' : null
}

export function refuseReceipt(receiptNo: string): 'RECEIPT_REQUIRED' | 'RECEIPT_TOO_LONG' | null {
  if (receiptNo.trim() === '') return 'RECEIPT_REQUIRED'
  return lengthOf(receiptNo) > LIMITS.receiptMax ? 'RECEIPT_TOO_LONG' : null
}

/** Why nothing can be asked for of a deposit now, or null. */
export function refuseRequest({ state }: { state: DepositState }): 'NOT_HELD' | 'REQUEST_STANDS' | null {
  if (state === 'deciding') return 'REQUEST_STANDS'
  return state === 'held' ? null : 'NOT_HELD'
}

/** First broken rule of an amount to be given back or kept, or null. */
export function refusePart(fen: number | null, heldFen: number): 'AMOUNT_REQUIRED' | 'MORE_THAN_HELD' | null {
  if (fen === null || !Number.isSafeInteger(fen) || fen < 1) return 'AMOUNT_REQUIRED'
  return fen > heldFen ? 'MORE_THAN_HELD' : null
}

/** Why this account may not decide on a request: nobody decides on their own, whoever they are. */
export function refuseDecision(
  request: { state: RequestState; askedBy: number },
  accountId: number,
): 'DECIDED_ALREADY' | 'OWN_REQUEST' | null {
  if (request.state !== 'asked') return 'DECIDED_ALREADY'
  return request.askedBy === accountId ? 'OWN_REQUEST' : null
}

export function refusePay(state: DepositState): PayRefusal | null {
  if (state === 'waiting') return null
  return state === 'cancelled' ? 'DEPOSIT_CANCELLED' : 'DEPOSIT_PAID'
}

/** What is left once a part is given back or kept, in words. */
export function outcomeText(kind: RequestKind, fen: number, heldFen: number): string {
  const left = heldFen - fen
  const rest = left === 0 ? '押金结清' : `剩余押金 ${formatCents(left)} 元`
  return `${REQUEST_KINDS[kind]} ${formatCents(fen)} 元后，${rest}`
}
