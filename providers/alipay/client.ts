// Alipay's OpenAPI v2 (gateway.do) as a channel of payment: precreate, query, close, refund, bill, callbacks (design: providers §2).
//
// To be confirmed with real credentials [K]: that time_expire counts to the second for precreate; that `send_pay_date` tells a
// refunded TRADE_CLOSED from an unpaid one; that subjects must be free of / = &; the host of the bill's address, and that the bill
// is not quoted; which sub-codes beside ACQ.* leave the outcome open.
//
// Two peculiarities. Precreate makes no trade: until somebody scans there is none, and only time_expire ends the code. So a trade is
// closed, never cancelled: alipay.trade.cancel gives a paid trade's money back. And a partly refunded trade is still TRADE_SUCCESS
// when asked for: `query` answers 'paid', and `queryRefund` tells of the refund.
import {
  type BillLine,
  CallbackRejected,
  type PayCallback,
  type PayChannel,
  type PaymentFact,
  type PaymentState,
  type PayOrder,
  ProviderBusy,
  ProviderRefused,
  ProviderUnknown,
  ProviderUnverified,
  type RefundFact,
  type RefundOrder,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { endOfDay, formatInstant } from '#kit/time.ts'
import { call } from '../call.ts'
import { readBill } from './bill.ts'
import { checkKeys } from './check.ts'
import {
  fenOfYuan,
  formFields,
  instantOf,
  isNotifyVerified,
  readAnswer,
  signRequest,
  yuanOfFen,
} from './wire.ts'

export type AlipaySettings = {
  /** https://openapi.alipay.com/gateway.do */
  gatewayUrl: string
  /** The only origin that bills are fetched from: https://dwbillcenter.alipay.com [K]. */
  billOrigin: string
  appId: string
  /** The 16 digits (2088…) that are paid; null: not known, and a callback's seller is not compared. */
  sellerId: string | null
  /** The app's, PEM. */
  privateKey: string
  /** Alipay's, PEM; in certificate mode the one of Alipay's certificate. */
  alipayPublicKey: string
  /** Acting for a merchant. */
  appAuthToken?: string
  serviceProviderId?: string
  /** Certificate mode: both. */
  appCertSn?: string
  alipayRootCertSn?: string
}

type Fields = Record<string, unknown>
type Room = { settings: AlipaySettings; surroundings: Surroundings }

const SUCCESS = '10000'
const OUTCOME_OPEN = '20000'
const TOO_MANY_CALLS = '40005'
const OPEN_SUB_CODE = /SYSTEM_ERROR$|^(isp|aop)\.unknow/i
const NO_TRADE = 'ACQ.TRADE_NOT_EXIST'
const TRADE_MOVED_ON = [
  'ACQ.TRADE_STATUS_ERROR',
  'ACQ.TRADE_HAS_SUCCESS',
  'ACQ.TRADE_HAS_CLOSE',
  'ACQ.REASON_TRADE_STATUS_INVALID',
]
const SUBJECT_MAX = 256
const BILL_READY_MS = 12 * 3_600_000

export function makeAlipay(settings: AlipaySettings, surroundings: Surroundings): PayChannel {
  const room: Room = { settings, surroundings }
  return {
    name: 'alipay',
    create: order => create(room, order),
    query: outTradeNo => query(room, outTradeNo),
    close: outTradeNo => close(room, outTradeNo),
    refund: order => refund(room, order),
    queryRefund: (outTradeNo, refundNo) => queryRefund(room, outTradeNo, refundNo),
    readCallback: async (_headers, body) => readCallback(settings, body),
    answerCallback: outcome => ({
      status: outcome === 'rejected' ? 401 : 200,
      type: 'text/plain',
      body: outcome === 'kept' ? 'success' : 'failure',
    }),
    bill: day => bill(room, day),
    check: probe => checkKeys({ query: outTradeNo => query(room, outTradeNo) }, probe),
  }
}

/** The verified fields of a successful answer. `more`: further public parameters. */
async function ask(
  { settings, surroundings }: Room,
  method: string,
  bizContent: Fields,
  more: Record<string, string> = {},
): Promise<Fields> {
  const { biz_content: content = '', ...params } = signRequest(
    {
      app_id: settings.appId,
      method,
      format: 'JSON',
      charset: 'utf-8',
      sign_type: 'RSA2',
      timestamp: formatInstant(surroundings.now()),
      version: '1.0',
      app_auth_token: settings.appAuthToken ?? '',
      app_cert_sn: settings.appCertSn ?? '',
      alipay_root_cert_sn: settings.alipayRootCertSn ?? '',
      biz_content: JSON.stringify(bizContent),
      ...more,
    },
    settings.privateKey,
  )
  const answer = await call(surroundings, `${settings.gatewayUrl}?${new URLSearchParams(params)}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded;charset=utf-8',
      'alipay-request-id': surroundings.nonce(),
    },
    body: new URLSearchParams({ biz_content: content }).toString(),
  })
  if (answer.status !== 200) throw new ProviderUnknown(`Alipay answered ${method} with HTTP ${answer.status}`)
  return verifiedFields(settings, method, answer.body, answer.headers.get('trace_id') ?? '')
}

function verifiedFields(settings: AlipaySettings, method: string, body: Buffer, reference: string): Fields {
  const answer = readAnswer(body.toString('utf8'), method, settings.alipayPublicKey)
  if (!answer) throw new ProviderUnknown(`Alipay answered ${method} with something unreadable`)
  const text = (name: string) => textOf(answer.fields, name) ?? ''
  const code = text('sub_code') || text('code')
  const words = text('sub_msg') || text('msg')
  if (!answer.isVerified)
    throw new ProviderUnverified(
      `Alipay's answer to ${method} carries no valid signature (${code} ${words})`,
      'answer',
      code,
    )
  if (text('code') === SUCCESS) return answer.fields
  if (text('code') === OUTCOME_OPEN || OPEN_SUB_CODE.test(code))
    throw new ProviderUnknown(`Alipay left ${method} open: ${code} ${words}`)
  throw new (text('code') === TOO_MANY_CALLS ? ProviderBusy : ProviderRefused)(code, words, reference)
}

function textOf(fields: Fields, name: string): string | null {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** An answer about something else than was asked is none. */
function expectSame(fields: Fields, name: string, asked: string): void {
  if (textOf(fields, name) !== asked)
    throw new ProviderUnknown(`Alipay answered about another ${name} than ${asked}`)
}

async function create(room: Room, order: PayOrder): Promise<{ codeUrl: string }> {
  const { serviceProviderId } = room.settings
  const fields = await ask(
    room,
    'alipay.trade.precreate',
    {
      out_trade_no: order.outTradeNo,
      total_amount: yuanOfFen(order.amountFen),
      subject: subjectOf(order.subject),
      time_expire: formatInstant(order.expiresAt),
      ...(serviceProviderId && { extend_params: { sys_service_provider_id: serviceProviderId } }),
    },
    { notify_url: order.notifyUrl },
  )
  expectSame(fields, 'out_trade_no', order.outTradeNo)
  const codeUrl = textOf(fields, 'qr_code')
  if (!codeUrl) throw new ProviderUnknown('Alipay answered precreate without a code')
  return { codeUrl }
}

/** Alipay takes no `/`, `=` and `&` in a subject: their wide forms read the same. */
function subjectOf(subject: string): string {
  const wide = subject.replaceAll('/', '／').replaceAll('=', '＝').replaceAll('&', '＆')
  return [...wide].slice(0, SUBJECT_MAX).join('')
}

async function query(room: Room, outTradeNo: string): Promise<PaymentFact> {
  try {
    const fields = await ask(room, 'alipay.trade.query', { out_trade_no: outTradeNo })
    expectSame(fields, 'out_trade_no', outTradeNo)
    return paymentFact(fields, textOf(fields, 'send_pay_date'))
  } catch (error) {
    if (!(error instanceof ProviderRefused) || error.code !== NO_TRADE) throw error
    const nothing = { transactionId: null, amountFen: null, paidAt: null, payer: null }
    return { outTradeNo, state: 'waiting', ...nothing, currency: 'CNY', providerState: 'TRADE_NOT_EXIST' }
  }
}

/** The same fields come with an answer and with a callback, but for the name of the time of payment. */
function paymentFact(fields: Fields, paidAt: string | null): PaymentFact {
  const providerState = textOf(fields, 'trade_status') ?? ''
  const state = stateOf(providerState, paidAt !== null)
  const amountFen = fenOfYuan(textOf(fields, 'total_amount') ?? '')
  if (!state || (state === 'paid' && amountFen === null))
    throw new ProviderUnknown(`Alipay told of a trade ${providerState} of ${textOf(fields, 'total_amount')}`)
  return {
    outTradeNo: textOf(fields, 'out_trade_no') ?? '',
    state,
    transactionId: textOf(fields, 'trade_no'),
    amountFen,
    currency: textOf(fields, 'trans_currency') ?? 'CNY',
    paidAt: paidAt && instantOf(paidAt),
    payer:
      textOf(fields, 'buyer_logon_id') ?? textOf(fields, 'buyer_user_id') ?? textOf(fields, 'buyer_open_id'),
    providerState,
  }
}

function stateOf(providerState: string, wasPaid: boolean): PaymentState | null {
  if (providerState === 'WAIT_BUYER_PAY') return 'waiting'
  if (providerState === 'TRADE_SUCCESS' || providerState === 'TRADE_FINISHED') return 'paid'
  if (providerState === 'TRADE_CLOSED') return wasPaid ? 'refunded' : 'closed'
  return null
}

async function close(room: Room, outTradeNo: string): Promise<'closed' | 'paid'> {
  const before = closedState(await query(room, outTradeNo))
  if (before) return before
  try {
    await ask(room, 'alipay.trade.close', { out_trade_no: outTradeNo })
    return 'closed'
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    // Nobody has scanned: there is nothing to close, and time_expire ends the code.
    if (error.code === NO_TRADE) return 'closed'
    if (!TRADE_MOVED_ON.includes(error.code)) throw error
    const after = closedState(await query(room, outTradeNo))
    if (!after) throw new ProviderUnknown(`Alipay neither closes ${outTradeNo} nor calls it paid`, error)
    return after
  }
}

function closedState({ state }: PaymentFact): 'closed' | 'paid' | null {
  if (state === 'paid' || state === 'refunded') return 'paid'
  return state === 'closed' ? 'closed' : null
}

async function refund(room: Room, order: RefundOrder): Promise<RefundFact> {
  const { outTradeNo, refundNo, reason } = order
  const fields = await ask(room, 'alipay.trade.refund', {
    out_trade_no: outTradeNo,
    out_request_no: refundNo,
    refund_amount: yuanOfFen(order.refundFen),
    refund_reason: [...reason].slice(0, SUBJECT_MAX).join(''),
  })
  expectSame(fields, 'out_trade_no', outTradeNo)
  if (fields.fund_change === 'Y')
    return { outTradeNo, refundNo, state: 'done', providerState: 'fund_change=Y', doneAt: refundTime(fields) }
  // No money moved by this call: it had been asked for before, or is still under way.
  const known = await queryRefund(room, outTradeNo, refundNo)
  return known.state === 'none' ? { ...known, state: 'processing', providerState: 'fund_change=N' } : known
}

async function queryRefund(room: Room, outTradeNo: string, refundNo: string): Promise<RefundFact> {
  try {
    const fields = await ask(room, 'alipay.trade.fastpay.refund.query', {
      out_trade_no: outTradeNo,
      out_request_no: refundNo,
    })
    // Alipay answers an unknown refund with success and nothing else.
    const providerState =
      textOf(fields, 'refund_status') ?? (textOf(fields, 'refund_amount') ? 'REFUND_SUCCESS' : '')
    if (providerState === '') return { outTradeNo, refundNo, state: 'none', providerState: '' }
    expectSame(fields, 'out_request_no', refundNo)
    return {
      outTradeNo,
      refundNo,
      state: providerState === 'REFUND_SUCCESS' ? 'done' : 'processing',
      providerState,
      doneAt: refundTime(fields),
    }
  } catch (error) {
    if (!(error instanceof ProviderRefused) || error.code !== NO_TRADE) throw error
    return { outTradeNo, refundNo, state: 'none', providerState: 'TRADE_NOT_EXIST' }
  }
}

function refundTime(fields: Fields): string | undefined {
  return instantOf(textOf(fields, 'gmt_refund_pay') ?? '') ?? undefined
}

async function bill(room: Room, day: string): Promise<BillLine[]> {
  const { settings, surroundings } = room
  let address: string | null
  try {
    const fields = await ask(room, 'alipay.data.dataservice.bill.downloadurl.query', {
      bill_type: 'trade',
      bill_date: day,
    })
    address = textOf(fields, 'bill_download_url')
  } catch (error) {
    if (!(error instanceof ProviderRefused) || !/bill_not_exist$/i.test(error.code)) throw error
    // Alipay says the same of a day without trades and of a bill that it has yet to make.
    if (surroundings.now().getTime() >= endOfDay(day).getTime() + BILL_READY_MS) return []
    throw new ProviderUnknown(`Alipay has not made the bill of ${day} yet`, error)
  }
  const answer = await call(surroundings, billUrl(settings, address), { method: 'GET' })
  if (answer.status !== 200) throw new ProviderUnknown(`Alipay answered the bill with HTTP ${answer.status}`)
  try {
    return readBill(answer.body)
  } catch (error) {
    throw new ProviderUnknown(`Alipay's bill of ${day} is unreadable`, error)
  }
}

/** The address is fetched from the configured host alone, whatever the answer names, and by the configured protocol. */
function billUrl({ billOrigin }: AlipaySettings, address: string | null): string {
  const allowed = new URL(billOrigin)
  if (!address || !URL.canParse(address)) throw new ProviderUnknown('Alipay answered no address of the bill')
  const url = new URL(address)
  if (url.host !== allowed.host || url.username !== '')
    throw new ProviderUnknown(`Alipay's bill lies on ${url.host}, not on ${allowed.host}`)
  url.protocol = allowed.protocol
  return url.toString()
}

function readCallback(settings: AlipaySettings, body: Buffer): PayCallback {
  const fields = formFields(body.toString('utf8'))
  if (!fields) throw new CallbackRejected('a field comes twice, or there are too many')
  if (!isNotifyVerified(fields, settings.alipayPublicKey))
    throw new CallbackRejected('the signature is not Alipay’s', 'signature')
  if (fields.app_id !== settings.appId) throw new CallbackRejected(`for another app: ${fields.app_id}`)
  if (settings.sellerId !== null && fields.seller_id !== settings.sellerId)
    throw new CallbackRejected(`for another seller: ${fields.seller_id}`)
  if (fields.notify_type !== 'trade_status_sync')
    throw new CallbackRejected(`of another kind: ${fields.notify_type}`)
  const { notify_id: eventId, out_trade_no: outTradeNo } = fields
  if (!eventId || !outTradeNo) throw new CallbackRejected('without notify_id or out_trade_no')
  const refundedAt = textOf(fields, 'gmt_refund')
  const happened = refundedAt ?? fields.gmt_close ?? fields.gmt_payment ?? fields.notify_time ?? ''
  const occurredAt = instantOf(happened)
  if (!occurredAt) throw new CallbackRejected(`without a time: ${happened}`)
  // After a refund the trade is told of again, as TRADE_SUCCESS or TRADE_CLOSED: no new payment.
  if (refundedAt || (fenOfYuan(fields.refund_fee ?? '') ?? 0) > 0) {
    const refundNo = fields.out_biz_no ?? fields.out_request_no ?? ''
    const providerState = fields.trade_status ?? ''
    return {
      eventId,
      occurredAt,
      kind: 'refund',
      fact: { outTradeNo, refundNo, state: 'done', providerState, doneAt: occurredAt },
    }
  }
  return { eventId, occurredAt, kind: 'payment', fact: callbackFact(fields) }
}

function callbackFact(fields: Record<string, string>): PaymentFact {
  try {
    return paymentFact({ ...fields, buyer_user_id: fields.buyer_id }, textOf(fields, 'gmt_payment'))
  } catch (error) {
    if (error instanceof ProviderUnknown) throw new CallbackRejected(error.message)
    throw error
  }
}
