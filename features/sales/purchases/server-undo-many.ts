// Taking several version orders back in one transaction: those of a bulk renewal, and those of an import.
import { and, eq, inArray, ne, type SQL } from 'drizzle-orm'
import { refuseUndoReason, UNDO_DAYS, UNDO_REFUSALS, type UndoPreview } from '#features/sales/orders/rules.ts'
import { versionOrders } from '#features/sales/orders/tables.ts'
import { amountText } from '#kit/money.ts'
import type { Ctx } from '#server/ctx.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import { assess, presentRefusal, takeBack } from './server-undo.ts'

/** What undoing the paid orders of a bulk renewal would do, line by line; none for an unknown batch. */
export async function previewBatchUndo(
  ctx: Ctx,
  batchNo: string,
  askedAt = ctx.now.toISOString(),
): Promise<UndoPreview[]> {
  const lines = await assess(ctx, inBatch(batchNo), { askedAt, reason: '', locks: false })
  return lines.map(({ preview }) => preview)
}

/**
 * Undoes the orders of a bulk renewal in one transaction. Lines that cannot be undone are answered with their refusal;
 * when none can, the first refusal is thrown.
 */
export async function undoBatch(
  ctx: Ctx,
  batchNo: string,
  reason: string,
  askedAt = ctx.now.toISOString(),
): Promise<UndoPreview[]> {
  refuse(refuseUndoReason(reason), UNDO_REFUSALS, { field: 'reason' })
  const lines = await assess(ctx, inBatch(batchNo), { askedAt, reason: reason.trim(), locks: true })
  const undoable = lines.filter(({ preview }) => preview.refusal === null)
  if (undoable.length === 0) {
    const { code, message } = lines[0]?.preview.refusal ?? presentRefusal('UNDO_UNKNOWN', UNDO_DAYS.initial)
    throw new Refusal(code, message)
  }
  ctx.object('batch', batchNo)
  ctx.note(`${undoable.length}家商户 (${batchNo})`, [
    { name: '撤销原因', before: null, after: reason.trim() },
    {
      name: '退回',
      before: null,
      after: amountText(
        undoable.reduce((sum, { preview }) => sum + preview.tokensBackCents, 0),
        '代币',
      ),
    },
  ])
  await takeBack(ctx, undoable, reason.trim())
  return lines.map(({ preview }) => preview)
}

/**
 * Undoes these orders in one transaction, as `undoBatch` does; `settle` writes what belongs to them before the movements are posted last.
 * Each that cannot be undone is answered with its refusal.
 */
export async function undoOrders(
  ctx: Ctx,
  orderNos: readonly string[],
  { reason, askedAt }: { reason: string; askedAt: string },
  settle: (previews: readonly UndoPreview[]) => Promise<void>,
): Promise<void> {
  const lines = await assess(ctx, inArray(versionOrders.orderNo, [...orderNos]), {
    askedAt,
    reason,
    locks: true,
  })
  const undoable = lines.filter(({ preview }) => preview.refusal === null)
  await takeBack(ctx, undoable, reason, () => settle(lines.map(({ preview }) => preview)))
}

/** Quotes of the batch that were never paid are no part of what can be undone. */
function inBatch(batchNo: string): SQL | undefined {
  return and(eq(versionOrders.batchNo, batchNo), ne(versionOrders.status, 'quoted'))
}
