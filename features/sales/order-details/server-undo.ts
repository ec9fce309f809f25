// What an order's drawer tells of its undo.
import { and, desc, eq, or } from 'drizzle-orm'
import { type Details, tableOf } from '#features/money/ledger/server-details.ts'
import { SETTLEMENT_REFUSALS, UNDO_REQUEST_STATES, type UndoKind } from '#features/sales/settlement/rules.ts'
import { batchOf, isPending } from '#features/sales/settlement/server-pending.ts'
import { previewsOf } from '#features/sales/settlement/server-undo.ts'
import { undoRequests } from '#features/sales/settlement/tables.ts'
import { formatInstant } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { Refusal } from '#server/refuse.ts'

/** Why this cannot be undone now, or null; of a batch the first line's reason where no line can be. */
export async function undoRefusalOf(
  ctx: Ctx,
  asked: { kind: UndoKind; orderNo: string },
): Promise<string | null> {
  if (await isPending(ctx, asked, await batchOf(ctx, asked))) return SETTLEMENT_REFUSALS.UNDO_PENDING
  try {
    const previews = await previewsOf(ctx, asked, ctx.now.toISOString())
    const open = previews.some(({ refusal }) => refusal === null)
    return open ? null : (previews[0]?.refusal?.message ?? null)
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

/** Who asked for its undo, who decided, when and why; of a line of a batch also what was asked for the batch. */
export async function requestsTable(ctx: Ctx, { orderNo, batchNo }: Details) {
  const ofBatch =
    batchNo === null ? undefined : and(eq(undoRequests.kind, 'batch'), eq(undoRequests.orderNo, batchNo))
  const rows = await ctx.db
    .select()
    .from(undoRequests)
    .where(and(or(eq(undoRequests.orderNo, orderNo), ofBatch), ownRows(ctx, undoRequests.agentId)))
    .orderBy(desc(undoRequests.id))
  return tableOf(
    '撤销申请',
    ['申请人', '申请时间', '撤销原因', '状态', '审批人', '审批时间', '审批意见'],
    rows.map(row => ({
      cells: [
        row.requestedByName,
        formatInstant(row.requestedAt),
        row.reason,
        UNDO_REQUEST_STATES[row.state],
        row.decidedByName || '—',
        row.decidedAt ? formatInstant(row.decidedAt) : '—',
        row.decision || '—',
      ],
    })),
  )
}
