// The simulated WeChat Pay's orders: who may order what, what a payer may do, and what follows. In memory.
import { createHash } from 'node:crypto'
import { type Party, randomDigits, randomText } from './simulator-keys.ts'

/** What the codes begin with. */
export const CODES = 'weixin://'

const CODE_LIFE_MS = 2 * 3_600_000
const UNPAID_LIFE_MS = 7 * 86_400_000
const REFUND_LIFE_MS = 365 * 86_400_000
const REFUNDS_MAX = 50

/** WeChat Pay's refusal: HTTP status, code, words, and the number at the end of Request-Id. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly number: number
  constructor(status: number, code: string, message: string, number = 268435456) {
    super(message)
    this.status = status
    this.code = code
    this.number = number
  }
}

export type SimRefund = {
  refundNo: string
  refundId: string
  refundFen: number
  content: string
  notifyUrl: string | null
  status: 'PROCESSING' | 'SUCCESS' | 'ABNORMAL' | 'CLOSED'
  createdAt: Date
  endedAt: Date | null
}
export type SimOrder = {
  party: Party
  subMchid: string | null
  appid: string
  outTradeNo: string
  tradeType: 'NATIVE' | 'JSAPI'
  /** Everything that a repeated order must say again. */
  content: string
  description: string
  attach: string | null
  amountFen: number
  notifyUrl: string
  createdAt: Date
  expiresAt: Date | null
  code: { url: string; madeAt: Date } | null
  prepayId: string
  payer: string | null
  state: 'NOTPAY' | 'PAYERROR' | 'SUCCESS' | 'REFUND' | 'CLOSED'
  transactionId: string | null
  paidAt: Date | null
  refunds: SimRefund[]
}
/** For how long an order whose time has run out is not closed yet: a late payment can be forced in it. */
export type Book = {
  orders: Map<string, SimOrder>
  /** By what can be paid now: code_url or prepay_id. */
  codes: Map<string, SimOrder>
  lateMs: number
}
export type Place = {
  party: Party
  subMchid: string | null
  appid: string
  tradeType: 'NATIVE' | 'JSAPI'
  body: Record<string, unknown>
}

const keyOf = (party: Party, subMchid: string | null, outTradeNo: string) =>
  `${party.mchid} ${subMchid ?? ''} ${outTradeNo}`
const badParameter = (message: string) => new Refused(400, 'PARAM_ERROR', message)
const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** Native and JSAPI orders; the same content again answers a new code and ends the one before. */
export function placeOrder(book: Book, place: Place, now: Date): SimOrder {
  const { party, subMchid, body } = place
  const read = readOrder(place, now)
  const content = JSON.stringify([place.tradeType, sorted(body)])
  const key = keyOf(party, subMchid, read.outTradeNo)
  const known = book.orders.get(key)
  if (known) refuseAgain(book, known, content, now)
  const order: SimOrder = known ?? {
    party,
    subMchid,
    appid: place.appid,
    tradeType: place.tradeType,
    content,
    createdAt: now,
    code: null,
    prepayId: '',
    state: 'NOTPAY',
    transactionId: null,
    paidAt: null,
    refunds: [],
    ...read,
  }
  book.codes.delete(order.code?.url ?? order.prepayId)
  order.prepayId = `wx${randomDigits(14)}${randomText(20).toLowerCase()}0000`
  if (place.tradeType === 'NATIVE')
    order.code = { url: `${CODES}wxpay/bizpayurl?pr=${randomText(9)}zz`, madeAt: now }
  book.orders.set(key, order)
  book.codes.set(order.code?.url ?? order.prepayId, order)
  return order
}

