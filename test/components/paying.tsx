// Payments from outside as the page sees them: what was ordered, and a phone that pays it.
import { screen } from '@testing-library/react'
import { payments } from '#features/sales/payments/contract.ts'
import type { Out } from '#kit/declare/op.ts'
import { answer, refusal } from './answers.tsx'

type Shown = Out<typeof payments.startTokens>
type Order = {
  queryId: string
  asset: 'token' | 'sms'
  amount: number
  state: 'waiting' | 'paid' | 'expired'
}

const ADDRESS = 'http://office.test/pay/'
/** Fen for a token, and for a hundred pieces. */
const [TOKEN_FEN, HUNDRED_SMS_FEN] = [97, 333]

let lastId = 0

/** From now on orders are taken; they are paid where the test says so, or at once. `drawnForSeconds`: until a code is drawn anew, at first. */
export function takePayments({ atOnce = false, drawnForSeconds = 30 } = {}) {
  const orders: Order[] = []
  const refreshed: string[] = []
  let credited: (order: Order) => void = () => undefined
  const settle = (order: Order) => {
    order.state = 'paid'
    credited(order)
  }
  const start = (asset: Order['asset'], amount: number): Shown => {
    const queryId = String(++lastId).padStart(22, '1')
    const order: Order = { queryId, asset, amount, state: 'waiting' }
    orders.push(order)
    if (atOnce) settle(order)
    return shown(order, drawnForSeconds)
  }
  const find = (queryId: string) => orders.find(order => order.queryId === queryId)
  answer(payments.startTokens, ({ tokenCents }) => start('token', tokenCents ?? 0))
  answer(payments.startSms, ({ pieces }) => start('sms', pieces ?? 0))
  answer(payments.result, ({ queryId }) => {
    const { state } = find(queryId) as Order
    return {
      action: state === 'paid' ? (1 as const) : state === 'expired' ? (-1 as const) : (0 as const),
      status: state === 'paid' ? (1 as const) : (0 as const),
      msg: state === 'expired' ? '订单已失效' : '',
      state,
      remainingSeconds: 600,
      codeUrl: null,
      askedAt: null,
    }
  })
  // What an earlier test ordered has ended.
  answer(payments.refresh, ({ queryId }) => {
    const order = find(queryId)
    if (order?.state !== 'waiting') throw refusal(payments.refresh, 'ORDER_ENDED')
    refreshed.push(queryId)
    return shown(order)
  })
  return {
    orders,
    /** What was shown anew. */
    refreshed,
    /** What is credited changes the balances that the test answers with. */
    onCredited: (listener: (order: Order) => void) => {
      credited = listener
    },
    /** The phone pays the order that came last. */
    pay: () => settle(orders.at(-1) as Order),
  }
}

function shown({ queryId, asset, amount }: Order, expired = 30): Shown {
  return {
    queryId,
    orderNo: queryId,
    subject: asset === 'sms' ? '短信充值' : '代币充值',
    amountFen: Math.ceil((amount * (asset === 'sms' ? HUNDRED_SMS_FEN : TOKEN_FEN)) / 100),
    payUrl: `${ADDRESS}${queryId}`,
    expired,
    expiresAt: '2026-11-28T10:00:00Z',
    remainingSeconds: 600,
    channels: ['wechat', 'alipay'],
    mode: 'both',
    codeUrl: null,
    phoneUrl: null,
  }
}

export const offer = (text: string) => screen.findByRole('button', { name: `扫码补足 ${text}` })
export const noOffer = () => screen.queryByRole('button', { name: /^扫码补足/ })
export const qr = () => screen.findByRole('img', { name: /扫码支付/ })
