// Owns payment intents and attempts: their states, limits and refusals (D1 §4, §7; money.md, "Payments from outside").
// Must never read a clock or a database.
import { type Conditions, type Line, priceLine } from '#features/office/prices/rules.ts'
import type { Machine } from '#kit/declare/machine.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { channelOf, type PayChannelName } from '#kit/ports/channels.ts'
import type { Connection, NeededSetting, SetupReading } from '#kit/ports/setup.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

/** 11 is the documents' number for SMS credit; the others have one of our own. */
export const BUSINESS_TYPES = { sms: 11, token: 12, renewal: 13, deposit: 14 } as const
export type PaidAsset = keyof typeof BUSINESS_TYPES
export const ASSET_WORDS: Record<PaidAsset, string> = {
  sms: '短信',
  token: '代币',
  renewal: '门店续费',
  deposit: '押金',
}

/** expired: nobody paid within 600 s; a late payment still makes it paid. */
export const INTENT_STATUSES = {
  waiting: '待支付',
  paid: '已支付',
  expired: '已过期',
  failed: '失败',
} as const
export type IntentStatus = keyof typeof INTENT_STATUSES
export const INTENT_STATUS_KEYS = Object.keys(INTENT_STATUSES) as IntentStatus[]
export const INTENT_STEPS = {
  pay: { from: ['waiting', 'expired', 'failed'], to: 'paid', by: ['provider'] },
  expire: { from: ['waiting'], to: 'expired', by: ['program'] },
  fail: { from: ['waiting'], to: 'failed', by: ['program', 'provider'] },
} as const satisfies Machine<IntentStatus>

/** creating: the provider has not said yes yet. unknown: it did not answer; it is asked again. */
export const ATTEMPT_STATUSES = {
  creating: '下单中',
  waiting: '待支付',
  paid: '已支付',
  closed: '已关闭',
  failed: '失败',
  unknown: '待确认',
} as const
export type AttemptStatus = keyof typeof ATTEMPT_STATUSES
export const ATTEMPT_STATUS_KEYS = Object.keys(ATTEMPT_STATUSES) as AttemptStatus[]
/** Attempts that may yet be paid. */
export const OPEN = ['creating', 'waiting', 'unknown'] as const satisfies AttemptStatus[]
export const ATTEMPT_STEPS = {
  wait: { from: OPEN, to: 'waiting', by: ['provider'] },
  lose: { from: OPEN, to: 'unknown', by: ['program'] },
  pay: { from: [...OPEN, 'closed', 'failed'], to: 'paid', by: ['provider'] },
  close: { from: OPEN, to: 'closed', by: ['program', 'provider'] },
  fail: { from: OPEN, to: 'failed', by: ['provider'] },
} as const satisfies Machine<AttemptStatus>

export const REFUND_STATUSES = {
  wanted: '待退款',
  processing: '退款中',
  done: '已退款',
  failed: '退款失败',
  replaced: '已改为线下退款',
} as const
export type RefundStatus = keyof typeof REFUND_STATUSES
export const REFUND_STATUS_KEYS = Object.keys(REFUND_STATUSES) as RefundStatus[]
/** Told of in any order: an answer that is older than what is known changes nothing. */
export const REFUND_STEPS = {
  processing: { from: ['wanted', 'processing'], to: 'processing', by: ['provider'] },
  done: { from: ['wanted', 'processing', 'failed'], to: 'done', by: ['provider'] },
  failed: { from: ['wanted', 'processing'], to: 'failed', by: ['provider'] },
  retry: { from: ['failed'], to: 'wanted', by: ['paymentDesk.refund'] },
  /** Paid out by hand instead: it is never sent again. */
  replace: { from: ['failed'], to: 'replaced', by: ['deposits.decide'] },
} as const satisfies Machine<RefundStatus>
export const REFUND_REASONS = {
  second: '重复支付',
  operator: '人工退款',
  /** A part, or all, of what a shop had deposited. */
  deposit: '退还押金',
  /** Paid after it had been called off. */
  cancelled: '订单已取消',
} as const
export type RefundReason = keyof typeof REFUND_REASONS