function readOrder({ body, tradeType }: Place, now: Date) {
  const amount = (body.amount ?? {}) as { total?: unknown; currency?: unknown }
  const payer = (body.payer ?? {}) as Record<string, unknown>
  const outTradeNo = text(body.out_trade_no)
  const description = text(body.description)
  const notifyUrl = text(body.notify_url)
  const expiresAt = body.time_expire === undefined ? null : new Date(text(body.time_expire))
  const openid = text(payer.openid) || text(payer.sp_openid) || text(payer.sub_openid)
  if (!/^[0-9A-Za-z_\-|*]{6,32}$/.test(outTradeNo)) throw badParameter('商户订单号不合法')
  if (!description || Buffer.byteLength(description) > 127) throw badParameter('商品描述为空或超过127字节')
  if (!URL.canParse(notifyUrl) || !/^https?:\/\/[^?#]+$/.test(notifyUrl))
    throw badParameter('通知地址必须是不带参数的网址')
  if (!Number.isSafeInteger(amount.total) || Number(amount.total) < 1) throw badParameter('订单金额不合法')
  if (amount.currency !== undefined && amount.currency !== 'CNY') throw badParameter('货币类型不合法')
  if (expiresAt && !isInstant(text(body.time_expire))) throw badParameter('交易结束时间不是rfc3339格式')
  if (expiresAt && expiresAt <= now) throw new Refused(400, 'INVALID_REQUEST', '订单已过有效期', 268447914)
  if (tradeType === 'JSAPI' && !openid) throw badParameter('缺少支付者openid')
  return {
    outTradeNo,
    description,
    notifyUrl,
    expiresAt,
    attach: text(body.attach) || null,
    amountFen: Number(amount.total),
    payer: tradeType === 'JSAPI' ? openid : null,
  }
}

const isInstant = (value: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value))

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, one]) => [name, sorted(one)])
}

function refuseAgain(book: Book, order: SimOrder, content: string, now: Date): void {
  const state = stateOf(book, order, now)
  const isSame = order.content === content
  if (!isSame && state !== 'NOTPAY' && state !== 'PAYERROR')
    throw new Refused(403, 'OUT_TRADE_NO_USED', '商户订单号重复')
  if (!isSame) throw new Refused(400, 'INVALID_REQUEST', '请求重入时，参数与首次请求时不一致', 268498688)
  if (state === 'SUCCESS' || state === 'REFUND')
    throw new Refused(400, 'INVALID_REQUEST', '该订单已支付', 268449538)
  if (state === 'CLOSED') throw new Refused(400, 'ORDER_CLOSED', '该订单已关闭')
}

/** An unpaid order closes by itself some time after its end, or after seven days. */
export function stateOf(book: Book, order: SimOrder, now: Date): SimOrder['state'] {
  if (order.state !== 'NOTPAY' && order.state !== 'PAYERROR') return order.state
  const closesAt = order.expiresAt
    ? order.expiresAt.getTime() + book.lateMs
    : order.createdAt.getTime() + UNPAID_LIFE_MS
  if (now.getTime() > closesAt) order.state = 'CLOSED'
  return order.state
}

export function findOrder(
  book: Book,
  party: Party,
  subMchid: string | null,
  number: { outTradeNo?: string; transactionId?: string },
): SimOrder {
  const order = number.outTradeNo
    ? book.orders.get(keyOf(party, subMchid, number.outTradeNo))
    : [...book.orders.values()].find(
        one => one.party === party && one.subMchid === subMchid && one.transactionId === number.transactionId,
      )
  if (!order) throw new Refused(404, 'ORDER_NOT_EXIST', '订单不存在', 268512771)
  return order
}

export function closeOrder(book: Book, order: SimOrder, now: Date): void {
  const state = stateOf(book, order, now)
  if (state === 'SUCCESS' || state === 'REFUND')
    throw new Refused(400, 'ORDER_PAID', '该订单已支付', 268498689)
  order.state = 'CLOSED'
}

export type Payment = {
  /** What was scanned: a code_url, or a prepay_id of a page in WeChat. */
  code?: string
  outTradeNo?: string
  payer?: string
  outcome?: 'paid' | 'failed'
  /** Completes although the order's time has run out. */
  late?: boolean
}

