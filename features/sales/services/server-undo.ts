// Taking a value-added service back (D2 §4 "order recalled"; D3 §9): tokens, pieces and term, once, within 15 days.
import { and, eq, inArray, sql } from 'drizzle-orm'
import { previewReversal, reverseDocument } from '#features/money/ledger/server-reversal.ts'
import {
  refuseUndo,
  UNDO_DAYS,
  UNDO_REFUSALS,
  type UndoPreview,
  type UndoRefusal,
  undoMessages,
} from '#features/sales/orders/rules.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { daysBetween, formatDay } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { Refusal } from '#server/refuse.ts'
import { SERVICE_ORDER_STEPS, SERVICE_UNITS, undoFactsOf } from './rules.ts'
import { merchantServices, serviceOrders, services } from './tables.ts'

/**
 * What undoing this order would give back, and why it cannot be undone; UNDO_UNKNOWN where there is no such order.
 * `askedAt`: when it was asked for, which the 15 days count to.
 */
export async function previewServiceUndo(
  ctx: Ctx,
  orderNo: string,
  askedAt = ctx.now.toISOString(),
): Promise<UndoPreview> {
  const order = await findOrder(ctx, orderNo)
  const [shop] = await shopOf(ctx, order.order)
  return present(ctx, order, shop ?? null, askedAt)
}

/** Which of these a later order of the same service at the same shop stands in the way of. */
export async function followedOrders(ctx: Ctx, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  // Whoever's it is: the shop may have been elsewhere meanwhile.
  const { rows } = await ctx.db.execute<{ id: string }>(
    sql`select id from unnest(${sql.param([...ids])}::bigint[]) as asked(id) where later_service_order_exists(id)`,
  )
  return new Set(rows.map(({ id }) => Number(id)))
}

/** Undoes the order, or refuses. Answers what was given back, as it was previewed. */
export async function undoServiceOrder(
  ctx: Ctx,
  orderNo: string,
  reason: string,
  askedAt = ctx.now.toISOString(),
): Promise<UndoPreview> {
  const found = await findOrder(ctx, orderNo, true)
  const [shop] = await shopOf(ctx, found.order).for('no key update')
  const preview = await present(ctx, found, shop ?? null, askedAt)
  if (preview.refusal) throw new Refusal(preview.refusal.code, preview.refusal.message)
  const { order } = found
  const own = and(eq(serviceOrders.id, order.id), ownRows(ctx, serviceOrders.agentId))
  await ctx.db
    .update(serviceOrders)
    .set({
      state: SERVICE_ORDER_STEPS.undo.to,
      undoneAt: sql`now()`,
      undoneBy: ctx.actor.accountId,
      undoneByName: ctx.actor.name,
      undoneReason: reason,
    })
    .where(and(own, inArray(serviceOrders.state, SERVICE_ORDER_STEPS.undo.from)))
  const holding = and(
    eq(merchantServices.merchantId, order.merchantId),
    eq(merchantServices.serviceId, order.serviceId),
    ownRows(ctx, merchantServices.agentId),
  )
  if (order.quantityBefore === 0) await ctx.db.delete(merchantServices).where(holding)
  else
    await ctx.db
      .update(merchantServices)
      .set({
        quantity: order.quantityBefore,
        expiresAt: order.expiresBefore,
        termDay: sql`coalesce(${order.termDayBefore}, ${merchantServices.termDay})`,
      })
      .where(holding)
  await reverseDocument(ctx, orderNo, reason)
  return preview
}

type Order = typeof serviceOrders.$inferSelect
type Service = typeof services.$inferSelect
type Found = { order: Order; service: Service }

async function findOrder(ctx: Ctx, orderNo: string, lock = false): Promise<Found> {
  const query = ctx.db
    .select({ order: serviceOrders, service: services })
    .from(serviceOrders)
    .innerJoin(services, eq(services.id, serviceOrders.serviceId))
    .where(and(eq(serviceOrders.orderNo, orderNo), ownRows(ctx, serviceOrders.agentId)))
  const [row] = lock ? await query.for('update', { of: serviceOrders }) : await query
  if (!row) throw new Refusal('UNDO_UNKNOWN', UNDO_REFUSALS.UNDO_UNKNOWN)
  return row
}

/** The shop while it is the order's agent's; none after it moved. */
function shopOf(ctx: Ctx, order: Order) {
  return ctx.db
    .select({ shopName: merchants.shopName })
    .from(merchants)
    .where(
      and(
        eq(merchants.id, order.merchantId),
        eq(merchants.agentId, order.agentId),
        ownRows(ctx, merchants.agentId),
      ),
    )
    .$dynamic()
}

async function present(
  ctx: Ctx,
  { order, service }: Found,
  shop: { shopName: string } | null,
  askedAt: string,
): Promise<UndoPreview> {
  const days = await settingOf(ctx, UNDO_DAYS)
  const code = await refusalOf(ctx, order, shop !== null, { askedAt, days })
  const isYearly = service.unit === 'year'
  const isTaken = order.quantityBefore === 0
  return {
    orderNo: order.orderNo,
    agentId: order.agentId,
    merchantId: order.merchantId,
    shopName: shop?.shopName ?? '',
    content: `${order.serviceName} ${order.quantity} ${SERVICE_UNITS[service.unit]}`,
    paidAt: order.paidAt,
    tokensBackCents: (await previewReversal(ctx, order.orderNo)).tokenCents,
    smsBack: 0,
    smsSpent: 0,
    shops: [
      {
        merchantId: order.merchantId,
        shopName: shop?.shopName ?? '',
        daysRemoved: isYearly ? daysRemoved(order) : null,
        // A service that is taken away has no end afterwards, which null would show as one without end.
        expiresNow: isTaken ? null : order.expiresAfter,
        expiresThen: isTaken ? null : order.expiresBefore,
        ...heldTexts(order, isYearly),
      },
    ],
    refusal: code && { code, message: undoMessages(days)[code] },
    notes: [],
  }
}

/** What the shop has of the service now and after the undo, in words. */
function heldTexts(order: Order, isYearly: boolean): { versionNow: string; versionThen: string } {
  const name = order.serviceName
  const isTaken = order.quantityBefore === 0
  if (!isYearly)
    return {
      versionNow: `${name} ${order.quantityBefore + order.quantity} 个`,
      versionThen: isTaken ? '未开通' : `${name} ${order.quantityBefore} 个`,
    }
  if (!isTaken || order.expiresAfter === null)
    return { versionNow: name, versionThen: isTaken ? '未开通' : name }
  return { versionNow: `${name}（至 ${formatDay(order.expiresAfter)}）`, versionThen: '未开通' }
}

/** Days between the end that the order gave and the one before it; from the payment where it was not running then. */
function daysRemoved(order: Order): number | null {
  if (order.expiresAfter === null) return null
  const paidAt = order.paidAt ?? order.createdAt
  const ran = order.expiresBefore !== null && Date.parse(order.expiresBefore) > Date.parse(paidAt)
  return daysBetween(ran ? (order.expiresBefore as string) : paidAt, order.expiresAfter)
}

async function refusalOf(
  ctx: Ctx,
  order: Order,
  isStillHere: boolean,
  { askedAt, days }: { askedAt: string; days: number },
): Promise<UndoRefusal | null> {
  const early = refuseUndo(undoFactsOf(order), askedAt, days)
  if (early) return early
  if (!isStillHere) return 'UNDO_MOVED'
  return (await followedOrders(ctx, [order.id])).has(order.id) ? 'UNDO_NOT_LAST' : null
}