export { CHANNEL_NAMES } from '#kit/ports/channels.ts'

export const EVENT_STATUSES = {
  kept: '待处理',
  done: '已处理',
  unmatched: '未匹配',
  refused: '异常',
} as const
export type EventStatus = keyof typeof EVENT_STATUSES
export const EVENT_STEPS = {
  done: { from: ['kept'], to: 'done', by: ['program'] },
  unmatched: { from: ['kept'], to: 'unmatched', by: ['program'] },
  refused: { from: ['kept'], to: 'refused', by: ['program'] },
  retry: { from: ['unmatched', 'refused'], to: 'kept', by: ['paymentDesk.manage'] },
} as const satisfies Machine<EventStatus>
export const EVENT_KINDS = { payment: '支付', refund: '退款' } as const
export const EVENT_STATUS_KEYS = Object.keys(EVENT_STATUSES) as EventStatus[]

/** Of a comparison with a bill. */
export const RECONCILIATION_STATUSES = { wanted: '对账中', done: '已完成', failed: '对账失败' } as const
export type ReconciliationStatus = keyof typeof RECONCILIATION_STATUSES
/** A day may be compared again and again; of two that compare it at once, the later one's word stays. */
const ANY_RECONCILIATION = ['wanted', 'done', 'failed'] as const satisfies ReconciliationStatus[]
export const RECONCILIATION_STEPS = {
  want: { from: ANY_RECONCILIATION, to: 'wanted', by: ['paymentDesk.reconcile'] },
  finish: { from: ANY_RECONCILIATION, to: 'done', by: ['program'] },
  fail: { from: ANY_RECONCILIATION, to: 'failed', by: ['program'] },
} as const satisfies Machine<ReconciliationStatus>

/** Of tokens that an agent buys from outside. */
export const TOKEN_ORDER_STATUSES = { quoted: '待支付', paid: '已支付', refunded: '已退款' } as const
export type TokenOrderStatus = keyof typeof TOKEN_ORDER_STATUSES
export const TOKEN_ORDER_STEPS = {
  pay: { from: ['quoted'], to: 'paid', by: ['provider'] },
  refund: { from: ['paid'], to: 'refunded', by: ['paymentDesk.refund'] },
} as const satisfies Machine<TokenOrderStatus>

export const DIFFERENCE_KINDS = {
  'missing-here': '渠道有、本方无',
  'missing-there': '本方有、渠道无',
  amount: '金额不一致',
} as const
export type DifferenceKind = keyof typeof DIFFERENCE_KINDS

/** How far back missed days are compared: channels keep bills for about three months. */
export const BILL_DAYS = 60

/** The QR is shown for 30 s and then drawn anew 300 ms later for the same intent; the order ends after 600 s (D1 §4, §9). */
export const LIMITS = {
  displaySeconds: 30,
  redrawAfterMs: 300,
  pollEveryMs: 1_500,
  orderSeconds: 600,
  queryEveryMs: 3_000,
  /** Orders of an agent that wait for their payment at once. */
  openOrders: 100,
  piecesMax: 1_000_000,
  /** 100,000 tokens. */
  tokenCentsMax: 10_000_000,
  /** 100,000 yuan, what a channel takes at once. */
  amountFenMax: 10_000_000,
  refundReasonMax: 50,
  noteMax: 200,
} as const

const OVER = { ORDER_ENDED: '您的订单已过期失效', ORDER_PAID: '该订单已支付' } as const