export function findPayable(book: Book, { code, outTradeNo }: Payment): SimOrder {
  const order = code
    ? book.codes.get(code)
    : [...book.orders.values()].find(one => one.outTradeNo === outTradeNo)
  if (!order) throw new Refused(404, 'CODE_UNKNOWN', '二维码已失效，请重新获取')
  return order
}

/** What a payer does with a phone. Refuses in the words that the payer would see. */
export function payOrder(book: Book, payment: Payment, now: Date): SimOrder {
  const order = findPayable(book, payment)
  const payer = payment.payer ?? order.payer ?? 'oSimulatedPayer000000000001'
  const state = stateOf(book, order, now)
  if (state === 'SUCCESS' || state === 'REFUND')
    throw new Refused(409, 'ORDER_PAID', '该订单已支付，请勿重复支付')
  if (state === 'CLOSED') throw new Refused(409, 'ORDER_CLOSED', '该订单已关闭')
  if (order.payer && order.payer !== payer)
    throw new Refused(409, 'SECOND_SCANNER', '订单信息有误，请更换二维码后重试')
  if (payment.code && order.code && now.getTime() - order.code.madeAt.getTime() > CODE_LIFE_MS)
    throw new Refused(409, 'CODE_EXPIRED', '二维码已过期，请重新获取')
  if (!payment.late && order.expiresAt && now > order.expiresAt)
    throw new Refused(409, 'ORDER_EXPIRED', '订单已过期，请重新下单')
  order.payer = payer
  if (payment.outcome === 'failed') {
    order.state = 'PAYERROR'
    return order
  }
  order.state = 'SUCCESS'
  order.paidAt = now
  order.transactionId = `4200${randomDigits(24)}`
  return order
}

/** What was paid before this book was begun, such as before a restart; one that is known stays as it is. */
export type Remembered = {
  outTradeNo: string
  amountFen: number
  transactionId: string
  paidAt: string
  payer: string
  subject: string
  notifyUrl: string
}

export function rememberOrder(book: Book, party: Party, paid: Remembered): void {
  const key = keyOf(party, null, paid.outTradeNo)
  if (book.orders.has(key)) return
  const paidAt = new Date(paid.paidAt)
  book.orders.set(key, {
    ...{
      party,
      subMchid: null,
      appid: party.appid,
      tradeType: 'NATIVE',
      attach: null,
      expiresAt: null,
      code: null,
    },
    ...{
      outTradeNo: paid.outTradeNo,
      amountFen: paid.amountFen,
      description: paid.subject,
      notifyUrl: paid.notifyUrl,
    },
    ...{ payer: paid.payer, transactionId: paid.transactionId, createdAt: paidAt, paidAt, state: 'SUCCESS' },
    ...{ content: '', prepayId: '', refunds: [] },
  })
}

