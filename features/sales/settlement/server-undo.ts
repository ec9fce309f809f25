// Taking an order back, whatever its kind: at once, or as a request where the amount needs a second person (D3 §4, §9).
import { and, eq, gte, inArray, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { accounts } from '#features/office/access/tables.ts'
import { refuseUndoReason, UNDO_DAYS, UNDO_REFUSALS, type UndoPreview } from '#features/sales/orders/rules.ts'
import { versionOrders } from '#features/sales/orders/tables.ts'
import { previewUndo, undoVersionOrder } from '#features/sales/purchases/server-undo.ts'
import { previewBatchUndo, undoBatch } from '#features/sales/purchases/server-undo-many.ts'
import { previewServiceUndo, undoServiceOrder } from '#features/sales/services/server-undo.ts'
import { serviceOrders } from '#features/sales/services/tables.ts'
import { previewSmsUndo, undoSmsOrder } from '#features/sales/sms/server-undo.ts'
import { smsOrders } from '#features/sales/sms/tables.ts'
import { amountText } from '#kit/money.ts'
import { addDays, formatDay, startOfDay } from '#kit/time.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import type { settlement as contract } from './contract.ts'
import {
  needsApproval,
  SETTLEMENT_REFUSALS,
  UNDO_COUNT,
  UNDO_KINDS,
  UNDO_REQUEST_DAYS,
  type UndoKind,
  undoCountMessage,
} from './rules.ts'
import { tellRequested, tellUndone } from './server-notices.ts'
import {
  approvalCentsOf,
  type Batch,
  batchOf,
  closeExpired,
  closeUndone,
  isPending,
} from './server-pending.ts'
import { undoRequests } from './tables.ts'

type UndoVerbs = {
  preview(ctx: Ctx, orderNo: string, askedAt: string): Promise<UndoPreview[]>
  undo(ctx: Ctx, orderNo: string, reason: string, askedAt: string): Promise<UndoPreview[]>
}

const VERBS: Record<UndoKind, UndoVerbs> = {
  version: {
    preview: async (ctx, orderNo, askedAt) => [await previewUndo(ctx, orderNo, askedAt)],
    undo: async (ctx, orderNo, reason, askedAt) => [await undoVersionOrder(ctx, orderNo, reason, askedAt)],
  },
  batch: { preview: previewBatchUndo, undo: undoBatch },
  service: {
    preview: async (ctx, orderNo, askedAt) => [await previewServiceUndo(ctx, orderNo, askedAt)],
    undo: async (ctx, orderNo, reason, askedAt) => [await undoServiceOrder(ctx, orderNo, reason, askedAt)],
  },
  sms: {
    preview: async (ctx, orderNo, askedAt) => [await previewSmsUndo(ctx, orderNo, askedAt)],
    undo: async (ctx, orderNo, reason, askedAt) => [await undoSmsOrder(ctx, orderNo, reason, askedAt)],
  },
}

export type UndoAsked = { kind: UndoKind; orderNo: string; reason: string }
export type UndoAnswer = { state: 'undone' | 'pending'; previews: UndoPreview[] }

/** What an undo would do now, line by line; `askedAt` is when it was asked for, which the 15 days count to. */
export async function previewsOf(
  ctx: Ctx,
  { kind, orderNo }: Pick<UndoAsked, 'kind' | 'orderNo'>,
  askedAt: string,
): Promise<UndoPreview[]> {
  const previews = await VERBS[kind].preview(ctx, orderNo, askedAt)
  if (previews.length === 0) refuse('UNDO_UNKNOWN', UNDO_REFUSALS)
  return previews
}

export const undoPreview: Verb<typeof contract.undoPreview> = async (ctx, input) => {
  const previews = await previewsOf(ctx, input, ctx.now.toISOString())
  const batch = await batchOf(ctx, input)
  return {
    previews,
    tokensBackCents: tokensBackOf(previews),
    needsApproval: needsApproval(decidingCentsOf(previews, batch), await approvalCentsOf(ctx)),
    isPending: await isPending(ctx, input, batch),
  }
}

/** Of a bulk renewal all that was paid counts, however much of it goes back: its lines could be undone one by one. */
function decidingCentsOf(previews: readonly UndoPreview[], batch: Batch | null): number {
  return Math.max(tokensBackOf(previews), batch?.totalCents ?? 0)
}

/**
 * Undoes an order, or writes a request that waits for approval where what goes back is above the operator's amount.
 * Refuses with the first reason when nothing of it can be undone; of a batch the other lines are undone.
 */
export async function requestOrUndo(ctx: Ctx, asked: UndoAsked): Promise<UndoAnswer> {
  refuse(refuseUndoReason(asked.reason), UNDO_REFUSALS, { field: 'reason' })
  await refuseTooMany(ctx)
  const reason = asked.reason.trim()
  const askedAt = ctx.now.toISOString()
  const batch = await batchOf(ctx, asked, true)
  const previews = await previewsOf(ctx, asked, askedAt)
  refuseNothingLeft(previews)
  if (await isPending(ctx, asked, batch)) refuse('UNDO_PENDING', SETTLEMENT_REFUSALS)
  await closeExpired(ctx, asked, batch)
  const waits = needsApproval(decidingCentsOf(previews, batch), await approvalCentsOf(ctx))
  if (!waits) {
    const undone = await performUndo(ctx, { ...asked, reason }, askedAt)
    await tellTaken(ctx, { ...asked, reason }, undone, ctx.actor.accountId)
    noteUndo(ctx, asked.kind, asked.orderNo, undone, [{ name: '撤销原因', before: null, after: reason }])
    return { state: 'undone', previews: undone }
  }
  await requestUndo(ctx, { ...asked, reason }, previews, askedAt)
  noteUndo(ctx, asked.kind, asked.orderNo, previews, [
    { name: '撤销原因', before: null, after: reason },
    { name: '审批', before: null, after: '待审批' },
  ])
  return { state: 'pending', previews }
}

/** Undoes it now with all its rules, and closes what waited for the same orders. */
export async function performUndo(ctx: Ctx, asked: UndoAsked, askedAt: string): Promise<UndoPreview[]> {
  const undone = await VERBS[asked.kind].undo(ctx, asked.orderNo, asked.reason, askedAt)
  if (asked.kind === 'batch') await closeUndone(ctx, orderNosOf(undone))
  return undone
}

function orderNosOf(previews: readonly UndoPreview[]): string[] {
  return previews.filter(line => line.refusal === null).map(line => line.orderNo)
}

/** Refuses with the first line's reason when no line can be undone. */
export function refuseNothingLeft(previews: readonly UndoPreview[]): void {
  const refusal = previews[0]?.refusal
  if (refusal && previews.every(preview => preview.refusal !== null))
    throw new Refusal(refusal.code, refusal.message)
}

async function requestUndo(
  ctx: Ctx,
  asked: UndoAsked,
  previews: readonly UndoPreview[],
  requestedAt: string,
) {
  const written = await ctx.db
    .insert(undoRequests)
    .values({
      agentId: previews[0]?.agentId ?? ctx.actor.agentId,
      ...asked,
      totalCents: tokensBackOf(previews),
      state: 'pending',
      requestedBy: ctx.actor.accountId,
      requestedByName: ctx.actor.name,
      requestedAt,
    })
    .onConflictDoNothing()
    .returning({ id: undoRequests.id })
  if (written.length === 0) refuse('UNDO_PENDING', SETTLEMENT_REFUSALS)
  await tellRequested(ctx, { ...asked, cents: tokensBackOf(previews) }, asked.reason)
}

export async function tellTaken(
  ctx: Ctx,
  asked: UndoAsked,
  undone: readonly UndoPreview[],
  askedBy: number,
): Promise<void> {
  const [line] = undone
  if (!line) return
  const { agentId, merchantId } = line
  const told = { ...asked, cents: tokensBackOf(undone), agentId, merchantId, askedBy }
  await tellUndone(ctx, told, asked.reason)
}

/** What goes back of the lines that can be undone, 1/100 token. */
export function tokensBackOf(previews: readonly UndoPreview[]): number {
  return previews.reduce((sum, line) => sum + (line.refusal === null ? line.tokensBackCents : 0), 0)
}

type Changes = Parameters<Ctx['note']>[1]

/** The operation log's row: the shop, or the batch, and what came of it. */
export function noteUndo(
  ctx: Ctx,
  kind: UndoKind,
  orderNo: string,
  previews: readonly UndoPreview[],
  changes: NonNullable<Changes>,
): void {
  const [first] = previews
  const isOne = kind !== 'batch' && first && first.merchantId !== null
  ctx.object(kind === 'batch' ? 'batch' : 'order', orderNo)
  if (first) ctx.about(first.agentId, isOne ? first.merchantId : null)
  ctx.note(isOne ? `${first.shopName} (${first.merchantId})` : `${UNDO_KINDS[kind]} ${orderNo}`, [
    { name: '订单号', before: null, after: orderNo },
    { name: '退回', before: null, after: amountText(tokensBackOf(previews), '代币') },
    ...changes,
  ])
}

export const undo: Verb<typeof contract.undo> = (ctx, input) => {
  return requestOrUndo(ctx, input)
}

/** Undoes of one agency come one after the other from here on, so that the last one counts those before it. */
async function refuseTooMany(ctx: Ctx): Promise<void> {
  if (ctx.actor.isVendorStaff) return
  await ctx.client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `undo count ${ctx.actor.agentId}`,
  ])
  const most = await settingOf(ctx, UNDO_COUNT)
  if ((await undoneThisMonth(ctx)) >= most) throw new Refusal('UNDO_TOO_MANY', undoCountMessage(most))
}

