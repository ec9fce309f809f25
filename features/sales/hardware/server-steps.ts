// What happens to an order after it is paid: each step once, under the order's lock (rules.ts DELIVERY_STEPS).
import { and, asc, eq, inArray } from 'drizzle-orm'
import { reverseDocument } from '#features/money/ledger/server-reversal.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { refuseSecond } from '#server/office/second.ts'
import { objectKey } from '#server/operation-log.ts'
import { found, refuse, refuseBroken } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import type { hardware as contract } from './contract.ts'
import { SHIPMENT, TAKE_BACK } from './fields.ts'
import {
  DELIVERY_STATUSES,
  DELIVERY_STEPS,
  type DeliveryAction,
  type HardwareRefusal,
  REFUSALS,
  RETURN_CONDITIONS,
  type ReturnCondition,
  refuseCancel,
  refuseReceive,
  refuseStep,
  refuseTrackingNo,
  toldOf,
} from './rules.ts'
import { lockProducts, moveStock } from './server-products.ts'
import { hardwareOrderLines, hardwareOrders } from './tables.ts'

type Order = typeof hardwareOrders.$inferSelect

export const ship: Verb<typeof contract.ship> = async (ctx, input) => {
  const order = await lockOrder(ctx, input.orderNo)
  const now = ctx.now.toISOString()
  await refuseNow(ctx, order, refuseStep(order, 'ship', now))
  refuseBroken(SHIPMENT, input)
  refuse(refuseTrackingNo(input.trackingNo), REFUSALS, { field: 'trackingNo' })
  const { carrier, trackingNo } = input
  return step(ctx, order, 'ship', { carrier, trackingNo, shippedAt: now }, [
    { name: '物流公司', before: null, after: carrier },
    { name: '物流单号', before: null, after: trackingNo },
  ])
}

export const receive: Verb<typeof contract.receive> = async (ctx, input) => {
  const order = await lockOrder(ctx, input.orderNo)
  const now = ctx.now.toISOString()
  await refuseNow(ctx, order, refuseReceive(order, ctx.actor, now))
  return step(ctx, order, 'receive', { receivedAt: now }, [])
}

export const complete: Verb<typeof contract.complete> = async (ctx, input) => {
  const order = await lockOrder(ctx, input.orderNo)
  const now = ctx.now.toISOString()
  await refuseNow(ctx, order, refuseStep(order, 'complete', now))
  return step(ctx, order, 'complete', { finishedAt: now }, [])
}

export const cancel: Verb<typeof contract.cancel> = async (ctx, input) => {
  const order = await lockOrder(ctx, input.orderNo)
  await refuseNow(ctx, order, refuseCancel(order, ctx.now.toISOString()))
  return takeBack(ctx, order, 'cancel', input.reason)
}

export const returnOrder: Verb<typeof contract.returnOrder> = async (ctx, input) => {
  const order = await lockOrder(ctx, input.orderNo)
  await refuseNow(ctx, order, refuseStep(order, 'return', ctx.now.toISOString()))
  return takeBack(ctx, order, 'return', input.reason, input.condition)
}

/** What somebody has done already: whoever comes second is told who did. */
const DONE: readonly HardwareRefusal[] = [
  'ORDER_SHIPPED',
  'ORDER_RECEIVED',
  'ORDER_RETURNED',
  'ORDER_CANCELLED',
  'ORDER_COMPLETE',
]

async function refuseNow(ctx: Ctx, { orderNo }: Order, code: HardwareRefusal | null): Promise<void> {
  if (code !== null && DONE.includes(code))
    await refuseSecond(ctx, code, REFUSALS, { object: objectKey('order', orderNo) })
  refuse(code, REFUSALS)
}

/** Tokens return as they went, and the goods to the stock unless they are defective. The order is locked first, then the products in id order, the ledger last. */
async function takeBack(
  ctx: Ctx,
  order: Order,
  action: 'cancel' | 'return',
  reason: string,
  condition: ReturnCondition | null = null,
) {
  refuseBroken(TAKE_BACK, { reason })
  if (condition !== 'defective') await restock(ctx, order)
  const stepped = await step(
    ctx,
    order,
    action,
    { returnReason: reason, returnCondition: condition, returnedAt: ctx.now.toISOString() },
    [
      ...(condition ? [{ name: '退回商品', before: null, after: RETURN_CONDITIONS[condition] }] : []),
      { name: action === 'cancel' ? '取消原因' : '退货原因', before: null, after: reason },
    ],
  )
  const { tokenCents } = await reverseDocument(ctx, order.orderNo, reason)
  if (tokenCents !== order.totalCents)
    throw new Error(`order ${order.orderNo} would give back ${tokenCents} of ${order.totalCents}`)
  return { ...stepped, tokensBackCents: tokenCents }
}

async function restock(ctx: Ctx, order: Order): Promise<void> {
  const lines = await ctx.db
    .select({ productId: hardwareOrderLines.productId, quantity: hardwareOrderLines.quantity })
    .from(hardwareOrderLines)
    .where(and(eq(hardwareOrderLines.orderId, order.id), ownRows(ctx, hardwareOrderLines.agentId)))
    .orderBy(asc(hardwareOrderLines.productId))
  await lockProducts(
    ctx,
    lines.map(line => line.productId),
  )
  await moveStock(
    ctx,
    lines.map(line => ({ productId: line.productId, by: line.quantity })),
  )
}

async function step(
  ctx: Ctx,
  order: Order,
  action: DeliveryAction,
  changed: Partial<Order>,
  noted: FieldChange[],
) {
  const { from, to } = DELIVERY_STEPS[action]
  const own = and(eq(hardwareOrders.id, order.id), ownRows(ctx, hardwareOrders.agentId))
  const [stepped] = await ctx.db
    .update(hardwareOrders)
    .set({ ...changed, deliveryStatus: to })
    .where(and(own, inArray(hardwareOrders.deliveryStatus, from)))
    .returning({ id: hardwareOrders.id })
  if (!stepped) throw new Error(`no step ${action} from ${order.deliveryStatus}`)
  const { [order.deliveryStatus]: before, [to]: after } = DELIVERY_STATUSES
  await tellAgent(ctx, order, action, changed)
  ctx.object('order', order.orderNo)
  ctx.about(order.agentId)
  ctx.note(`硬件订单 ${order.orderNo}`, [{ name: '发货状态', before, after }, ...noted])
  return { orderNo: order.orderNo, deliveryStatus: to }
}

/** What the agent itself does is no news to it. */
async function tellAgent(ctx: Ctx, order: Order, action: DeliveryAction, changed: Partial<Order>) {
  const told = toldOf(action, { ...order, ...changed })
  if (!told || ctx.actor.agentId === order.agentId) return
  await notify(ctx, {
    ...told,
    agentId: order.agentId,
    merchantId: order.merchantId,
    holding: 'hardware.orders',
    topic: 'Hardware_Notify',
    link: `/admin/order/${order.orderNo}`,
    args: { orderNo: order.orderNo, action },
  })
}

async function lockOrder(ctx: Ctx, orderNo: string): Promise<Order> {
  const [order] = await ctx.db
    .select()
    .from(hardwareOrders)
    .where(and(eq(hardwareOrders.orderNo, orderNo), ownRows(ctx, hardwareOrders.agentId)))
    .for('update')
  return found(order)
}
