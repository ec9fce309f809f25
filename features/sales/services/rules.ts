// Owns the vocabulary, limits, prices and refusals of value-added services and their orders (D1 §3, §4, §6, §8; D2 §3,
// screen 14). Must never read a clock or a database: instants and rows are passed in.
import { type Conditions, type LinePrice, priceLine } from '#features/office/prices/rules.ts'
import type { UndoFacts } from '#features/sales/orders/rules.ts'
import { type MerchantStatus, REFUSALS, type StoreKind } from '#features/shops/merchants/rules.ts'
import { longerBy, mayRenew, type SaleState, type TermEnd, termFrom } from '#features/shops/versions/rules.ts'
import type { Machine } from '#kit/declare/machine.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

/** How a service's price is multiplied: per year of use, or once per piece (an operator seat). */
export const SERVICE_UNITS = { year: '年', piece: '个' } as const
export type ServiceUnit = keyof typeof SERVICE_UNITS

/** sv_order_state: 0 unfinished, 5 recalled, otherwise completed. */
export const SERVICE_ORDER_STATES = {
  unfinished: '未完成',
  completed: '已完成',
  recalled: '已撤销',
} as const
export type ServiceOrderState = keyof typeof SERVICE_ORDER_STATES
export const SERVICE_ORDER_STEPS = {
  undo: { from: ['completed'], to: 'recalled', by: ['settlement.undo', 'settlement.approve'] },
} as const satisfies Machine<ServiceOrderState>

export function undoFactsOf({
  state,
  paidAt,
}: {
  state: ServiceOrderState
  paidAt: string | null
}): UndoFacts {
  return { isPaid: state !== 'unfinished', isUndone: state === 'recalled', paidAt }
}

/** The group whose pieces are operator seats (sv_buyoperatornumber). */
export const OPERATOR_GROUP = 'operators'

/** `renewalDays`: so long before its end a yearly service may be renewed. */
export const LIMITS = { yearsMax: 5, piecesMax: 999, itemsMax: 50, remark: 50, renewalDays: 30 } as const

export const SERVICE_REFUSALS = {
  NOT_OWN_SHOP: '只能为自己的商户购买',
  MERCHANT_DISABLED: REFUSALS.MERCHANT_DISABLED,
  NOTHING_CHOSEN: '请选择增值服务',
  TOO_MANY_CHOSEN: `单次最多购买${LIMITS.itemsMax}项增值服务`,
  CHOSEN_TWICE: '同一增值服务请勿重复选择',
  SERVICE_UNKNOWN: '该增值服务已下架，请刷新后重试',
  HEAD_ONLY: '分店不允许购买操作员',
  ALREADY_ACTIVE: '服务已开通，请勿重复购买',
  YEARS_OUT_OF_RANGE: `购买年限为1至${LIMITS.yearsMax}年`,
  PIECES_OUT_OF_RANGE: `购买数量为1至${LIMITS.piecesMax}个`,
  PIECES_TOO_MANY: `购买后数量不得超过${LIMITS.piecesMax}个`,
  REMARK_TOO_LONG: REFUSALS.REMARK_TOO_LONG,
  PRICE_CHANGED: '价格已变动，请重新确认',
  INSUFFICIENT: '余额不足，请充值',
} as const
export type ServiceRefusal = keyof typeof SERVICE_REFUSALS

/** Why nothing can be bought for this shop by this agent, or null. */
export function refuseShop(
  shop: { agentId: number; status: MerchantStatus },
  buyerAgentId: number,
): 'NOT_OWN_SHOP' | 'MERCHANT_DISABLED' | null {
  if (shop.agentId !== buyerAgentId) return 'NOT_OWN_SHOP'
  return shop.status === 'disabled' ? 'MERCHANT_DISABLED' : null
}

export type SoldService = {
  unit: ServiceUnit
  unitCents: number
  headOnly: boolean
  /** What beside the discount decides the buyer's price; left out: nothing does. */
  conditions?: Conditions
}
/** What a shop has of a service: pieces, or 1 of a yearly one until `expiresAt` (null: without end). */
export type Holding = TermEnd & { quantity: number }
export const NO_HOLDING: Holding = { quantity: 0, expiresAt: null, termDay: null }

export const HOLDING_STATES = { none: '未开通', active: '已开通', expired: '已过期' } as const
export type HoldingState = keyof typeof HOLDING_STATES

