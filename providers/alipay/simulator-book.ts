// The simulator's trades: what precreate, a scan, a payment, a closing and a refund do to them. Knows no HTTP and no signature.
import { randomBytes, randomInt } from 'node:crypto'

/** What the codes begin with. */
export const CODES = 'https://qr.alipay.com/'

/** A refusal in the gateway's form. `isSigned` false: the gateway answers error_response without a signature. */
export class GatewayError extends Error {
  readonly code: string
  readonly subCode: string
  readonly isSigned: boolean
  constructor(code: string, subCode: string, subMsg: string, isSigned = true) {
    super(subMsg)
    this.code = code
    this.subCode = subCode
    this.isSigned = isSigned
  }
}
const refused = (subCode: string, subMsg: string) => new GatewayError('40004', subCode, subMsg)

export type Refund = { requestNo: string; amountFen: number; at: Date }
export type Trade = {
  tradeNo: string
  status: 'WAIT_BUYER_PAY' | 'TRADE_SUCCESS' | 'TRADE_CLOSED'
  createdAt: Date
  paidAt: Date | null
  closedAt: Date | null
  buyerId: string
  refunds: Refund[]
}
export type Order = {
  outTradeNo: string
  amountFen: number
  subject: string
  notifyUrl: string | null
  /** What a repeated precreate must equal. */
  content: string
  createdAt: Date
  codes: { url: string; until: Date }[]
  timeExpire: Date
  trade: Trade | null
}
export type Book = {
  orders: Map<string, Order>
  /** Told of what Alipay notifies of: a payment, a closing, a refund. */
  onEvent(order: Order, refund: Refund | null): void
}
type Biz = Record<string, unknown>
type Fields = Record<string, string>

const CODE_LIFE_MS = 2 * 3_600_000
const TRADE_LIFE_MS = 3 * 3_600_000
const FEN_MAX = 10_000_000_000
export const BUYER_LOGON_ID = '138****0001'

/** "2026-11-20 08:00:00" of UTC+8. */
export const wallClock = (at: Date): string =>
  new Date(at.getTime() + 28_800_000).toISOString().slice(0, 19).replace('T', ' ')
/** "12.30" from 1230. */
export const yuan = (fen: number): string =>
  `${(fen - (fen % 100)) / 100}.${String(fen % 100).padStart(2, '0')}`
/** Fen of a request's amount; null where it is none. */
function fenOf(value: unknown): number | null {
  const parts = String(value).split('.')
  const [whole = '', fraction = ''] = parts
  const isAmount =
    parts.length <= 2 && /^\d{1,10}$/.test(whole) && (parts.length === 1 || /^\d{1,2}$/.test(fraction))
  return isAmount ? Number.parseInt(whole, 10) * 100 + Number.parseInt(`${fraction}00`.slice(0, 2), 10) : null
}
function requiredText(biz: Biz, name: string, isGood: (text: string) => boolean): string {
  const value = biz[name]
  if (typeof value !== 'string' || !isGood(value)) throw refused('ACQ.INVALID_PARAMETER', `参数无效：${name}`)
  return value
}
const outTradeNoOf = (biz: Biz) => requiredText(biz, 'out_trade_no', text => /^[\w-]{1,64}$/.test(text))

export function precreate(book: Book, biz: Biz, notifyUrl: string | null, now: Date): Fields {
  const outTradeNo = outTradeNoOf(biz)
  const subject = requiredText(
    biz,
    'subject',
    text => text !== '' && [...text].length <= 256 && !/[/=&]/.test(text),
  )
  const amountFen = fenOf(biz.total_amount)
  if (!amountFen) throw refused('ACQ.INVALID_PARAMETER', '参数无效：total_amount')
  if (amountFen > FEN_MAX) throw refused('ACQ.TOTAL_FEE_EXCEED', '订单总金额不在允许范围内')
  const timeExpire = timeExpireOf(biz, now)
  const content = JSON.stringify([subject, amountFen, biz.time_expire ?? null, biz.timeout_express ?? null])
  const known = book.orders.get(outTradeNo)
  if (known) settleExpiry(book, known, now)
  if (known?.trade?.status === 'TRADE_SUCCESS') throw refused('ACQ.TRADE_HAS_SUCCESS', '交易已被支付')
  if (known?.trade?.status === 'TRADE_CLOSED') throw refused('ACQ.TRADE_HAS_CLOSE', '交易已经关闭')
  if (known && known.content !== content) throw refused('ACQ.CONTEXT_INCONSISTENT', '交易信息被篡改')
  if (timeExpire <= now) throw refused('ACQ.INVALID_PARAMETER', '参数无效：time_expire 早于当前时间')
  const fresh = { outTradeNo, amountFen, subject, notifyUrl, content, createdAt: now, timeExpire }
  const order: Order = known ?? { ...fresh, codes: [], trade: null }
  book.orders.set(outTradeNo, order)
  let code = order.codes.find(({ until }) => until > now)
  if (!code) {
    code = {
      url: `${CODES}bax0${randomBytes(10).toString('hex')}`,
      until: new Date(now.getTime() + CODE_LIFE_MS),
    }
    order.codes.push(code)
  }
  return { out_trade_no: outTradeNo, qr_code: code.url }
}

