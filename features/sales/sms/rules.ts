// Owns the vocabulary, limits and refusals of SMS packages sold to shops, of their recall and of their orders
// (D1 §3, §4, §7; D2 §3, §4, §5, §8). Must never read a clock or a database.
import { UNDO_REFUSALS, type UndoFacts } from '#features/sales/orders/rules.ts'
import { SERVICE_REFUSALS } from '#features/sales/services/rules.ts'
import { type MerchantStatus, REFUSALS } from '#features/shops/merchants/rules.ts'
import { CODE_REFUSALS, refuseTypedCode } from '#features/shops/messages/rules.ts'
import type { Machine } from '#kit/declare/machine.ts'
import { formatCount } from '#kit/money.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

/**
 * sms_mealstatus: 1 awaiting payment, 4 revoked, any other completed. ended: its payment's time is over and nobody paid
 * (您的订单已过期失效); it is never stored, since a late payment still completes the order. given: a gift, stored as paid. refunded: a recharge, stored as
 * recycled.
 */
export const SMS_ORDER_STATUSES = {
  quoted: '待支付',
  ended: '已失效',
  paid: '已完成',
  given: '已赠送',
  recycled: '已撤销',
  refunded: '已退款',
} as const
export type SmsOrderStatus = keyof typeof SMS_ORDER_STATUSES
export type StoredSmsStatus = Exclude<SmsOrderStatus, 'ended' | 'given' | 'refunded'>
/** Only a recharge waits for its payment; everything else is paid when it is written. */
export const SMS_ORDER_STEPS = {
  pay: { from: ['quoted'], to: 'paid', by: ['provider'] },
  undo: { from: ['paid'], to: 'recycled', by: ['settlement.undo', 'settlement.approve'] },
  refund: { from: ['paid'], to: 'recycled', by: ['paymentDesk.refund'] },
} as const satisfies Machine<StoredSmsStatus>

/** recharge: an agent's own credit, paid from outside. gift: an agent's credit handed to a shop for nothing. */
export const SMS_ORDER_KINDS = {
  package: '短信包',
  recharge: '短信充值',
  gift: '赠送短信',
  recall: '短信回收',
} as const
export type SmsOrderKind = keyof typeof SMS_ORDER_KINDS

/** What took credit away again: a recall from the shop, the undo of an order, or the refund of a recharge (D2 §2, screen 15). */
export const SMS_CHANGE_KINDS = { withdrawn: '订单撤销', recalled: '短信回收', refunded: '充值退款' } as const
export type SmsChangeKind = keyof typeof SMS_CHANGE_KINDS

export const LIMITS = { remark: 50, giftMax: 1_000_000 } as const

export const SMS_REFUSALS = {
  NOT_OWN_SHOP: SERVICE_REFUSALS.NOT_OWN_SHOP,
  MERCHANT_DISABLED: REFUSALS.MERCHANT_DISABLED,
  PACKAGE_UNKNOWN: '该短信包已下架，请刷新后重试',
  REMARK_TOO_LONG: REFUSALS.REMARK_TOO_LONG,
  PRICE_CHANGED: SERVICE_REFUSALS.PRICE_CHANGED,
  INSUFFICIENT: SERVICE_REFUSALS.INSUFFICIENT,
  GIFT_REQUIRED: '请输入赠送条数',
  GIFT_TOO_MANY: `单次赠送不得超过${formatCount(LIMITS.giftMax)}条`,
  GIFT_SHORT: '短信余额不足，请充值',
  RECALL_NOT_OWN: '只能回收自己商户的短信',
  RECALL_EMPTY: '商户没有可回收的短信',
  RECALL_TOO_FEW: '回收条数最少为1',
  RECALL_TOO_MANY: '回收条数不得超过商户短信余额',
  ...CODE_REFUSALS,
  SMS_SPENT: UNDO_REFUSALS.SMS_SPENT,
  SMS_RECALL_FINAL: UNDO_REFUSALS.SMS_RECALL_FINAL,
} as const
export type SmsRefusal = keyof typeof SMS_REFUSALS

/** What a page says where a recall failed without a reason of its own (D2 §8). */
export const RECALL_FAILED = '操作失败'

export function refuseRemark(remark: string): SmsRefusal | null {
  return lengthOf(remark) > LIMITS.remark ? 'REMARK_TOO_LONG' : null
}

/** First broken rule of a gift, or null. `held`: the agent's own pieces. */
export function refuseGift(
  gift: { pieces: number; remark: string },
  held: number,
): 'GIFT_REQUIRED' | 'GIFT_TOO_MANY' | 'GIFT_SHORT' | 'REMARK_TOO_LONG' | null {
  if (!Number.isSafeInteger(gift.pieces) || gift.pieces < 1) return 'GIFT_REQUIRED'
  if (gift.pieces > LIMITS.giftMax) return 'GIFT_TOO_MANY'
  if (lengthOf(gift.remark) > LIMITS.remark) return 'REMARK_TOO_LONG'
  return gift.pieces > held ? 'GIFT_SHORT' : null
}

/** Why nothing can be recalled from this shop by this agent, whatever it holds; null when something can. */
export function refuseRecallFrom(
  shop: { agentId: number; status: MerchantStatus },
  agentId: number,
): 'RECALL_NOT_OWN' | 'MERCHANT_DISABLED' | null {
  if (shop.agentId !== agentId) return 'RECALL_NOT_OWN'
  return shop.status === 'disabled' ? 'MERCHANT_DISABLED' : null
}

/** First broken rule of a recall of credit, or null. `credit`: the pieces that the shop holds. */
export function refuseRecall(
  recall: { pieces: number; code: string },
  shop: { credit: number; needsRecoveryCode: boolean },
): SmsRefusal | null {
  if (shop.credit === 0) return 'RECALL_EMPTY'
  if (!Number.isSafeInteger(recall.pieces) || recall.pieces < 1) return 'RECALL_TOO_FEW'
  if (recall.pieces > shop.credit) return 'RECALL_TOO_MANY'
  return shop.needsRecoveryCode ? refuseTypedCode('recovery', recall.code) : null
}

/** Kinds whose undo lists offer; a recharge has its refund, and a recall is final. */
export function hasUndo(kind: SmsOrderKind): boolean {
  return kind === 'package' || kind === 'gift'
}

export function undoFactsOf({
  status,
  paidAt,
}: {
  status: SmsOrderStatus
  paidAt: string | null
}): UndoFacts {
  return {
    isPaid: !['quoted', 'ended'].includes(status),
    isUndone: ['recycled', 'refunded'].includes(status),
    paidAt,
  }
}

/** Why an order of SMS cannot be undone for what it is, before its age and state are looked at; null when it can. */
export function refuseSmsUndo(order: {
  kind: SmsOrderKind
  status: StoredSmsStatus
  pieces: number
  /** Pieces that the shop holds now. */
  credit: number
}): 'SMS_SPENT' | 'SMS_RECALL_FINAL' | null {
  if (!hasUndo(order.kind)) return 'SMS_RECALL_FINAL'
  return order.status === 'paid' && order.credit < order.pieces ? 'SMS_SPENT' : null
}