/** Of the acting agency, by people of its own. */
export async function undoneThisMonth(ctx: Ctx): Promise<number> {
  const month = `${formatDay(ctx.now).slice(0, 7)}-01`
  const since = startOfDay(month).toISOString()
  // What was undone this month was sold no longer before it than orders can be undone and requests wait.
  const soldSince = startOfDay(addDays(month, -(UNDO_DAYS.max + UNDO_REQUEST_DAYS))).toISOString()
  const counts = [versionOrders, serviceOrders, smsOrders].map(orders =>
    undoneOf(ctx, orders, since, soldSince),
  )
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

type Orders = PgTable & Record<'agentId' | 'createdAt' | 'undoneAt' | 'undoneBy', AnyPgColumn>

async function undoneOf(ctx: Ctx, orders: Orders, since: string, soldSince: string): Promise<number> {
  const own = ctx.db.select({ id: accounts.id }).from(accounts).where(eq(accounts.agentId, ctx.actor.agentId))
  const [row] = await ctx.db
    .select({ count: sql<number>`count(*)::int` })
    .from(orders)
    .where(
      and(
        eq(orders.agentId, ctx.actor.agentId),
        gte(orders.createdAt, soldSince),
        gte(orders.undoneAt, since),
        inArray(orders.undoneBy, own),
      ),
    )
  return row?.count ?? 0
}
