// Requests to undo that wait: which of them stand in an undo's way, the amount that a second person is asked for by, and
// their end. A line of a bulk renewal and its batch are one thing here.
import { and, asc, eq, inArray, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { keepSetting } from '#features/office/reference-data/server-settings.ts'
import { officeSettings } from '#features/office/reference-data/tables.ts'
import { versionOrders } from '#features/sales/orders/tables.ts'
import type { Out } from '#kit/declare/op.ts'
import { amountText } from '#kit/money.ts'
import { type Ctx, ownRows, type Services, type Verb } from '#server/ctx.ts'
import { refuse } from '#server/refuse.ts'
import { actAsSystem } from '#server/system.ts'
import type { settlement as contract } from './contract.ts'
import {
  endOfRequests,
  REQUEST_CLOSED,
  type RequestClosed,
  refuseApprovalAmount,
  SETTLEMENT_REFUSALS,
  UNDO_REQUEST_STEPS,
  type UndoKind,
} from './rules.ts'
import { tellDecided } from './server-notices.ts'
import { undoRequests } from './tables.ts'

type Asked = { kind: UndoKind; orderNo: string }

/** The orders of a bulk renewal: all of its lines that were paid, undone ones too. */
export type Batch = { batchNo: string; lines: string[]; totalCents: number }

/** The bulk renewal that the order is of or is; null for any other order. `locks`: its orders, in the order of an undo. */
export async function batchOf(ctx: Ctx, { kind, orderNo }: Asked, locks = false): Promise<Batch | null> {
  const batchNo = kind === 'version' ? await batchNoOf(ctx, orderNo) : kind === 'batch' ? orderNo : null
  if (batchNo === null) return null
  const query = ctx.db
    .select({ orderNo: versionOrders.orderNo, totalCents: versionOrders.totalCents })
    .from(versionOrders)
    .where(
      and(
        eq(versionOrders.batchNo, batchNo),
        ne(versionOrders.status, 'quoted'),
        ownRows(ctx, versionOrders.agentId),
      ),
    )
    .orderBy(asc(versionOrders.id))
    .$dynamic()
  const rows = await (locks ? query.for('update') : query)
  return {
    batchNo,
    lines: rows.map(row => row.orderNo),
    totalCents: rows.reduce((sum, row) => sum + row.totalCents, 0),
  }
}

async function batchNoOf(ctx: Ctx, orderNo: string): Promise<string | null> {
  const [order] = await ctx.db
    .select({ batchNo: versionOrders.batchNo })
    .from(versionOrders)
    .where(and(eq(versionOrders.orderNo, orderNo), ownRows(ctx, versionOrders.agentId)))
  return order?.batchNo ?? null
}

/** Whether a request waits for this order, for the batch that it is a line of, or for a line of the batch that it is. */
export async function isPending(ctx: Ctx, asked: Asked, batch: Batch | null): Promise<boolean> {
  const rows = await ctx.db
    .select({ id: undoRequests.id })
    .from(undoRequests)
    .where(
      and(
        about(asked, batch),
        eq(undoRequests.state, 'pending'),
        sql`${undoRequests.requestedAt} > ${endOfRequests(ctx.now.toISOString())}`,
        ownRows(ctx, undoRequests.agentId),
      ),
    )
    .limit(1)
  return rows.length > 0
}

function about({ kind, orderNo }: Asked, batch: Batch | null): SQL | undefined {
  const itself = and(eq(undoRequests.kind, kind), eq(undoRequests.orderNo, orderNo))
  if (batch === null) return itself
  return kind === 'batch'
    ? or(itself, and(eq(undoRequests.kind, 'version'), inArray(undoRequests.orderNo, batch.lines)))
    : or(itself, and(eq(undoRequests.kind, 'batch'), eq(undoRequests.orderNo, batch.batchNo)))
}

/** Closes what waited for these too long, so that it can be asked for anew. */
export function closeExpired(ctx: Ctx, asked: Asked, batch: Batch | null): Promise<void> {
  const isPast = lte(undoRequests.requestedAt, endOfRequests(ctx.now.toISOString()))
  return close(ctx, and(about(asked, batch), isPast), 'expired')
}

/** Closes what still waits for version orders that are undone now. */
export async function closeUndone(ctx: Ctx, orderNos: readonly string[]): Promise<void> {
  if (orderNos.length === 0) return
  const isOne = and(eq(undoRequests.kind, 'version'), inArray(undoRequests.orderNo, [...orderNos]))
  await close(ctx, isOne, 'undone')
}

/** Rejects what nobody decided in time, and tells whoever asked. */
export async function endUndecided(services: Services): Promise<void> {
  const { from, to } = UNDO_REQUEST_STEPS.reject
  const decision = REQUEST_CLOSED.expired
  await actAsSystem(services, 'close-undo-requests', async ctx => {
    const ended = await ctx.db
      .update(undoRequests)
      .set({ state: to, decidedAt: ctx.now.toISOString(), decision })
      .where(
        and(
          lte(undoRequests.requestedAt, endOfRequests(ctx.now.toISOString())),
          inArray(undoRequests.state, from),
        ),
      )
      .returning()
    for (const request of ended) {
      const { requestedBy, totalCents } = request
      await tellDecided(ctx, { ...request, cents: totalCents }, 'rejected', { requestedBy, decision })
    }
  })
}

async function close(ctx: Ctx, which: SQL | undefined, why: RequestClosed): Promise<void> {
  const { from, to } = UNDO_REQUEST_STEPS.reject
  await ctx.db
    .update(undoRequests)
    .set({ state: to, decidedAt: ctx.now.toISOString(), decision: REQUEST_CLOSED[why] })
    .where(and(which, inArray(undoRequests.state, from), ownRows(ctx, undoRequests.agentId)))
}

/** What the operator sets for the whole office. */
const KEY = 'undo-approval-cents'

/** Above this an undo waits for approval, 1/100 token; null: never. */
export async function approvalCentsOf(ctx: Ctx): Promise<number | null> {
  const [row] = await ctx.db
    .select({ value: officeSettings.value })
    .from(officeSettings)
    .where(eq(officeSettings.key, KEY))
  return typeof row?.value === 'number' ? row.value : null
}

export async function undoSettings(ctx: Ctx): Promise<Out<typeof contract.undoSettings>> {
  return { approvalCents: await approvalCentsOf(ctx) }
}

const limitText = (cents: number | null) => (cents === null ? '不审批' : amountText(cents, '代币'))

export const setUndoSettings: Verb<typeof contract.setUndoSettings> = async (ctx, { approvalCents }) => {
  refuse(refuseApprovalAmount(approvalCents), SETTLEMENT_REFUSALS, { field: 'approval' })
  const before = await approvalCentsOf(ctx)
  await keepSetting(ctx, KEY, approvalCents)
  ctx.object('setting', 'undo-approval')
  ctx.note('撤销审批', [{ name: '审批金额', before: limitText(before), after: limitText(approvalCents) }])
  return { approvalCents }
}
