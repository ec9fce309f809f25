// The simulator's callbacks: trade_status_sync by form, signed with Alipay's key, sent again on the documented schedule (scaled)
// until the receiver answers the seven bytes `success`; and the faults that callbacks suffer.
import { createSign, randomBytes } from 'node:crypto'
import type { Control } from '../simulator.ts'
import {
  BUYER_LOGON_ID,
  type Order,
  type Refund,
  refundedFen,
  type Trade,
  wallClock,
  yuan,
} from './simulator-book.ts'

const MINUTE_MS = 60_000
const RETRY_GAPS_MS = [4, 10, 10, 60, 120, 360, 900].map(minutes => minutes * MINUTE_MS)
const HELD_MS = 60 * MINUTE_MS
const DAY_MS = 86_400_000
const KEPT_MAX = 500

export type Notify = {
  notifyId: string
  outTradeNo: string
  url: string
  fields: Record<string, string>
  attempts: { at: string; answer: string }[]
}
export type Notifier = {
  notify(order: Order, refund: Refund | null): void
  /** Sends a kept one once more, as Alipay's console does; false: there is none. */
  repeat(notifyId: string): boolean
  sent: Notify[]
  stop(): Promise<void>
}
type Parts = { appId: string; sellerId: string; privateKey: string; callbackScale: number; control: Control }

export function makeNotifier(parts: Parts): Notifier {
  const { control, callbackScale } = parts
  const sent: Notify[] = []
  const timers = new Set<NodeJS.Timeout>()
  const pending = new Set<Promise<void>>()
  const stopped = new AbortController()
  let held: Notify | null = null

  const later = (ms: number, work: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, ms)
    timer.unref()
    timers.add(timer)
  }
  const attempt = (notify: Notify, tried: number) => {
    const running = deliver(parts, notify, stopped.signal).then(isKept => {
      pending.delete(running)
      const gapMs = RETRY_GAPS_MS[tried]
      if (!isKept && gapMs !== undefined && !stopped.signal.aborted)
        later(gapMs * callbackScale, () => attempt(notify, tried + 1))
    })
    pending.add(running)
    return running
  }
  const release = () => {
    const notify = held
    held = null
    if (notify) attempt(notify, 0)
  }
  const start = (notify: Notify) => {
    if (control.take('callback-reorder', 'notify')) {
      release()
      held = notify
      // Where nothing follows that could overtake it, it comes all the same.
      later(HELD_MS * callbackScale, () => held === notify && release())
      return
    }
    const overtaking = attempt(notify, 0)
    if (control.take('callback-duplicate', 'notify')) attempt(notify, RETRY_GAPS_MS.length)
    if (held) overtaking.then(release)
  }
  return {
    sent,
    notify(order, refund) {
      if (!order.notifyUrl || !order.trade) return
      const fields = fieldsOf(parts, order, order.trade, refund)
      const { outTradeNo, notifyUrl: url } = order
      const notify = { notifyId: fields.notify_id as string, outTradeNo, url, fields, attempts: [] }
      sent.push(notify)
      if (sent.length > KEPT_MAX) sent.shift()
      const delay = control.take('callback-delay', 'notify')
      later(delay?.ms ?? 0, () => start(notify))
    },
    repeat(notifyId) {
      const notify = sent.find(one => one.notifyId === notifyId)
      if (notify) attempt(notify, RETRY_GAPS_MS.length)
      return notify !== undefined
    },
    async stop() {
      stopped.abort()
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(pending)
    },
  }
}

function fieldsOf(parts: Parts, order: Order, trade: Trade, refund: Refund | null): Record<string, string> {
  const amount = yuan(order.amountFen)
  return {
    notify_type: 'trade_status_sync',
    notify_id: `${wallClock(parts.control.now()).slice(0, 10).replaceAll('-', '')}${randomBytes(13).toString('hex')}`,
    app_id: parts.appId,
    auth_app_id: parts.appId,
    charset: 'utf-8',
    version: '1.0',
    out_trade_no: order.outTradeNo,
    trade_no: trade.tradeNo,
    trade_status: trade.status,
    subject: order.subject,
    total_amount: amount,
    seller_id: parts.sellerId,
    buyer_id: trade.buyerId,
    buyer_logon_id: BUYER_LOGON_ID,
    gmt_create: wallClock(trade.createdAt),
    ...(trade.paidAt && {
      gmt_payment: wallClock(trade.paidAt),
      receipt_amount: amount,
      buyer_pay_amount: amount,
      invoice_amount: amount,
      fund_bill_list: JSON.stringify([{ amount, fundChannel: 'ALIPAYACCOUNT' }]),
    }),
    ...(trade.closedAt && { gmt_close: wallClock(trade.closedAt) }),
    ...(refund && {
      out_biz_no: refund.requestNo,
      refund_fee: yuan(refundedFen(trade)),
      gmt_refund: `${wallClock(refund.at)}.000`,
    }),
  }
}

/** One attempt; true where the receiver kept it. */
async function deliver(parts: Parts, notify: Notify, signal: AbortSignal): Promise<boolean> {
  const { control, privateKey } = parts
  const isStale = control.take('stale-timestamp', 'notify') !== null
  const sentAt = new Date(control.now().getTime() - (isStale ? DAY_MS : 0))
  const fields: Record<string, string> = { ...notify.fields, notify_time: wallClock(sentAt) }
  const text = Object.entries(fields)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(pair => pair.join('='))
    .join('&')
  const isWrong = control.take('wrong-signature', 'notify') !== null
  const sign = createSign('RSA-SHA256')
    .update(isWrong ? `${text} ` : text)
    .sign(privateKey, 'base64')
  const log = (answer: string) => notify.attempts.push({ at: control.now().toISOString(), answer })
  if (control.take('callback-drop', 'notify')) {
    log('dropped')
    return false
  }
  try {
    const response = await fetch(notify.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: new URLSearchParams({ ...fields, sign_type: 'RSA2', sign }).toString(),
      signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)]),
      redirect: 'error',
    })
    const answer = await response.text()
    log(`${response.status} ${answer.slice(0, 100)}`)
    return response.status === 200 && answer === 'success'
  } catch (error) {
    log(`no answer: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}