export const START_REFUSALS = {
  COUNT_REQUIRED: '请输入充值数量',
  TOKENS_FORMAT: '充值数量格式不对，最多两位小数',
  COUNT_TOO_LARGE: `单次充值不得超过${formatCount(LIMITS.piecesMax)}条`,
  TOKENS_TOO_LARGE: `单次充值不得超过${formatCount(LIMITS.tokenCentsMax / 100)}代币`,
  AMOUNT_TOO_LARGE: `单笔支付不得超过${formatCount(LIMITS.amountFenMax / 100)}元`,
  PACKAGE_UNKNOWN: '该充值套餐已下架，请刷新后重试',
  NO_CHANNEL: '暂未开通支付渠道，请联系厂商',
  PRICE_CHANGED: '价格已变动，请重新确认',
  TOO_MANY_OPEN: '未支付的订单过多，请先支付或稍后再试',
  ORDER_FAILED: '请刷新重试',
  ...OVER,
} as const
export type StartRefusal = keyof typeof START_REFUSALS

export const CASHIER_REFUSALS = {
  ...OVER,
  CHANNEL_CLOSED: '该支付方式暂不可用，请选择其他方式',
} as const

export const REFUND_REFUSALS = {
  REASON_REQUIRED: '请输入退款原因',
  REASON_TOO_LONG: `退款原因不得超过${LIMITS.refundReasonMax}字`,
  NOT_PAID: '该订单未支付，不能退款',
  REFUNDED: '该订单已退款',
  CREDIT_SPENT: '代理商余额不足以扣回本次充值，不能退款',
  REFUND_NOT_FAILED: '该退款正在处理或已完成，无需重试',
  DEPOSIT_APART: '押金须在“商户管理 - 押金”中申请退还，由第二人审批',
} as const
export type RefundRefusal = keyof typeof REFUND_REFUSALS

export const RECONCILE_REFUSALS = {
  DAY_OPEN: '账单次日生成，请选择今天以前的日期',
  CHANNEL_UNKNOWN: '该支付渠道未接入',
  NOTE_REQUIRED: '请输入处理说明',
  NOTE_TOO_LONG: `处理说明不得超过${LIMITS.noteMax}字`,
  RESOLVED_ALREADY: '该差异已处理，请刷新后查看',
} as const

export const SETTINGS_REFUSALS = {
  PRICE_INVALID: '请输入大于0的价格，最多两位小数',
  AGENT_UNKNOWN: '请选择代理商',
} as const

/** What beside the list price decides what an agent pays for money from outside. */
export type RechargeTerms = { discountBasisPoints: number; conditions: Conditions }

export type RechargePrice = {
  /** The list price. */
  originalFen: number
  discountBasisPoints: number
  amountFen: number
  /** The name of the offer that applied. */
  offer?: string
  /** Pieces, or 1/100 token, that are given beside what is paid for. */
  bonus: number
}

export function packPrice(
  { pieces, priceFen }: { pieces: number; priceFen: number },
  terms: RechargeTerms,
): RechargePrice {
  return rechargePrice({ part: 'pack', unitCents: priceFen, count: 1 }, pieces, terms)
}

/** So many pieces without a package: rounded up once, so that nothing is given away. */
export function smsPrice(pieces: number, hundredFen: number, terms: RechargeTerms): RechargePrice {
  return rechargePrice({ part: 'smsHundred', unitCents: hundredFen, count: pieces, per: 100 }, pieces, terms)
}

/** Tokens in 1/100, rounded up once. */
export function tokenPrice(tokenCents: number, tokenFen: number, terms: RechargeTerms): RechargePrice {
  return rechargePrice({ part: 'token', unitCents: tokenFen, count: tokenCents, per: 100 }, tokenCents, terms)
}

function rechargePrice(line: Line, bought: number, terms: RechargeTerms): RechargePrice {
  const whole = { ...line, brings: bought, up: true }
  const price = priceLine(whole, terms.discountBasisPoints, terms.conditions)
  return {
    originalFen: price.originalCents,
    discountBasisPoints: terms.discountBasisPoints,
    amountFen: price.totalCents,
    bonus: price.bonus ?? 0,
    ...(price.offer === undefined ? {} : { offer: price.offer }),
  }
}

