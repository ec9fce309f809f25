// What WeChat Pay's answers and callbacks say, in the product's words.
// Must never pass on what is about another merchant, or a state that the documents do not name.
import { z } from 'zod'
import {
  CallbackRejected,
  type PayCallback,
  type PaymentFact,
  type PaymentState,
  ProviderUnknown,
  type RefundFact,
} from '#kit/ports/providers.ts'
import { decryptResource } from './wire.ts'

export type Merchant =
  | { kind: 'direct'; mchid: string; appid: string }
  | { kind: 'partner'; spMchid: string; spAppid: string; subMchid: string; subAppid: string | null }

export const Transaction = z.object({
  appid: z.string().optional(),
  mchid: z.string().optional(),
  sp_appid: z.string().optional(),
  sp_mchid: z.string().optional(),
  sub_mchid: z.string().optional(),
  out_trade_no: z.string(),
  transaction_id: z.string().optional(),
  trade_state: z.string(),
  success_time: z.string().optional(),
  payer: z.object({ openid: z.string().optional(), sp_openid: z.string().optional() }).nullish(),
  amount: z.object({ total: z.number().int(), currency: z.string().optional() }).nullish(),
})
export const Refund = z.object({
  out_trade_no: z.string(),
  out_refund_no: z.string(),
  status: z.string(),
  success_time: z.string().optional(),
})
const RefundResource = z.object({
  mchid: z.string().optional(),
  sp_mchid: z.string().optional(),
  sub_mchid: z.string().optional(),
  out_trade_no: z.string(),
  out_refund_no: z.string(),
  refund_status: z.string(),
  success_time: z.string().optional(),
})
const Notice = z.object({
  id: z.string().min(1),
  create_time: z.string(),
  event_type: z.string(),
  resource: z.object({
    algorithm: z.string(),
    ciphertext: z.string(),
    associated_data: z.string().default(''),
    nonce: z.string(),
  }),
})
const STATES: Record<string, PaymentState> = {
  SUCCESS: 'paid',
  REFUND: 'refunded',
  NOTPAY: 'waiting',
  USERPAYING: 'waiting',
  ACCEPT: 'waiting',
  CLOSED: 'closed',
  REVOKED: 'closed',
  PAYERROR: 'failed',
}
const REFUND_STATES: Record<string, RefundFact['state']> = {
  SUCCESS: 'done',
  PROCESSING: 'processing',
  CLOSED: 'failed',
  ABNORMAL: 'failed',
}

/** Names the merchant the way each interface wants it. */
export function merchantFields(merchant: Merchant): Record<string, string> {
  return merchant.kind === 'direct'
    ? { mchid: merchant.mchid }
    : { sp_mchid: merchant.spMchid, sub_mchid: merchant.subMchid }
}

/** What a transaction says, or why it says nothing to us. */
export function paymentFactOf(
  merchant: Merchant,
  transaction: z.infer<typeof Transaction>,
): PaymentFact | string {
  const isOurs =
    merchant.kind === 'direct'
      ? transaction.mchid === merchant.mchid && transaction.appid === merchant.appid
      : transaction.sp_mchid === merchant.spMchid &&
        transaction.sub_mchid === merchant.subMchid &&
        transaction.sp_appid === merchant.spAppid
  if (!isOurs) return 'is about another merchant'
  const state = STATES[transaction.trade_state]
  if (!state) return `names the unknown state ${transaction.trade_state}`
  const wasPaid = state === 'paid' || state === 'refunded'
  if (wasPaid && !(transaction.amount && transaction.transaction_id)) return 'is paid and names no amount'
  const paidAt = transaction.success_time ? new Date(transaction.success_time) : null
  return {
    outTradeNo: transaction.out_trade_no,
    state,
    transactionId: transaction.transaction_id || null,
    amountFen: transaction.amount?.total ?? null,
    currency: transaction.amount?.currency ?? 'CNY',
    paidAt: paidAt && !Number.isNaN(paidAt.getTime()) ? paidAt.toISOString() : null,
    payer: transaction.payer?.openid ?? transaction.payer?.sp_openid ?? null,
    providerState: transaction.trade_state,
  }
}

export function refundFactOf(
  refund: z.infer<typeof Refund>,
  outTradeNo: string,
  refundNo: string,
): RefundFact {
  const state = REFUND_STATES[refund.status]
  if (!state) throw new ProviderUnknown(`the answer names the unknown state ${refund.status}`)
  if (refund.out_trade_no !== outTradeNo || refund.out_refund_no !== refundNo)
    throw new ProviderUnknown('the answer is about another refund')
  return { outTradeNo, refundNo, state, providerState: refund.status, doneAt: instantOf(refund.success_time) }
}

function instantOf(text: string | undefined): string | undefined {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** Reads a callback whose signature has been verified. */
export function readVerifiedCallback(merchant: Merchant, apiV3Key: Buffer, body: Buffer): PayCallback {
  const notice = readNotice(Notice, () => JSON.parse(body.toString()))
  const resource = () => JSON.parse(decryptResource(apiV3Key, notice.resource)) as unknown
  const createdAt = new Date(notice.create_time)
  if (Number.isNaN(createdAt.getTime())) throw new CallbackRejected('the callback has no time')
  const event = { eventId: notice.id, occurredAt: createdAt.toISOString() }
  if (notice.event_type === 'TRANSACTION.SUCCESS') {
    const fact = paymentFactOf(merchant, readNotice(Transaction, resource))
    if (typeof fact === 'string') throw new CallbackRejected(`the callback ${fact}`)
    return { ...event, kind: 'payment', fact }
  }
  if (/^REFUND\.(SUCCESS|ABNORMAL|CLOSED)$/.test(notice.event_type)) {
    const refund = readNotice(RefundResource, resource)
    const isOurs = Object.entries(merchantFields(merchant)).every(
      ([name, value]) => refund[name as 'mchid' | 'sp_mchid' | 'sub_mchid'] === value,
    )
    const state = REFUND_STATES[refund.refund_status]
    if (!isOurs || !state) throw new CallbackRejected('the callback is about another merchant or state')
    const fact = {
      outTradeNo: refund.out_trade_no,
      refundNo: refund.out_refund_no,
      state,
      providerState: refund.refund_status,
      doneAt: instantOf(refund.success_time),
    }
    return { ...event, kind: 'refund', fact }
  }
  throw new CallbackRejected(`the callback is about ${notice.event_type}`)
}

function readNotice<S extends z.ZodType>(shape: S, read: () => unknown): z.infer<S> {
  try {
    return shape.parse(read())
  } catch (error) {
    throw new CallbackRejected(`the callback cannot be read: ${error instanceof Error ? error.message : ''}`)
  }
}
