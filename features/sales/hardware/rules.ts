// Owns hardware (D2 §2 screen 13, §3, §4): delivery states and their steps, limits of products, cart and orders, messages.
// Must never read a clock or a database.
import { type Conditions, type LinePrice, priceLine } from '#features/office/prices/rules.ts'
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { cleanCode, cleanPhone } from '#kit/words/cleaned.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'
import { isPlainText } from '#kit/words/plain-text.ts'

/** sv_delivery_status 0 to 5; what was cancelled before it was sent has no number there. */
export const DELIVERY_STATUSES = {
  awaitingPayment: '待付款',
  awaitingShipment: '待发货',
  shipped: '已发货',
  received: '已收货',
  returned: '已退货',
  cancelled: '已取消',
  complete: '交易完成',
} as const
export type DeliveryStatus = keyof typeof DELIVERY_STATUSES
export const DELIVERY_STATUS_KEYS = Object.keys(DELIVERY_STATUSES) as DeliveryStatus[]
/** What is no sale: not yet paid, or given back. */
export const UNSOLD_STATUSES = [
  'awaitingPayment',
  'returned',
  'cancelled',
] as const satisfies readonly DeliveryStatus[]
/** An order is paid in the moment in which it is written. */
export const DELIVERY_STEPS = {
  pay: { from: ['awaitingPayment'], to: 'awaitingShipment', by: ['hardware.shop'] },
  ship: { from: ['awaitingShipment'], to: 'shipped', by: ['hardware.ship'] },
  receive: { from: ['shipped'], to: 'received', by: ['hardware.receive'] },
  cancel: { from: ['awaitingShipment'], to: 'cancelled', by: ['hardware.shop', 'hardware.ship'] },
  return: { from: ['shipped', 'received'], to: 'returned', by: ['hardware.ship'] },
  complete: { from: ['received'], to: 'complete', by: ['hardware.ship', 'program'] },
} as const satisfies Machine<DeliveryStatus>
export type DeliveryAction = keyof typeof DELIVERY_STEPS

/** How goods came back: only sound ones can be sold again. */
export const RETURN_CONDITIONS = { sound: '完好', defective: '有损坏' } as const
export type ReturnCondition = keyof typeof RETURN_CONDITIONS

/** What was received can be returned this long; then the order completes by itself. */
export const RETURN_DAYS = 15
/** Shortcuts of the date filter (D2 §9). */
export const DATE_PRESET_DAYS = [7, 15, 30] as const

export const LIMITS = {
  productName: 30,
  model: 30,
  description: 200,
  unitCentsMax: 100_000_000,
  stockMax: 999_999,
  positionMax: 9_999,
  cartLines: 50,
  quantityMax: 999,
  contactName: 20,
  address: 100,
  remark: 50,
  carrier: 20,
  trackingNo: 40,
  reason: 50,
} as const

export const PRODUCT_REFUSALS = {
  STOCK_FORMAT: `库存须为0至${formatCount(LIMITS.stockMax)}的整数`,
  PICTURE_UNKNOWN: '图片已失效，请重新上传',
  STOCK_CHANGE_REQUIRED: '请输入要增加或减少的数量',
  STOCK_MOVED: '库存已变动，请重新确认',
} as const

export const ONE_PICTURE = '只能上传一张商品图片'

export const ORDER_REFUSALS = {
  QUANTITY_FORMAT: `数量须为1至${LIMITS.quantityMax}的整数`,
  CART_FULL: `购物车最多放${LIMITS.cartLines}种商品`,
  CART_EMPTY: '购物车是空的，请先选择商品',
  PRODUCT_OFF_SALE: '商品已下架',
  OUT_OF_STOCK: '库存不足',
  PRICE_CHANGED: '价格已变动，请重新确认',
  CONTACT_SYMBOLS: '联系人请勿输入特殊字符',
  PHONE_FORMAT: '请输入正确的手机号',
  DIVISION_REQUIRED: '请选择省市区',
  SHOP_UNKNOWN: '该商户不存在或已调整，请重新选择',
} as const

export const STEP_REFUSALS = {
  ORDER_UNPAID: '订单尚未付款',
  ORDER_NOT_SHIPPED: '订单尚未发货',
  ORDER_NOT_RECEIVED: '订单尚未确认收货',
  ORDER_SHIPPED: '订单已发货，请勿重复操作',
  ORDER_RECEIVED: '订单已确认收货，请勿重复操作',
  ORDER_RETURNED: '订单已退货，请勿重复操作',
  ORDER_CANCELLED: '订单已取消，请勿重复操作',
  ORDER_COMPLETE: '订单交易已完成，不能再操作',
  RETURN_TOO_LATE: `确认收货已超过${RETURN_DAYS}天，不能退货`,
  CANCEL_TOO_LATE: '商品已发出，不能取消，退货请联系客服',
  RECEIVER_ONLY: '请由下单的代理商确认收货',
  TRACKING_FORMAT: `物流单号只能是字母、数字和横线，最多${LIMITS.trackingNo}位`,
} as const

