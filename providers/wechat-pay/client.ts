// WeChat Pay APIv3 as a channel of payment: direct merchant or service provider, platform certificates or public key.
// [K] to be confirmed with real credentials: refusals without a signature (the service signs nearly all of them), the
// length of a description counted in bytes, that a number of a Native order cannot be used for JSAPI, error numbers.
import { z } from 'zod'
import {
  type BillLine,
  type CallbackAnswered,
  CallbackRejected,
  type PayChannel,
  type PaymentFact,
  type PayOrder,
  ProviderRefused,
  ProviderUnknown,
  type RefundFact,
  type RefundOrder,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { formatInstant } from '#kit/time.ts'
import { type FundLine, readFundFlowBill, readTradeBill } from './bill.ts'
import { checkKeys } from './check.ts'
import {
  type Merchant,
  merchantFields,
  paymentFactOf,
  Refund,
  readVerifiedCallback,
  refundFactOf,
  Transaction,
} from './facts.ts'
import { makeInApp, type OauthSettings } from './in-app.ts'
import { isCode, makeTransport, readShape, type Transport } from './transport.ts'
import { readApiV3Key, STALE } from './wire.ts'

const DESCRIPTION_MAX_BYTES = 127
const REASON_MAX_BYTES = 80
/** Numbers of the Request-Id that say: already paid. */
const PAID_NUMBERS = ['268449538', '268498689']

export type WechatPaySettings = {
  /** https://api.mch.weixin.qq.com */
  baseUrl: string
  merchant: Merchant
  merchantSerial: string
  merchantKeyPem: string
  /** 32 bytes. */
  apiV3Key: string
  /** WeChat Pay's public key (PUB_KEY_ID_…); null in certificate mode. */
  publicKey: { id: string; pem: string } | null
  /** In certificate mode, and while changing over to the public key. */
  acceptCertificates: boolean
  /** To pay inside WeChat, with the service account of the appid (of spAppid for a service provider). */
  oauth: OauthSettings | null
}

/** A channel that also reads the bill of the merchant's account with WeChat Pay. */
export type WechatPay = PayChannel & { fundFlow(day: string): Promise<FundLine[]> }

type Room = {
  settings: WechatPaySettings
  transport: Transport
}

/** Whatever is not kept comes again; a forged one, and a probe, is no failure of ours. */
const CALLBACK_ANSWERS: Record<CallbackAnswered, { status: number; body: string }> = {
  kept: { status: 200, body: '{"code":"SUCCESS","message":"成功"}' },
  failed: { status: 500, body: '{"code":"FAIL","message":"失败"}' },
  rejected: { status: 401, body: '{"code":"FAIL","message":"验签失败"}' },
}

/**
 * The channel of one merchant. A number ordered by `create` cannot be ordered again by `inApp.pay`, nor for another payer:
 * give each attempt its own. Throws at once where a key cannot be read.
 */
export function makeWechatPay(settings: WechatPaySettings, surroundings: Surroundings): WechatPay {
  const { merchant } = settings
  const apiV3Key = readApiV3Key(settings.apiV3Key)
  const mchid = merchant.kind === 'direct' ? merchant.mchid : merchant.spMchid
  const transport = makeTransport({ ...settings, mchid, apiV3Key }, surroundings)
  const room: Room = { settings, transport }
  const appId = merchant.kind === 'direct' ? merchant.appid : merchant.spAppid
  const placeInApp = (order: PayOrder, openid: string) => placeInAppOrder(room, order, openid)
  return {
    name: 'wechat',
    create: order => create(room, order),
    ...(settings.oauth
      ? { inApp: makeInApp(appId, settings.oauth, surroundings, transport.signer.key, placeInApp) }
      : {}),
    query: outTradeNo => queryPayment(room, outTradeNo),
    close: outTradeNo => closeOrder(room, outTradeNo),
    refund: order => refundPayment(room, order),
    queryRefund: (outTradeNo, refundNo) => queryRefund(room, outTradeNo, refundNo),
    // Rejects with ProviderUnknown where the keys to verify it by cannot be had just now.
    async readCallback(headers, body) {
      const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
      const flaw = await transport.flawOf(name => byName.get(name), body)
      if (flaw)
        throw new CallbackRejected(
          `the callback cannot be verified: ${flaw}`,
          flaw === STALE ? 'stale' : 'signature',
        )
      return readVerifiedCallback(merchant, apiV3Key, body)
    },
    answerCallback: outcome => ({ ...CALLBACK_ANSWERS[outcome], type: 'application/json' }),
    bill: (day): Promise<BillLine[]> =>
      readBill(room, `tradebill?bill_date=${day}&bill_type=ALL`, readTradeBill),
    check: probe =>
      checkKeys(
        {
          query: outTradeNo => queryPayment(room, outTradeNo),
          certificates: () => transport.tryCertificates(),
          create: order => create(room, order),
          close: outTradeNo => closeOrder(room, outTradeNo),
        },
        probe,
      ),
    fundFlow: day => readBill(room, `fundflowbill?bill_date=${day}&account_type=BASIC`, readFundFlowBill),
  }
}

async function create(room: Room, order: PayOrder): Promise<{ codeUrl: string }> {
  const answer = await room.transport.send('POST', `${payPath(room)}/native`, orderBody(room, order))
  const { code_url: codeUrl } = readShape(z.object({ code_url: z.string().min(1) }), answer)
  return { codeUrl }
}

const payPath = ({ settings }: Room) =>
  settings.merchant.kind === 'direct' ? '/v3/pay/transactions' : '/v3/pay/partner/transactions'

function orderBody(room: Room, order: PayOrder): Record<string, unknown> {
  const { merchant } = room.settings
  const apps =
    merchant.kind === 'direct'
      ? { appid: merchant.appid }
      : { sp_appid: merchant.spAppid, ...(merchant.subAppid ? { sub_appid: merchant.subAppid } : {}) }
  return {
    ...apps,
    ...merchantFields(room.settings.merchant),
    description: cut(order.subject, DESCRIPTION_MAX_BYTES),
    out_trade_no: order.outTradeNo,
    time_expire: `${formatInstant(order.expiresAt).replace(' ', 'T')}+08:00`,
    notify_url: order.notifyUrl,
    amount: { total: order.amountFen, currency: 'CNY' },
  }
}

/** The longest beginning of whole characters that fits into so many bytes. */
function cut(text: string, bytesMax: number): string {
  let length = 0
  return Array.from(text)
    .filter(character => {
      length += Buffer.byteLength(character)
      return length <= bytesMax
    })
    .join('')
}

async function placeInAppOrder(room: Room, order: PayOrder, openid: string): Promise<string> {
  const payer = room.settings.merchant.kind === 'direct' ? { openid } : { sp_openid: openid }
  const answer = await room.transport.send('POST', `${payPath(room)}/jsapi`, {
    ...orderBody(room, order),
    payer,
  })
  return readShape(z.object({ prepay_id: z.string().min(1) }), answer).prepay_id
}

async function queryPayment(room: Room, outTradeNo: string): Promise<PaymentFact> {
  const query = new URLSearchParams(merchantFields(room.settings.merchant))
  const path = `${payPath(room)}/out-trade-no/${encodeURIComponent(outTradeNo)}?${query}`
  try {
    const transaction = readShape(Transaction, await room.transport.send('GET', path))
    const fact = paymentFactOf(room.settings.merchant, transaction)
    if (typeof fact === 'string') throw new ProviderUnknown(`the answer ${fact}`)
    if (fact.outTradeNo !== outTradeNo) throw new ProviderUnknown('the answer is about another order')
    return fact
  } catch (error) {
    if (!(error instanceof ProviderRefused && isCode(error.code, 'ORDER_NOT_EXIST'))) throw error
    return {
      outTradeNo,
      state: 'waiting',
      transactionId: null,
      amountFen: null,
      currency: 'CNY',
      paidAt: null,
      payer: null,
      providerState: 'ORDER_NOT_EXIST',
    }
  }
}

async function closeOrder(room: Room, outTradeNo: string): Promise<'closed' | 'paid'> {
  const path = `${payPath(room)}/out-trade-no/${encodeURIComponent(outTradeNo)}/close`
  try {
    await room.transport.send('POST', path, merchantFields(room.settings.merchant))
    return 'closed'
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    if (isCode(error.code, 'ORDER_PAID') || PAID_NUMBERS.includes(error.reference)) return 'paid'
    // Nobody can pay what is closed or was never ordered.
    if (isCode(error.code, 'ORDER_CLOSED', 'ORDER_NOT_EXIST')) return 'closed'
    throw error
  }
}

async function refundPayment(room: Room, order: RefundOrder): Promise<RefundFact> {
  const { merchant } = room.settings
  const answer = await room.transport.send('POST', '/v3/refund/domestic/refunds', {
    ...(merchant.kind === 'partner' ? { sub_mchid: merchant.subMchid } : {}),
    out_trade_no: order.outTradeNo,
    out_refund_no: order.refundNo,
    reason: cut(order.reason, REASON_MAX_BYTES),
    notify_url: order.notifyUrl,
    amount: { refund: order.refundFen, total: order.totalFen, currency: 'CNY' },
  })
  return refundFactOf(readShape(Refund, answer), order.outTradeNo, order.refundNo)
}

async function queryRefund(room: Room, outTradeNo: string, refundNo: string): Promise<RefundFact> {
  const { merchant } = room.settings
  const query = merchant.kind === 'partner' ? `?sub_mchid=${merchant.subMchid}` : ''
  const path = `/v3/refund/domestic/refunds/${encodeURIComponent(refundNo)}${query}`
  try {
    return refundFactOf(readShape(Refund, await room.transport.send('GET', path)), outTradeNo, refundNo)
  } catch (error) {
    if (!(error instanceof ProviderRefused && isCode(error.code, 'RESOURCE_NOT_EXISTS', 'REFUND_NOT_EXIST')))
      throw error
    return { outTradeNo, refundNo, state: 'none', providerState: error.code }
  }
}

async function readBill<L>(room: Room, target: string, read: (file: Buffer) => L[]): Promise<L[]> {
  const { merchant } = room.settings
  const isTradeBill = target.startsWith('tradebill')
  const sub = merchant.kind === 'partner' && isTradeBill ? `&sub_mchid=${merchant.subMchid}` : ''
  try {
    return read(await room.transport.download(await room.transport.send('GET', `/v3/bill/${target}${sub}`)))
  } catch (error) {
    if (error instanceof ProviderRefused && isCode(error.code, 'NO_STATEMENT_EXIST')) return []
    throw error
  }
}
