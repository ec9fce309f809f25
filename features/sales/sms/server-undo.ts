// Taking an SMS package back (D2 §4 "revoked"; D3 §9): once, within 15 days, and only while the shop holds all its pieces,
// so that tokens never return for credit that was used.
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
import { formatCount } from '#kit/money.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import { refuseSmsUndo, SMS_ORDER_STEPS, undoFactsOf } from './rules.ts'
import { creditOf } from './server-buy.ts'
import { smsOrders } from './tables.ts'

type Order = typeof smsOrders.$inferSelect

/**
 * What undoing this order would give back, and why it cannot be undone; UNDO_UNKNOWN where there is no such order.
 * `askedAt`: when it was asked for, which the 15 days count to.
 */
export async function previewSmsUndo(
  ctx: Ctx,
  orderNo: string,
  askedAt = ctx.now.toISOString(),
): Promise<UndoPreview> {
  const order = known((await orderOf(ctx, orderNo))[0])
  const [shop] = await shopOf(ctx, order)
  return present(ctx, order, shop ?? null, askedAt)
}

/** Undoes the package, or refuses. Answers what was given back, as it was previewed. */
export async function undoSmsOrder(
  ctx: Ctx,
  orderNo: string,
  reason: string,
  askedAt = ctx.now.toISOString(),
): Promise<UndoPreview> {
  const order = known((await orderOf(ctx, orderNo).for('update'))[0])
  const [shop] = await shopOf(ctx, order).for('no key update')
  const preview = await present(ctx, order, shop ?? null, askedAt)
  if (preview.refusal) throw new Refusal(preview.refusal.code, preview.refusal.message)
  await ctx.db
    .update(smsOrders)
    .set({
      status: SMS_ORDER_STEPS.undo.to,
      undoneAt: ctx.now.toISOString(),
      undoneBy: ctx.actor.accountId,
      undoneByName: ctx.actor.name,
      undoneReason: reason,
    })
    .where(and(ownOrder(ctx, orderNo), inArray(smsOrders.status, SMS_ORDER_STEPS.undo.from)))
  const returned = await reverseDocument(ctx, orderNo, reason)
  await keepChange(ctx, order)
  // The credit may have been used since it was looked at; a refusal takes everything back.
  if (returned.smsSpent > 0) refuse('SMS_SPENT', UNDO_REFUSALS)
  return preview
}

/** The shop's credit around the undo, as the ledger wrote it. */
async function keepChange(ctx: Ctx, order: Order): Promise<void> {
  const entry = (column: 'balance_before' | 'balance_after') => sql<number>`(
    select e.${sql.identifier(column)} from ledger_transfers t
      join ledger_entries e on e.transfer_id = t.id join ledger_accounts a on a.id = e.account_id
    where t.document = ${order.orderNo} and t.reverses_id is not null and a.owner_kind = 'merchant' and a.owner_id = ${order.merchantId})`
  await ctx.db
    .update(smsOrders)
    .set({
      changedAt: sql`undone_at`,
      changeBefore: entry('balance_before'),
      changeAfter: entry('balance_after'),
    })
    .where(ownOrder(ctx, order.orderNo))
}

function ownOrder(ctx: Ctx, orderNo: string) {
  return and(eq(smsOrders.orderNo, orderNo), ownRows(ctx, smsOrders.agentId))
}

function orderOf(ctx: Ctx, orderNo: string) {
  return ctx.db.select().from(smsOrders).where(ownOrder(ctx, orderNo)).$dynamic()
}

function known(order: Order | undefined): Order {
  if (!order) throw new Refusal('UNDO_UNKNOWN', UNDO_REFUSALS.UNDO_UNKNOWN)
  return order
}

/** The shop while it is the order's agent's; none after it moved. */
function shopOf(ctx: Ctx, order: Order) {
  return ctx.db
    .select({ shopName: merchants.shopName })
    .from(merchants)
    .where(
      and(
        eq(merchants.id, order.merchantId ?? 0),
        eq(merchants.agentId, order.agentId),
        ownRows(ctx, merchants.agentId),
      ),
    )
    .$dynamic()
}

async function present(
  ctx: Ctx,
  order: Order,
  shop: { shopName: string } | null,
  askedAt: string,
): Promise<UndoPreview> {
  const credit = order.merchantId === null ? 0 : await creditOf(ctx, order.merchantId)
  const days = await settingOf(ctx, UNDO_DAYS)
  const code = refusalOf(order, shop !== null, credit, { askedAt, days })
  const spent = Math.max(0, order.pieces - credit)
  const tokensBackCents =
    order.kind === 'package' ? (await previewReversal(ctx, order.orderNo)).tokenCents : 0
  return {
    orderNo: order.orderNo,
    agentId: order.agentId,
    merchantId: order.merchantId,
    shopName: shop?.shopName ?? '',
    content: order.kind === 'package' ? order.name : `${order.name} ${formatCount(order.pieces)} 条`,
    paidAt: order.paidAt,
    tokensBackCents,
    smsBack: order.kind === 'gift' ? order.pieces : 0,
    smsSpent: code === 'SMS_SPENT' ? spent : 0,
    shops: [],
    refusal: code && { code, message: undoMessages(days)[code] },
    notes:
      code === null
        ? [`商户短信余额将由 ${formatCount(credit)} 条变为 ${formatCount(credit - order.pieces)} 条`]
        : code === 'SMS_SPENT'
          ? [
              `该短信包 ${formatCount(order.pieces)} 条，商户现有 ${formatCount(credit)} 条，全部条数未使用时才能撤销`,
            ]
          : [],
  }
}

function refusalOf(
  order: Order,
  isStillHere: boolean,
  credit: number,
  { askedAt, days }: { askedAt: string; days: number },
): UndoRefusal | null {
  const early = refuseUndo(undoFactsOf(order), askedAt, days)
  if (early) return early
  if (!isStillHere) return 'UNDO_MOVED'
  return refuseSmsUndo({ ...order, credit })
}