export const REFUSALS = { ...PRODUCT_REFUSALS, ...ORDER_REFUSALS, ...STEP_REFUSALS } as const
export type HardwareRefusal = keyof typeof REFUSALS

/** A product at its buyer's price. */
export type Offered = { unitCents: number; discountBasisPoints: number; conditions: Conditions }

/** Discount, offers and minimum are the line's (features/office/prices). */
export function priceOf(
  { unitCents, discountBasisPoints, conditions }: Offered,
  quantity: number,
): LinePrice {
  return priceLine({ part: 'unit', unitCents, count: quantity }, discountBasisPoints, conditions)
}

/** Why the stock cannot become so by a stock-taking, or null. */
export function refuseStockChange(stockBefore: number, change: number): HardwareRefusal | null {
  if (change === 0) return 'STOCK_CHANGE_REQUIRED'
  return isWithin(stockBefore + change, 0, LIMITS.stockMax) ? null : 'STOCK_FORMAT'
}

export function refuseQuantity(quantity: number): HardwareRefusal | null {
  return isWithin(quantity, 1, LIMITS.quantityMax) ? null : 'QUANTITY_FORMAT'
}

/** Why so many pieces of this product cannot be ordered now, or null. */
export function refuseLine(
  product: { enabled: boolean; stock: number },
  quantity: number,
): HardwareRefusal | null {
  if (!product.enabled) return 'PRODUCT_OFF_SALE'
  return product.stock < quantity ? 'OUT_OF_STOCK' : null
}

export type Stage = { deliveryStatus: DeliveryStatus; receivedAt: string | null }

/** Why this step cannot be taken from where the order stands, or null; instants are ISO texts. */
export function refuseStep(stage: Stage, action: DeliveryAction, now: string): HardwareRefusal | null {
  const { deliveryStatus: status, receivedAt } = stage
  if (nextState(DELIVERY_STEPS, status, action) !== null) {
    if (action !== 'return' || status !== 'received' || receivedAt === null) return null
    const age = new Date(now).getTime() - new Date(receivedAt).getTime()
    return age > RETURN_DAYS * 86_400_000 ? 'RETURN_TOO_LATE' : null
  }
  switch (status) {
    case 'awaitingPayment':
      return 'ORDER_UNPAID'
    case 'awaitingShipment':
      return 'ORDER_NOT_SHIPPED'
    case 'shipped':
      return action === 'complete' ? 'ORDER_NOT_RECEIVED' : 'ORDER_SHIPPED'
    case 'received':
      return 'ORDER_RECEIVED'
    case 'returned':
      return 'ORDER_RETURNED'
    case 'cancelled':
      return 'ORDER_CANCELLED'
    case 'complete':
      return 'ORDER_COMPLETE'
  }
}

/** Why the order cannot be taken back by whoever placed it: that ends when it is sent. */
export function refuseCancel(stage: Stage, now: string): HardwareRefusal | null {
  const { deliveryStatus: status } = stage
  return status === 'shipped' || status === 'received' ? 'CANCEL_TOO_LATE' : refuseStep(stage, 'cancel', now)
}

/** Why this agent cannot say that the goods arrived, or null. */
export function refuseReceive(
  stage: Stage & { agentId: number },
  actor: { agentId: number },
  now: string,
): HardwareRefusal | null {
  return refuseStep(stage, 'receive', now) ?? (stage.agentId === actor.agentId ? null : 'RECEIVER_ONLY')
}

export function refuseContactName(contactName: string): HardwareRefusal | null {
  return isPlainText(contactName) ? null : 'CONTACT_SYMBOLS'
}

export function refusePhone(contactPhone: string): HardwareRefusal | null {
  return isMainlandMobile(cleanPhone(contactPhone)) ? null : 'PHONE_FORMAT'
}

export function refuseTrackingNo(trackingNo: string): HardwareRefusal | null {
  return /^[A-Za-z0-9-]+$/.test(cleanCode(trackingNo)) ? null : 'TRACKING_FORMAT'
}

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max
}

type Told = { orderNo: string; carrier: string; trackingNo: string; totalCents: number; returnReason: string }

/** What the agent is told of a step that others take; null: nothing. */
export function toldOf(action: DeliveryAction, order: Told): { title: string; body: string } | null {
  const back = `退回 ${formatCents(order.totalCents)} 代币。原因：${order.returnReason}`
  const told: Partial<Record<DeliveryAction, [title: string, words: string]>> = {
    ship: ['硬件已发货', `${order.carrier} ${order.trackingNo}`],
    cancel: ['硬件订单已取消', back],
    return: ['硬件已退货', back],
  }
  const [title, words] = told[action] ?? []
  return title === undefined ? null : { title, body: `硬件订单 ${order.orderNo}，${words}` }
}