/** First broken rule of a number of pieces that is typed, or null. */
export function refusePieces(pieces: number | null): StartRefusal | null {
  if (pieces === null || !Number.isSafeInteger(pieces) || pieces < 1) return 'COUNT_REQUIRED'
  return pieces > LIMITS.piecesMax ? 'COUNT_TOO_LARGE' : null
}

/** First broken rule of a number of tokens that is typed (in 1/100), or null. */
export function refuseTokens(tokenCents: number | null): StartRefusal | null {
  if (tokenCents === null || !Number.isSafeInteger(tokenCents) || tokenCents < 1) return 'COUNT_REQUIRED'
  return tokenCents > LIMITS.tokenCentsMax ? 'TOKENS_TOO_LARGE' : null
}

export function refuseAmount(amountFen: number): StartRefusal | null {
  return amountFen > LIMITS.amountFenMax ? 'AMOUNT_TOO_LARGE' : null
}

/** Why an intent takes no more payments from a QR, or null. */
export function refuseOver(intent: {
  status: IntentStatus
  remainingSeconds: number
}): 'ORDER_PAID' | 'ORDER_ENDED' | null {
  if (intent.status === 'paid') return 'ORDER_PAID'
  return intent.status === 'waiting' && intent.remainingSeconds > 0 ? null : 'ORDER_ENDED'
}

export type PollAnswer = { action: 1 | 0 | -1; status: 1 | 0; msg: string }

/**
 * The documents' answer to a poll. `isBeingEnded`: the order's time is over and a channel has yet to say whether it was
 * paid at the last moment.
 */
export function pollAnswer(status: IntentStatus, isBeingEnded: boolean): PollAnswer {
  if (status === 'paid') return { action: 1, status: 1, msg: '支付成功' }
  if (status === 'waiting' || (status === 'expired' && isBeingEnded))
    return { action: 0, status: 0, msg: '等待支付' }
  const msg = status === 'expired' ? START_REFUSALS.ORDER_ENDED : START_REFUSALS.ORDER_FAILED
  return { action: -1, status: 0, msg }
}

const ASKED_FOR_SECONDS = 7 * 86_400

/** Seconds until a channel is asked again what became of an attempt of this age; null: not any more. */
export function secondsUntilAsked(ageSeconds: number, isWatched: boolean): number | null {
  if (isWatched) return LIMITS.queryEveryMs / 1_000
  if (ageSeconds > ASKED_FOR_SECONDS) return null
  return Math.min(3_600, Math.max(5, Math.round(ageSeconds / 4)))
}

/** Our number of an attempt, and of its refund: fixed, so that sending it twice is one. */
export function outTradeNoOf(intentId: string, channel: PayChannelName): string {
  return `${intentId}${channelOf(channel).suffix}`
}
/** `part`: which of its refunds it is, where it goes back in parts; 1 and all that goes back at once have no number. */
export function refundNoOf(outTradeNo: string, part = 1): string {
  return part === 1 ? `${outTradeNo}R` : `${outTradeNo}R${part}`
}

/** What is wrong with a success that a channel tells of, or null. */
export function flawOf(
  fact: { amountFen: number | null; currency: string },
  attempt: { amountFen: number },
): string | null {
  if (fact.currency !== 'CNY') return `币种不符：${fact.currency}`
  if (fact.amountFen !== attempt.amountFen)
    return `金额不符：渠道 ${yuanText(fact.amountFen)}，应付 ${yuanText(attempt.amountFen)}`
  return null
}

const yuanText = (fen: number | null) => (fen === null ? '未知' : `${formatCents(fen)} 元`)

/** Days within which every channel takes a refund. */
export const REFUND_DAYS = 365

