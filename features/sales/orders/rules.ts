// Owns the vocabulary of version orders (D2 §3, §9). A quote is an order that is not paid yet.
import type { TermEnd } from '#features/shops/versions/rules.ts'
import type { Machine } from '#kit/declare/machine.ts'
import { setting } from '#kit/declare/settings.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

export const SALES_TYPES = { new: '新增', renew: '续费', upgrade: '升级' } as const
export type SalesType = keyof typeof SALES_TYPES
export const SALES_TYPE_KEYS = Object.keys(SALES_TYPES) as SalesType[]

/** What is never confirmed is deleted: by hand, by a new batch, or after a day. */
export const ORDER_STATUSES = { quoted: '待支付', paid: '已支付', recycled: '已撤销' } as const
export type OrderStatus = keyof typeof ORDER_STATUSES
export const ORDER_STATUS_KEYS = Object.keys(ORDER_STATUSES) as OrderStatus[]
export const ORDER_STEPS = {
  pay: { from: ['quoted'], to: 'paid', by: ['selling.add', 'purchases.buy', 'purchases.bulk'] },
  undo: {
    from: ['paid'],
    to: 'recycled',
    by: ['settlement.undo', 'settlement.approve', 'aftersales.cancel'],
  },
} as const satisfies Machine<OrderStatus>

/** A quote can be confirmed for this long. */
export const QUOTE_VALID_MS = 24 * 3_600_000
/** So many of one account can wait to be confirmed, batches aside. */
export const OPEN_QUOTES_MAX = 500

export const ORDER_REFUSALS = {
  QUOTE_STALE: '价格已变动，请重新确认',
  QUOTE_UNKNOWN: '下单失败！请刷新后重试',
  QUOTE_USED: '该订单已完成，请勿重复提交',
  TOO_MANY_OPEN: `待支付的订单已有${OPEN_QUOTES_MAX}个，请先支付，或在版本订单中作废不需要的`,
} as const

/** How long the account must wait that has so many open quotes, of which the oldest was made then; null where it need not. */
export function secondsToQuote(open: number, oldest: string | null, now: string): number | null {
  if (open < OPEN_QUOTES_MAX || oldest === null) return null
  return Math.max(1, Math.ceil((Date.parse(oldest) + QUOTE_VALID_MS - Date.parse(now)) / 1_000))
}

/** An order can be undone for this long after it was paid (D3 §9). */
export const UNDO_DAYS = setting({
  key: 'undo-days',
  group: '撤销',
  label: '撤销期限',
  unit: '天',
  initial: 15,
  min: 1,
  max: 90,
  hint: '自支付之日起，版本、增值和短信订单可以撤销的天数',
})
export const UNDO_REASON_MAX = 50

export const UNDO_REFUSALS = {
  UNDO_UNKNOWN: '订单不存在或已被删除',
  UNDO_NOT_PAID: '订单未支付，无需撤销',
  UNDO_DONE: '该订单已撤销，请勿重复操作',
  UNDO_TOO_LATE: `订单支付已超过${UNDO_DAYS.initial}天，不能撤销`,
  UNDO_MOVED: '商户已转至其他服务商，不能撤销',
  UNDO_NOT_LAST: '该商户之后还有订单，请先撤销之后的订单',
  UNDO_CHANGED: '商户的版本在购买后已调整，不能撤销',
  UNDO_HAS_BRANCHES: '请先解除连锁关联，再撤销该订单',
  UNDO_REASON_REQUIRED: '请输入撤销原因',
  UNDO_REASON_TOO_LONG: `撤销原因不得超过${UNDO_REASON_MAX}字`,
  SMS_SPENT: '短信已使用，不能撤销',
  SMS_RECALL_FINAL: '短信回收订单不能撤销',
} as const
export type UndoRefusal = keyof typeof UNDO_REFUSALS

export type UndoFacts = { isPaid: boolean; isUndone: boolean; paidAt: string | null }

/** The refusals with the days that hold. */
export function undoMessages(days: number): Record<UndoRefusal, string> {
  return { ...UNDO_REFUSALS, UNDO_TOO_LATE: `订单支付已超过${days}天，不能撤销` }
}

/** First reason why an order cannot be undone now, from what the order alone knows; instants are ISO texts. */
export function refuseUndo(order: UndoFacts, now: string, days: number): UndoRefusal | null {
  if (order.isUndone) return 'UNDO_DONE'
  if (!order.isPaid || order.paidAt === null) return 'UNDO_NOT_PAID'
  const age = new Date(now).getTime() - new Date(order.paidAt).getTime()
  return age > days * 86_400_000 ? 'UNDO_TOO_LATE' : null
}

/** What a list says of an order's undo: why it would be refused, or null. */
export type UndoOffer = { refusal: string | null }