function timeExpireOf(biz: Biz, now: Date): Date {
  if (biz.time_expire !== undefined) {
    const text = requiredText(biz, 'time_expire', value => /^\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?$/.test(value))
    return new Date(`${text.replace(' ', 'T')}+08:00`)
  }
  if (biz.timeout_express === undefined) return new Date(now.getTime() + TRADE_LIFE_MS)
  const text = requiredText(biz, 'timeout_express', value => /^\d+[mhd]$/.test(value))
  const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 }[text.at(-1) as 'm' | 'h' | 'd']
  return new Date(now.getTime() + Number.parseInt(text, 10) * unitMs)
}

/** A trade that nobody paid in time is closed when somebody looks. */
function settleExpiry(book: Book, order: Order, now: Date): void {
  const { trade } = order
  if (trade?.status !== 'WAIT_BUYER_PAY' || now < order.timeExpire) return
  trade.status = 'TRADE_CLOSED'
  trade.closedAt = order.timeExpire
  book.onEvent(order, null)
}

function tradeOf(book: Book, biz: Biz, now: Date): { order: Order; trade: Trade } {
  const order = book.orders.get(outTradeNoOf(biz))
  if (order) settleExpiry(book, order, now)
  if (!order?.trade) throw refused('ACQ.TRADE_NOT_EXIST', '交易不存在')
  return { order, trade: order.trade }
}

export function queryTrade(book: Book, biz: Biz, now: Date): Fields {
  const { order, trade } = tradeOf(book, biz, now)
  return {
    out_trade_no: order.outTradeNo,
    trade_no: trade.tradeNo,
    trade_status: trade.status,
    total_amount: yuan(order.amountFen),
    buyer_logon_id: BUYER_LOGON_ID,
    buyer_user_id: trade.buyerId,
    ...(trade.paidAt && {
      send_pay_date: wallClock(trade.paidAt),
      buyer_pay_amount: yuan(order.amountFen),
      receipt_amount: yuan(order.amountFen),
    }),
  }
}

export function closeTrade(book: Book, biz: Biz, now: Date): Fields {
  const { order, trade } = tradeOf(book, biz, now)
  if (trade.status !== 'WAIT_BUYER_PAY') throw refused('ACQ.TRADE_STATUS_ERROR', '交易状态不合法')
  trade.status = 'TRADE_CLOSED'
  trade.closedAt = now
  book.onEvent(order, null)
  return { out_trade_no: order.outTradeNo, trade_no: trade.tradeNo }
}

/** As the real one: closes what is unpaid, and gives back the money of what is paid. */
export function cancelTrade(book: Book, biz: Biz, now: Date): Fields {
  const outTradeNo = outTradeNoOf(biz)
  const order = book.orders.get(outTradeNo)
  if (order) settleExpiry(book, order, now)
  const trade = order?.trade
  if (!order || !trade) return { out_trade_no: outTradeNo, retry_flag: 'N' }
  const wasPaid = trade.status === 'TRADE_SUCCESS'
  if (wasPaid) giveBack(book, order, trade, `cancel-${outTradeNo}`, order.amountFen - refundedFen(trade), now)
  else if (trade.status === 'WAIT_BUYER_PAY') closeTrade(book, biz, now)
  const action = trade.paidAt ? 'refund' : 'close'
  return { out_trade_no: outTradeNo, trade_no: trade.tradeNo, retry_flag: 'N', action }
}

export const refundedFen = (trade: Trade): number =>
  trade.refunds.reduce((sum, { amountFen }) => sum + amountFen, 0)

function giveBack(
  book: Book,
  order: Order,
  trade: Trade,
  requestNo: string,
  amountFen: number,
  at: Date,
): void {
  const refund = { requestNo, amountFen, at }
  trade.refunds.push(refund)
  if (refundedFen(trade) === order.amountFen) {
    trade.status = 'TRADE_CLOSED'
    trade.closedAt = at
  }
  book.onEvent(order, refund)
}

