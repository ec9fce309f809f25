// The list of bulk renewals, with how much of each still stands and why it could not be undone.
import { and, desc, eq, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { UNDO_REFUSALS } from '#features/sales/orders/rules.ts'
import { versionOrders } from '#features/sales/orders/tables.ts'
import { undoRefusals } from '#features/sales/purchases/server-undo.ts'
import { renewalBatches } from '#features/sales/purchases/tables.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { filtered, type ListSource, ownCondition, rowsAndTotal } from '#server/list.ts'
import type { orderDetails as contract } from './contract.ts'
import { BATCHES } from './fields.ts'
import { batchStateOf } from './rules.ts'

const LATEST = { sort: 'paidAt desc', order: [desc(renewalBatches.paidAt), desc(renewalBatches.id)] }

const ofUndone = (what: string, name: string) =>
  sql<number>`(select ${sql.raw(what)} from ${versionOrders} where ${and(
    eq(versionOrders.batchNo, renewalBatches.batchNo),
    eq(versionOrders.agentId, renewalBatches.agentId),
    eq(versionOrders.status, sql.raw(`'recycled'`)),
  )})`
    .mapWith(Number)
    .as(name)

export const listBatches: Verb<typeof contract.batches> = async (ctx, input) => {
  const list: ListSource = {
    name: 'renewal_batches',
    table: renewalBatches,
    conditions: [
      ...ownCondition(ctx, renewalBatches.agentId),
      ...filtered(BATCHES, input, { agentId: renewalBatches.agentId, paid: renewalBatches.paidAt }),
    ],
    ...LATEST,
  }
  const { rows, ...totals } = await rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select({
        batchNo: renewalBatches.batchNo,
        agentId: renewalBatches.agentId,
        agentName: agents.companyName,
        orders: renewalBatches.orders,
        undoneOrders: ofUndone('count(*)', 'undone_orders'),
        totalCents: renewalBatches.totalCents,
        backCents: ofUndone('coalesce(sum(total_cents), 0)', 'back_cents'),
        createdByName: renewalBatches.createdByName,
        paidAt: renewalBatches.paidAt,
      })
      .from(renewalBatches)
      .innerJoin(page, eq(page.id, renewalBatches.id))
      .innerJoin(agents, eq(agents.id, renewalBatches.agentId))
      .orderBy(...LATEST.order),
  )
  const refusals = await refusalsOf(
    ctx,
    rows.map(({ batchNo }) => batchNo),
  )
  return {
    ...totals,
    rows: rows.map(row => ({
      ...row,
      state: batchStateOf(row.orders, row.undoneOrders),
      undo: { refusal: refusals.get(row.batchNo) ?? null },
    })),
  }
}

/** Why nothing of a batch can be undone: its first order's reason. None where something can. */
async function refusalsOf(ctx: Ctx, batchNos: readonly string[]): Promise<Map<string, string | null>> {
  if (!ctx.actor.permissions.has('settlement.undo')) return new Map()
  const lines = Map.groupBy(await undoRefusals(ctx, { batchNos }), ({ batchNo }) => batchNo)
  return new Map(
    batchNos.map(batchNo => {
      const [first, ...others] = lines.get(batchNo) ?? []
      if (!first) return [batchNo, UNDO_REFUSALS.UNDO_UNKNOWN]
      const isOpen = [first, ...others].some(({ refusal }) => refusal === null)
      return [batchNo, isOpen ? null : first.refusal]
    }),
  )
}