/** From what the order alone knows; whether its shop still holds what it brought, the undo itself looks at. */
export function undoOfferOf(facts: UndoFacts, now: string, days: number): UndoOffer {
  const code = refuseUndo(facts, now, days)
  return { refusal: code && undoMessages(days)[code] }
}

/** What an undo gives back and takes away, shown before it is done. Tokens in 1/100, SMS in pieces. */
export type UndoPreview = {
  orderNo: string
  agentId: number
  merchantId: number | null
  shopName: string
  content: string
  paidAt: string | null
  tokensBackCents: number
  /** SMS credit that returns to the agent. */
  smsBack: number
  /** SMS credit of the order that the shop has already used; it does not return. */
  smsSpent: number
  shops: {
    merchantId: number
    shopName: string
    /** Whole days that the term becomes shorter; null where it is or was permanent. */
    daysRemoved: number | null
    expiresNow: string | null
    expiresThen: string | null
    versionNow: string
    versionThen: string
  }[]
  refusal: { code: UndoRefusal; message: string } | null
  /** What stays as it is, and why. */
  notes: string[]
}

/** A search by a shop's name looks at the orders of at most so many shops. */
export const SHOPS_SEARCHED = 2_000
/** What a list of orders says where `shopsCapped` is answered. */
export const SHOPS_CAPPED_TEXT = '匹配的商户超过2,000家，仅列出其中2,000家的订单，请输入更完整的名称'

/** What a paid order changed at one shop; instants are ISO texts, null is permanent. */
export type ShopEffect = {
  merchantId: number
  versionBefore: number
  versionAfter: number
  expiresBefore: string | null
  expiresAfter: string | null
  /** The day of the month that the term keeps; null: that of its end. */
  termDayBefore: number | null
  termDayAfter: number | null
  shopsBefore: number
  shopsAfter: number
}

/**
 * The terms of a shop once an order's effect is taken back: version, shops and the day that its term keeps as before it, and its days
 * off the present expiry, so that days given in between stay.
 */
export function termsWithout(
  effect: ShopEffect,
  present: TermEnd,
): TermEnd & { versionId: number; shopsBought: number } {
  return {
    versionId: effect.versionBefore,
    expiresAt: expiryWithout(effect, present.expiresAt),
    // What was bought before days were remembered says neither.
    termDay: effect.termDayAfter === null ? (effect.termDayBefore ?? present.termDay) : effect.termDayBefore,
    shopsBought: effect.shopsBefore,
  }
}

function expiryWithout({ expiresBefore, expiresAfter }: ShopEffect, present: string | null): string | null {
  if (expiresAfter === null) return present === null ? expiresBefore : present
  if (expiresBefore === null || present === null) return present
  const added = new Date(expiresAfter).getTime() - new Date(expiresBefore).getTime()
  return new Date(new Date(present).getTime() - added).toISOString()
}

/** First reason why this cannot stand as the reason of an undo, or null. */
export function refuseUndoReason(reason: string): UndoRefusal | null {
  if (reason.trim() === '') return 'UNDO_REASON_REQUIRED'
  return lengthOf(reason) > UNDO_REASON_MAX ? 'UNDO_REASON_TOO_LONG' : null
}

/**
 * What an order is about, where its shop is named beside it: without the name. A name that the shop no longer has stays, and the
 * whole text where no shop is named.
 */
export function contentBeside(content: string, shopName: string | null): string {
  return shopName ? content.replaceAll(` ${shopName} `, ' ') : content
}

export const REMARK_MAX = 50
/** The button of the remark's form cannot be pressed again for so long (D2 §5). */
export const REMARK_LOCK_MS = 3_000
export const REMARK_REFUSALS = {
  REMARK_REQUIRED: '请输入备注',
  REMARK_TOO_LONG: `备注不得超过${REMARK_MAX}字`,
} as const
export type RemarkRefusal = keyof typeof REMARK_REFUSALS

/** Why an order cannot get this remark, or null. */
export function refuseOrderRemark(remark: string): RemarkRefusal | null {
  const length = lengthOf(remark)
  if (length === 0) return 'REMARK_REQUIRED'
  return length > REMARK_MAX ? 'REMARK_TOO_LONG' : null
}

export const DISCARD_REFUSALS = {
  DISCARD_NOT_QUOTED: '只能作废待支付订单',
  DISCARD_OF_BATCH: '批量续费的订单不能单独作废',
} as const
export type DiscardRefusal = keyof typeof DISCARD_REFUSALS

/** Why an order cannot be discarded, or null. */
export function refuseDiscard(order: { status: OrderStatus; batchNo: string | null }): DiscardRefusal | null {
  if (order.status !== 'quoted') return 'DISCARD_NOT_QUOTED'
  return order.batchNo === null ? null : 'DISCARD_OF_BATCH'
}

/** People offered in the operator filter (D2 §9). */
export const ACTORS_MAX = 100