/** The same number with the same amounts answers the refund that there is. */
export function placeRefund(
  book: Book,
  order: SimOrder,
  body: Record<string, unknown>,
  now: Date,
): { refund: SimRefund; isNew: boolean } {
  const amount = (body.amount ?? {}) as { refund?: unknown; total?: unknown; currency?: unknown }
  const refundNo = text(body.out_refund_no)
  if (!/^[0-9A-Za-z_\-|*@]{1,64}$/.test(refundNo)) throw badParameter('商户退款单号不合法')
  if (!Number.isSafeInteger(amount.refund) || Number(amount.refund) < 1) throw badParameter('退款金额不合法')
  if (amount.currency !== 'CNY') throw badParameter('退款币种不合法')
  const invalid = (message: string) => new Refused(400, 'INVALID_REQUEST', message)
  const content = JSON.stringify([order.outTradeNo, amount.refund, amount.total])
  const known = findRefund(book, order.party, order.subMchid, refundNo)
  if (known && known.refund.content !== content) throw invalid('退款单号已存在，且参数不一致')
  if (known) return { refund: known.refund, isNew: false }
  if (!order.paidAt) throw invalid('订单未支付，不能退款')
  if (now.getTime() - order.paidAt.getTime() > REFUND_LIFE_MS) throw invalid('订单已超过可退款的最大期限')
  if (amount.total !== order.amountFen) throw invalid('订单金额与原订单不一致')
  if (order.refunds.length >= REFUNDS_MAX) throw invalid('已达到最多退款次数')
  const refunded = order.refunds
    .filter(one => one.status !== 'CLOSED')
    .reduce((sum, one) => sum + one.refundFen, 0)
  if (refunded + Number(amount.refund) > order.amountFen) throw invalid('申请退款金额大于可退金额')
  const refund: SimRefund = {
    refundNo,
    refundId: `5030${randomDigits(24)}`,
    refundFen: Number(amount.refund),
    content,
    notifyUrl: text(body.notify_url) || null,
    status: 'PROCESSING',
    createdAt: now,
    endedAt: null,
  }
  order.refunds.push(refund)
  order.state = 'REFUND'
  return { refund, isNew: true }
}

export function findRefund(book: Book, party: Party, subMchid: string | null, refundNo: string) {
  for (const order of book.orders.values()) {
    if (order.party !== party || order.subMchid !== subMchid) continue
    const refund = order.refunds.find(one => one.refundNo === refundNo || one.refundId === refundNo)
    if (refund) return { order, refund }
  }
  return null
}

/** RFC 3339 in Asia/Shanghai, as WeChat Pay writes instants. */
export function shanghai(at: Date): string {
  return `${new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`
}

/** What queries answer and callbacks carry. */
export function describeOrder(book: Book, order: SimOrder, now: Date): Record<string, unknown> {
  const state = stateOf(book, order, now)
  const { party, subMchid } = order
  const words = {
    NOTPAY: '订单未支付',
    PAYERROR: '支付失败',
    SUCCESS: '支付成功',
    REFUND: '转入退款',
    CLOSED: '订单已关闭',
  }
  return {
    ...(subMchid
      ? { sp_appid: party.appid, sp_mchid: party.mchid, sub_mchid: subMchid }
      : { appid: order.appid, mchid: party.mchid }),
    out_trade_no: order.outTradeNo,
    ...(order.transactionId ? { transaction_id: order.transactionId } : {}),
    trade_type: order.tradeType,
    trade_state: state,
    trade_state_desc: words[state],
    bank_type: order.paidAt ? 'OTHERS' : '',
    ...(order.attach ? { attach: order.attach } : {}),
    ...(order.paidAt ? { success_time: shanghai(order.paidAt) } : {}),
    ...(order.payer ? { payer: subMchid ? { sp_openid: order.payer } : { openid: order.payer } } : {}),
    amount: { total: order.amountFen, payer_total: order.amountFen, currency: 'CNY', payer_currency: 'CNY' },
  }
}

export function describeRefund(order: SimOrder, refund: SimRefund): Record<string, unknown> {
  return {
    refund_id: refund.refundId,
    out_refund_no: refund.refundNo,
    transaction_id: order.transactionId,
    out_trade_no: order.outTradeNo,
    channel: 'ORIGINAL',
    user_received_account: '支付用户零钱',
    create_time: shanghai(refund.createdAt),
    ...(refund.endedAt ? { success_time: shanghai(refund.endedAt) } : {}),
    status: refund.status,
    amount: {
      total: order.amountFen,
      refund: refund.refundFen,
      payer_total: order.amountFen,
      payer_refund: refund.refundFen,
      currency: 'CNY',
    },
  }
}

/** Stands for the payer as another merchant's app would see it: the same person, always the same openid. */
export function openidOf(appid: string, person: string): string {
  return `o${createHash('sha256').update(`${appid} ${person}`).digest('base64url').slice(0, 27)}`
}