export function refundTrade(book: Book, biz: Biz, now: Date): Fields {
  const { order, trade } = tradeOf(book, biz, now)
  const amountFen = fenOf(biz.refund_amount)
  if (!amountFen) throw refused('ACQ.INVALID_PARAMETER', '参数无效：refund_amount')
  const isWhole = amountFen === order.amountFen
  if (!isWhole && biz.out_request_no === undefined)
    throw refused('ACQ.INVALID_PARAMETER', '参数无效：部分退款必须传 out_request_no')
  const requestNo =
    biz.out_request_no === undefined
      ? order.outTradeNo
      : requiredText(biz, 'out_request_no', text => /^[\w-]{1,64}$/.test(text))
  const known = trade.refunds.find(refund => refund.requestNo === requestNo)
  if (known && known.amountFen !== amountFen)
    throw refused('ACQ.DISCORDANT_REPEAT_REQUEST', '同一笔退款单号退款金额不一致')
  if (!known) {
    if (trade.status !== 'TRADE_SUCCESS') throw refused('ACQ.TRADE_STATUS_ERROR', '交易状态不合法')
    if (refundedFen(trade) + amountFen > order.amountFen)
      throw refused('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL', '退款金额超限')
    giveBack(book, order, trade, requestNo, amountFen, now)
  }
  return {
    out_trade_no: order.outTradeNo,
    trade_no: trade.tradeNo,
    buyer_logon_id: BUYER_LOGON_ID,
    buyer_user_id: trade.buyerId,
    fund_change: known ? 'N' : 'Y',
    refund_fee: yuan(refundedFen(trade)),
    gmt_refund_pay: wallClock(known?.at ?? now),
  }
}

/** An unknown refund is answered with success and nothing else. */
export function queryRefund(book: Book, biz: Biz, now: Date): Fields {
  const { order, trade } = tradeOf(book, biz, now)
  const refund = trade.refunds.find(({ requestNo }) => requestNo === biz.out_request_no)
  if (!refund) return {}
  return {
    out_trade_no: order.outTradeNo,
    trade_no: trade.tradeNo,
    out_request_no: refund.requestNo,
    total_amount: yuan(order.amountFen),
    refund_amount: yuan(refund.amountFen),
    refund_status: 'REFUND_SUCCESS',
    gmt_refund_pay: wallClock(refund.at),
  }
}

/** What was paid before this book was begun, such as before a restart; one that is known stays as it is. */
export type Remembered = {
  outTradeNo: string
  amountFen: number
  transactionId: string
  paidAt: string
  subject: string
  notifyUrl: string
}

export function rememberTrade(book: Book, paid: Remembered): void {
  const { outTradeNo, amountFen, subject, notifyUrl, transactionId } = paid
  if (book.orders.has(outTradeNo)) return
  const paidAt = new Date(paid.paidAt)
  const trade: Trade = { ...newTrade(paidAt), tradeNo: transactionId, status: 'TRADE_SUCCESS', paidAt }
  const order = { outTradeNo, amountFen, subject, notifyUrl, content: '', createdAt: paidAt, codes: [] }
  book.orders.set(outTradeNo, { ...order, timeExpire: paidAt, trade })
}

export const PHONE_OUTCOMES = ['paid', 'failed', 'scan'] as const
export type PhoneOutcome = (typeof PHONE_OUTCOMES)[number]
export type PhoneResult = { ok: boolean; message: string }

/**
 * What a payer does with a code. The first scan makes the trade. `isLate`: the payment was begun in time and completes only now,
 * which nothing but a closed trade stops.
 */
export function payByPhone(
  book: Book,
  order: Order,
  codeUrl: string | null,
  outcome: PhoneOutcome,
  isLate: boolean,
  now: Date,
): PhoneResult {
  if (!isLate) settleExpiry(book, order, now)
  if (order.trade?.status === 'TRADE_SUCCESS') return { ok: false, message: '该订单已支付，请勿重复付款' }
  if (order.trade?.status === 'TRADE_CLOSED') return { ok: false, message: '交易已关闭，无法付款' }
  const code = order.codes.find(({ url }) => codeUrl === null || url === codeUrl)
  if (!isLate && !order.trade && (!code || code.until <= now)) return { ok: false, message: '二维码已失效' }
  if (!isLate && order.timeExpire <= now) return { ok: false, message: '订单已过期，无法付款' }
  const trade = order.trade ?? newTrade(now)
  order.trade = trade
  if (outcome === 'scan') return { ok: true, message: '已扫码，等待付款' }
  if (outcome === 'failed') return { ok: true, message: '支付失败：余额不足' }
  trade.status = 'TRADE_SUCCESS'
  trade.paidAt = now
  book.onEvent(order, null)
  return { ok: true, message: isLate ? '迟到的支付已完成' : '支付成功' }
}

function newTrade(now: Date): Trade {
  return {
    tradeNo: `${wallClock(now).slice(0, 10).replaceAll('-', '')}2200${digits(16)}`,
    status: 'WAIT_BUYER_PAY',
    createdAt: now,
    paidAt: null,
    closedAt: null,
    buyerId: `2088${digits(12)}`,
    refunds: [],
  }
}

const digits = (count: number): string => Array.from({ length: count }, () => randomInt(10)).join('')
