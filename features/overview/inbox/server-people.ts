// Who may be charged with what waits: colleagues who are let in, hold what it takes, and see the shop.
import { and, eq, inArray } from 'drizzle-orm'
import { peopleHolding } from '#features/office/access/server-holders.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { Ctx, InboxSource } from '#server/ctx.ts'

/** All who may do things of each of these kinds. */
export function peopleFor(ctx: Ctx, sources: readonly InboxSource[]) {
  const { actor } = ctx
  const isShared = actor.isVendorStaff && !sources.some(({ ofAgency }) => ofAgency)
  return peopleHolding(
    ctx,
    isShared ? 'staff' : { agentId: actor.agentId },
    sources.flatMap(({ permission, decides = permission }) => [permission, decides]),
  )
}

/** Whether whoever sees their own shops alone sees all of these. */
export async function looksAfterAll(
  ctx: Ctx,
  accountId: number,
  merchantIds: readonly number[],
): Promise<boolean> {
  if (merchantIds.length === 0) return true
  const rows = await ctx.db
    .select({ id: merchants.id })
    .from(merchants)
    .where(and(inArray(merchants.id, [...merchantIds]), eq(merchants.managerId, accountId)))
  return rows.length === new Set(merchantIds).size
}