/** First broken rule of a refund by the operator, or null; the credit is looked at by the ledger. */
export function refuseRefund(intent: {
  status: IntentStatus
  isRefunded: boolean
  asset: PaidAsset
}): RefundRefusal | null {
  if (intent.asset === 'deposit') return 'DEPOSIT_APART'
  if (intent.status !== 'paid') return 'NOT_PAID'
  return intent.isRefunded ? 'REFUNDED' : null
}

export function refuseRefundReason(reason: string): RefundRefusal | null {
  if (reason.trim() === '') return 'REASON_REQUIRED'
  return lengthOf(reason) > LIMITS.refundReasonMax ? 'REASON_TOO_LONG' : null
}

/** `today`: of Asia/Shanghai, YYYY-MM-DD. */
export function refuseBillDay(day: string, today: string): 'DAY_OPEN' | null {
  return day < today ? null : 'DAY_OPEN'
}

export function refuseNote(note: string): 'NOTE_REQUIRED' | 'NOTE_TOO_LONG' | null {
  if (note.trim() === '') return 'NOTE_REQUIRED'
  return lengthOf(note) > LIMITS.noteMax ? 'NOTE_TOO_LONG' : null
}

export function refusePrice(fen: number): 'PRICE_INVALID' | null {
  return Number.isSafeInteger(fen) && fen >= 1 && fen <= LIMITS.amountFenMax ? null : 'PRICE_INVALID'
}

/** Under which the browser keeps the page from which somebody went to pay. */
export const PAID_FROM = 'paid from'

/** What happened so far at the vendor's own account with a channel; of the last of each how it stands and the provider's words. */
export type Tried = {
  isPaid: boolean
  isRefunded: boolean
  last: { status: AttemptStatus; words: string } | undefined
  lastRefund: { status: RefundStatus; words: string } | undefined
}

/** Why nothing can be paid, for a partner and for whoever runs the office, who is sent to nobody else. */
export function noChannelText(isVendorStaff: boolean): string {
  return isVendorStaff ? '还没有接入支付渠道：接入办法见首页「开始使用」' : START_REFUSALS.NO_CHANNEL
}

const PAYMENTS_PATH = '/admin/operations/payments'

/** How far a channel is set up: connected, one fen paid, one refunded. `asked`: settings beside its own that are missing. */
export function channelStep({
  by,
  needs,
  tried: { isPaid, isRefunded, last, lastRefund },
  asked,
}: Connection & { tried: Tried; asked: readonly NeededSetting[] }): SetupReading {
  if (by === 'none')
    return {
      state: 'open',
      words: `没有接入：在服务器上加上这 ${needs.length + asked.length} 项设置，重启后在这里试付。`,
      path: null,
      settings: [...needs, ...asked],
    }
  if (by === 'simulator')
    return {
      state: 'open',
      words: '现在是模拟支付，收不到真钱：加上设置后重启，并去掉 SIMULATORS=on。',
      path: null,
      settings: [...needs, ...asked],
    }
  const said = (words: string) => (words === '' ? '' : `：${words}`)
  if (!isPaid)
    return last?.status === 'failed'
      ? {
          state: 'broken',
          words: `最近一次下单被拒绝${said(last.words)}。请核对设置后再试付。`,
          settings: asked,
        }
      : {
          state: 'open',
          words:
            last === undefined
              ? '已接入，还没有试过：给自己充值 0.01 代币，扫码付一分钱。'
              : '试付的一分钱还没有到账：请扫码付完；已经付了的，请核对外网访问地址能否收到通知。',
          settings: asked,
        }
  if (isRefunded) return { state: 'done', words: '已收到过付款，也退回过' }
  return lastRefund?.status === 'failed'
    ? {
        state: 'broken',
        words: `最近一次退款失败${said(lastRefund.words)}。请核对证书和退款权限。`,
        path: PAYMENTS_PATH,
      }
    : {
        state: 'open',
        words: lastRefund
          ? '已收到付款，退款正在处理。'
          : '已收到付款，还没有退过：在支付单里把试付的一分钱退回。',
        path: PAYMENTS_PATH,
      }
}
