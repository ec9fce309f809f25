// Where a shop belongs: its agent and its head shop. Only the after-sales tools change it; they have locked the shops.
import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { found, refuseCommon } from '#server/refuse.ts'
import { merchants } from './tables.ts'

type Merchant = typeof merchants.$inferSelect

/** A shop and its branches, locked in the order of their ids; NOT_FOUND where it is not the acting agent's. */
export async function lockGroup(ctx: Ctx, id: number): Promise<{ head: Merchant; branches: Merchant[] }> {
  const group = and(or(eq(merchants.id, id), eq(merchants.headId, id)), ownRows(ctx, merchants.agentId))
  const locked = await ctx.db.select().from(merchants).where(group).orderBy(asc(merchants.id)).for('update')
  const head = found(locked.find(shop => shop.id === id))
  ctx.about(head.id)
  // A branch that joined before its head was locked is not among them; none can join any more.
  if ((await ctx.db.$count(merchants, group)) !== locked.length) refuseCommon('BUSY')
  return { head, branches: locked.filter(shop => shop.id !== id) }
}

const revision = sql`${merchants.revision} + 1`

/** Gives these shops to another agent, without the manager that they had at the present one. */
export async function moveToAgent(ctx: Ctx, merchantIds: readonly number[], agentId: number): Promise<void> {
  await ctx.db
    .update(merchants)
    .set({ agentId, managerId: null, revision })
    .where(and(inArray(merchants.id, [...merchantIds]), ownRows(ctx, merchants.agentId)))
}

/** Makes a shop a branch of `headId`, or a head of its own with null. */
export async function setHead(ctx: Ctx, merchantId: number, headId: number | null): Promise<void> {
  await ctx.db
    .update(merchants)
    .set({ headId, storeKind: headId === null ? 'head' : 'branch', revision })
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
}
