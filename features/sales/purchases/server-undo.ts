// Taking version orders back: their effects at the shops, their tokens and their SMS credit (D3 §9; money.md).

import { and, asc, count, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import { post } from '#features/money/ledger/server.ts'
import { type Reversal, reversalsOf } from '#features/money/ledger/server-reversal.ts'
import {
  contentBeside,
  refuseUndo,
  refuseUndoReason,
  type ShopEffect,
  termsWithout,
  UNDO_DAYS,
  UNDO_REFUSALS,
  type UndoPreview,
  type UndoRefusal,
  undoMessages,
} from '#features/sales/orders/rules.ts'
import { markUndone, type VersionOrder } from '#features/sales/orders/server.ts'
import { versionOrderEffects, versionOrders } from '#features/sales/orders/tables.ts'
import { STATUS_STEPS } from '#features/shops/merchants/rules.ts'
import { applyTerms, type TermsChange } from '#features/shops/merchants/server-changes.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { amountText } from '#kit/money.ts'
import { daysBetween } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import { type Catalogue, catalogueOf, SHOP, type Shop, versionIn } from './server-shops.ts'

/** What undoing the order would do. `askedAt`: when it was asked for, which the 15 days count to. Refuses UNDO_UNKNOWN. */
export async function previewUndo(
  ctx: Ctx,
  orderNo: string,
  askedAt = ctx.now.toISOString(),
): Promise<UndoPreview> {
  return (await onlyOne(ctx, orderNo, { askedAt, reason: '', locks: false })).preview
}

/**
 * Undoes a paid order with all its rules; its movements are posted last. Refuses with a code of UNDO_REFUSALS. Answers what
 * was given back and taken away.
 */
export async function undoVersionOrder(
  ctx: Ctx,
  orderNo: string,
  reason: string,
  askedAt = ctx.now.toISOString(),
): Promise<UndoPreview> {
  refuse(refuseUndoReason(reason), UNDO_REFUSALS, { field: 'reason' })
  const line = await onlyOne(ctx, orderNo, { askedAt, reason: reason.trim(), locks: true })
  const { preview } = line
  if (preview.refusal) throw new Refusal(preview.refusal.code, preview.refusal.message)
  ctx.object('order', orderNo)
  ctx.about(preview.agentId, preview.merchantId)
  ctx.note(`${preview.shopName} (${preview.merchantId})`, [
    { name: '订单号', before: null, after: orderNo },
    { name: '撤销原因', before: null, after: reason.trim() },
    { name: '退回', before: null, after: amountText(preview.tokensBackCents, '代币') },
  ])
  await takeBack(ctx, [line], reason.trim())
  return preview
}

type Asked = { askedAt: string; reason: string; locks: boolean }
export type Line = { order: VersionOrder; preview: UndoPreview; changes: TermsChange[]; reversal: Reversal }

async function onlyOne(ctx: Ctx, orderNo: string, asked: Asked): Promise<Line> {
  const [line] = await assess(ctx, eq(versionOrders.orderNo, orderNo), asked)
  if (!line) throw new Refusal('UNDO_UNKNOWN', UNDO_REFUSALS.UNDO_UNKNOWN)
  return line
}

/** Each order with what its undo would do or why it cannot be undone. Locks the orders first, then the shops by id. */
export async function assess(ctx: Ctx, which: SQL | undefined, asked: Asked): Promise<Line[]> {
  const gathered = await gather(ctx, which, asked.locks)
  const days = await settingOf(ctx, UNDO_DAYS)
  const documents = gathered.map(({ order }) => order.orderNo)
  const reversals = await reversalsOf(ctx, documents, asked.reason)
  return gathered.map(facts => {
    const { order } = facts
    const reversal = reversals.get(order.orderNo) ?? { movements: [], returned: NOTHING }
    return { order, reversal, ...previewOf(facts, reversal, refusalOf(facts, asked.askedAt, days), days) }
  })
}

/** Why each of these orders, or of the orders of these batches that were paid, cannot be undone now; null where it can. */
export async function undoRefusals(
  ctx: Ctx,
  { orderNos = [], batchNos = [] }: { orderNos?: readonly string[]; batchNos?: readonly string[] },
): Promise<{ orderNo: string; batchNo: string | null; refusal: string | null }[]> {
  if (orderNos.length === 0 && batchNos.length === 0) return []
  const which = or(
    inArray(versionOrders.orderNo, [...orderNos]),
    and(inArray(versionOrders.batchNo, [...batchNos]), ne(versionOrders.status, 'quoted')),
  )
  const gathered = await gather(ctx, which, false)
  const days = await settingOf(ctx, UNDO_DAYS)
  const messages = undoMessages(days)
  return gathered.map(facts => {
    const { orderNo, batchNo } = facts.order
    const code = refusalOf(facts, facts.now, days)
    return { orderNo, batchNo, refusal: code && messages[code] }
  })
}

async function gather(ctx: Ctx, which: SQL | undefined, locks: boolean): Promise<Facts[]> {
  const orders = await ordersOf(ctx, which, locks)
  const effects = await effectsOf(ctx, orders)
  const touched = new Map(orders.map(order => [order.id, touchedBy(order, effects)]))
  const ids = [...new Set([...touched.values()].flat().map(({ merchantId }) => merchantId))]
  const shops = await shopsOf(ctx, ids, locks)
  const followed = await followedTouches(ctx, touched)
  const branches = await branchesOf(ctx, ids)
  const catalogue = await catalogueOf(ctx)
  const now = ctx.now.toISOString()
  return orders.map(order => ({
    order,
    touched: touched.get(order.id) ?? [],
    shops,
    followed,
    branches,
    catalogue,
    now,
  }))
}

const NOTHING = { tokenCents: 0, sms: 0, smsSpent: 0 }

function ordersOf(ctx: Ctx, which: SQL | undefined, locks: boolean): Promise<VersionOrder[]> {
  const query = ctx.db
    .select()
    .from(versionOrders)
    .where(and(which, ownRows(ctx, versionOrders.agentId)))
    .orderBy(asc(versionOrders.id))
    .$dynamic()
  return locks ? query.for('update') : query
}

type Effect = typeof versionOrderEffects.$inferSelect

async function effectsOf(ctx: Ctx, orders: readonly VersionOrder[]): Promise<Effect[]> {
  return ctx.db
    .select()
    .from(versionOrderEffects)
    .where(
      and(
        inArray(
          versionOrderEffects.orderId,
          orders.map(({ id }) => id),
        ),
        ownRows(ctx, versionOrderEffects.agentId),
      ),
    )
    .orderBy(asc(versionOrderEffects.id))
}

/** What an order did at a shop; null effect: it opened the shop. */
type Touch = { merchantId: number; versionAfter: number; effect: ShopEffect | null }

function touchedBy(order: VersionOrder, effects: readonly Effect[]): Touch[] {
  if (order.salesType === 'new')
    return order.merchantId === null
      ? []
      : [{ merchantId: order.merchantId, versionAfter: order.versionId, effect: null }]
  return effects.filter(({ orderId }) => orderId === order.id).map(effect => ({ ...effect, effect }))
}

async function shopsOf(ctx: Ctx, ids: readonly number[], locks: boolean): Promise<Map<number, Shop>> {
  const query = ctx.db
    .select(SHOP)
    .from(merchants)
    .where(and(inArray(merchants.id, [...ids]), ownRows(ctx, merchants.agentId)))
    .orderBy(asc(merchants.id))
    .$dynamic()
  const rows = await (locks ? query.for('update') : query)
  return new Map(rows.map(row => [row.id, row]))
}

const keyOf = (orderId: number, merchantId: number) => `${orderId}:${merchantId}`

/** Where a paid order came after one of these at a shop, whoever's it is: the shop may have been elsewhere meanwhile. */
async function followedTouches(
  ctx: Ctx,
  touched: ReadonlyMap<number, readonly Touch[]>,
): Promise<Set<string>> {
  const pairs = [...touched].flatMap(([orderId, touches]) =>
    touches.map(({ merchantId }) => ({ orderId, merchantId })),
  )
  const orders = sql.param(pairs.map(({ orderId }) => orderId))
  const shops = sql.param(pairs.map(({ merchantId }) => merchantId))
  const { rows } = await ctx.db.execute<{ order_id: string; merchant_id: string }>(
    sql`select order_id, merchant_id from unnest(${orders}::bigint[], ${shops}::bigint[]) as asked(order_id, merchant_id)
      where later_effect_exists(merchant_id, order_id)`,
  )
  return new Set(rows.map(row => keyOf(Number(row.order_id), Number(row.merchant_id))))
}

async function branchesOf(ctx: Ctx, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await ctx.db
    .select({ headId: merchants.headId, branches: count() })
    .from(merchants)
    .where(and(inArray(merchants.headId, [...ids]), ownRows(ctx, merchants.agentId)))
    .groupBy(merchants.headId)
  return new Map(rows.flatMap(({ headId, branches }) => (headId === null ? [] : [[headId, branches]])))
}

type Facts = {
  order: VersionOrder
  touched: readonly Touch[]
  shops: ReadonlyMap<number, Shop>
  /** Orders and shops, as keyOf names them, where another order came later. */
  followed: ReadonlySet<string>
  /** Rows of branches by head. */
  branches: ReadonlyMap<number, number>
  catalogue: Catalogue
  now: string
}

/** First reason against the undo, in the order of the rules. */
function refusalOf(
  { order, touched, shops, followed, branches }: Facts,
  askedAt: string,
  days: number,
): UndoRefusal | null {
  const isPaid = order.status === 'paid'
  const isUndone = order.status === 'recycled'
  const early = refuseUndo({ isPaid, isUndone, paidAt: order.paidAt }, askedAt, days)
  if (early) return early
  const isThere = ({ merchantId }: Touch) => shops.get(merchantId)?.agentId === order.agentId
  if (touched.length === 0 || !touched.every(isThere)) return 'UNDO_MOVED'
  if (touched.some(({ merchantId }) => followed.has(keyOf(order.id, merchantId)))) return 'UNDO_NOT_LAST'
  const isKept = (touch: Touch) => shops.get(touch.merchantId)?.versionId === touch.versionAfter
  if (!touched.every(isKept)) return 'UNDO_CHANGED'
  const isCrowded = (touch: Touch) => leavesTooMany(touch, branches.get(touch.merchantId) ?? 0)
  return touched.some(isCrowded) ? 'UNDO_HAS_BRANCHES' : null
}

/** Whether a head would have more branches than it has paid for once this is taken back. */
function leavesTooMany({ effect }: Touch, branches: number): boolean {
  if (branches === 0) return false
  if (!effect) return true
  return effect.shopsBefore < effect.shopsAfter && effect.shopsBefore < branches + 1
}

export function presentRefusal(code: UndoRefusal, days: number) {
  return { code, message: undoMessages(days)[code] }
}

function previewOf(
  facts: Facts,
  reversal: Reversal,
  refusal: UndoRefusal | null,
  days: number,
): { preview: UndoPreview; changes: TermsChange[] } {
  const { order, shops } = facts
  const steps = facts.touched.flatMap(touch => {
    const shop = shops.get(touch.merchantId)
    return shop ? [stepOf(touch, shop, facts)] : []
  })
  const { tokenCents, sms, smsSpent } = reversal.returned
  const spent = smsSpent > 0 ? [`已使用的短信 ${smsSpent} 条不退回`] : []
  const shopName = order.merchantId === null ? undefined : shops.get(order.merchantId)?.shopName
  const preview: UndoPreview = {
    orderNo: order.orderNo,
    agentId: order.agentId,
    merchantId: order.merchantId,
    shopName: shopName ?? '',
    content: contentBeside(order.content, shopName ?? null),
    paidAt: order.paidAt,
    tokensBackCents: tokenCents,
    smsBack: sms,
    smsSpent,
    shops: steps.map(({ shown }) => shown),
    refusal: refusal && presentRefusal(refusal, days),
    notes: [...steps.flatMap(({ notes }) => notes), ...spent],
  }
  return { preview, changes: steps.map(({ change }) => change) }
}

/** What the undo does at one shop, as it is shown and as it is written. */
function stepOf(touch: Touch, shop: Shop, { catalogue, now }: Facts) {
  const { effect } = touch
  const change: TermsChange = effect
    ? { merchantId: shop.id, ...termsWithout(effect, shop) }
    : {
        merchantId: shop.id,
        versionId: shop.versionId,
        expiresAt: earlier(shop.expiresAt, now),
        termDay: shop.termDay,
        shopsBought: shop.shopsBought,
        status: STATUS_STEPS.disable.to,
      }
  const shown = {
    merchantId: shop.id,
    shopName: shop.shopName,
    daysRemoved:
      shop.expiresAt === null || change.expiresAt === null
        ? null
        : daysBetween(change.expiresAt, shop.expiresAt),
    expiresNow: shop.expiresAt,
    expiresThen: change.expiresAt,
    versionNow: versionIn(catalogue, shop.versionId).name,
    versionThen: versionIn(catalogue, change.versionId).name,
  }
  return { change, shown, notes: effect ? keptNotes(effect, shop) : ['店铺将被禁用，使用期限即刻结束'] }
}

/** What was given to the shop since the purchase and stays. */
function keptNotes(effect: ShopEffect, shop: Shop): string[] {
  if (effect.expiresAfter === null || shop.expiresAt === null)
    return effect.expiresAfter !== shop.expiresAt
      ? [`${shop.shopName} 的到期时间在购买后已调整，保持不变`]
      : []
  const days = daysBetween(effect.expiresAfter, shop.expiresAt)
  return days > 0 ? [`${shop.shopName} 购买后另行延长的 ${days} 天予以保留`] : []
}

function earlier(expiresAt: string | null, now: string): string {
  return expiresAt !== null && new Date(expiresAt).getTime() < new Date(now).getTime() ? expiresAt : now
}

export async function takeBack(
  ctx: Ctx,
  lines: readonly Line[],
  reason: string,
  settle?: () => Promise<void>,
): Promise<void> {
  await applyTerms(
    ctx,
    lines.flatMap(({ changes }) => changes),
  )
  await markUndone(
    ctx,
    lines.map(({ order }) => order.id),
    reason,
  )
  await settle?.()
  try {
    await post(
      ctx,
      lines.flatMap(({ reversal }) => reversal.movements),
    )
  } catch (error) {
    // The credit was used after it was looked at; what the ledger says of it is about buying.
    if (error instanceof Refusal && error.code === 'SMS_INSUFFICIENT') refuse('SMS_SPENT', UNDO_REFUSALS)
    throw error
  }
}