export function stateOf(holding: Pick<Holding, 'quantity' | 'expiresAt'>, now: string): HoldingState {
  if (holding.quantity <= 0) return 'none'
  return holding.expiresAt !== null && Date.parse(holding.expiresAt) <= Date.parse(now) ? 'expired' : 'active'
}

/** Whether shops that have it may renew it now, although it is retired. Pieces do not end, so nobody renews them. */
export function isRenewed(service: SaleState & Pick<SoldService, 'unit'>, now: string): boolean {
  return service.unit === 'year' && mayRenew(service, now)
}

/** Why it is not sold to a shop that has so much of it, or null. One whose term ended may still renew it. */
export function refuseSale(
  service: SaleState & Pick<SoldService, 'unit'>,
  holding: Holding,
  now: string,
): 'SERVICE_UNKNOWN' | null {
  if (service.enabled) return null
  return stateOf(holding, now) !== 'none' && isRenewed(service, now) ? null : 'SERVICE_UNKNOWN'
}

/** Why this shop cannot buy this service now, whatever the number; null when it can. */
export function refuseOffer(
  service: SoldService,
  storeKind: StoreKind,
  holding: Holding,
  now: string,
): ServiceRefusal | null {
  if (service.headOnly && storeKind === 'branch') return 'HEAD_ONLY'
  if (service.unit === 'piece') return holding.quantity >= LIMITS.piecesMax ? 'PIECES_TOO_MANY' : null
  if (stateOf(holding, now) !== 'active') return null
  if (holding.expiresAt === null) return 'ALREADY_ACTIVE'
  const left = Date.parse(holding.expiresAt) - Date.parse(now)
  return left > LIMITS.renewalDays * 86_400_000 ? 'ALREADY_ACTIVE' : null
}

/** What is asked for: pieces in `quantity`, or years of a yearly service, whose `quantity` is 1. */
export type Asked = { quantity: number; years: number }

/** First broken limit of the number that is asked for, or null. */
export function refuseAsked(service: SoldService, asked: Asked, holding: Holding): ServiceRefusal | null {
  if (service.unit === 'year') {
    if (!within(asked.years, 1, LIMITS.yearsMax)) return 'YEARS_OUT_OF_RANGE'
    return asked.quantity === 1 ? null : 'PIECES_OUT_OF_RANGE'
  }
  if (!within(asked.quantity, 1, LIMITS.piecesMax)) return 'PIECES_OUT_OF_RANGE'
  return holding.quantity + asked.quantity > LIMITS.piecesMax ? 'PIECES_TOO_MANY' : null
}

/** First broken rule of a whole purchase before its services are looked at, or null. */
export function refuseChoice(items: readonly { serviceId: number }[], remark: string): ServiceRefusal | null {
  if (items.length === 0) return 'NOTHING_CHOSEN'
  if (items.length > LIMITS.itemsMax) return 'TOO_MANY_CHOSEN'
  if (new Set(items.map(item => item.serviceId)).size < items.length) return 'CHOSEN_TWICE'
  return lengthOf(remark) > LIMITS.remark ? 'REMARK_TOO_LONG' : null
}

/** `count`: years or pieces, what the unit price is multiplied by. */
export type ServicePrice = LinePrice & { count: number }

/** Unit price times years or pieces; discount, offers and minimum are the line's (features/office/prices). */
export function priceOf(service: SoldService, asked: Asked, discountBasisPoints: number): ServicePrice {
  const count = service.unit === 'year' ? asked.years : asked.quantity
  const line = { part: 'unit', unitCents: service.unitCents, count }
  return { count, ...priceLine(line, discountBasisPoints, service.conditions) }
}

/** What the shop has after the purchase: pieces add up, years begin at the present end, or now where it has passed. */
export function holdingAfter(service: SoldService, asked: Asked, holding: Holding, now: string): Holding {
  if (service.unit === 'piece') return { ...holding, quantity: holding.quantity + asked.quantity }
  const { expiresAt, termDay } = holding
  const months = asked.years * 12
  if (stateOf(holding, now) !== 'active' || expiresAt === null)
    return { quantity: 1, ...termFrom(now, months) }
  return { quantity: 1, ...longerBy(months, { expiresAt, termDay }) }
}

function within(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most
}
