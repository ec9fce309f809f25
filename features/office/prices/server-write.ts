// Where discounts and campaigns are written down, and what has not begun is withdrawn; features/office/prices/desk says who may and what.
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Ctx } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import { inForce } from './rules.ts'
import { NOW_ON } from './server.ts'
import { discounts, priceCampaigns, prices } from './tables.ts'

export type PriceRow = typeof prices.$inferSelect
export type DiscountRow = typeof discounts.$inferSelect
export type CampaignRow = typeof priceCampaigns.$inferSelect

// Behind a lock: a price begins after the one that was waited for.
const NOW = sql<string>`clock_timestamp()`
const by = ({ actor }: Ctx) => ({ createdBy: actor.accountId, createdByName: actor.name, createdAt: NOW })

/** Why something is not withdrawn: it has begun, or was withdrawn. */
type Kept = 'HAS_BEGUN' | 'IS_WITHDRAWN'

/** One that holds already too, as long as nothing was sold at it: the one before holds again. */
export async function withdrawPrice(
  ctx: Ctx,
  id: number,
): Promise<{ row: PriceRow; kept: Kept | 'IS_SOLD' | null }> {
  const [row] = await ctx.db.select().from(prices).where(eq(prices.id, id)).for('no key update')
  const begun = keptOf(ctx, found(row))
  const kept = begun === 'HAS_BEGUN' ? await keptBegun(ctx, found(row)) : begun
  if (kept === null)
    await ctx.db
      .update(prices)
      .set({ withdrawnAt: NOW, withdrawnByName: ctx.actor.name })
      .where(eq(prices.id, id))
  return { row: found(row), kept }
}

async function keptBegun(ctx: Ctx, row: PriceRow): Promise<'HAS_BEGUN' | 'IS_SOLD' | null> {
  const line = await ctx.db
    .select()
    .from(prices)
    .where(
      and(
        eq(prices.book, row.book),
        eq(prices.item, row.item),
        eq(prices.part, row.part),
        eq(prices.kind, row.kind),
      ),
    )
  if (inForce(line, ctx.services.clock.now().toISOString())?.id !== row.id) return 'HAS_BEGUN'
  const [sold] = await ctx.db.select({ isSold: IS_SOLD }).from(prices).where(eq(prices.id, row.id))
  return found(sold).isSold ? 'IS_SOLD' : null
}

/** Whether something was sold since a price began, as a column beside `prices`. */
export const IS_SOLD = sql<boolean>`price_sold(${prices.book}, ${prices.item}, ${prices.part}, ${prices.startsAt})`

export async function withdrawDiscount(
  ctx: Ctx,
  id: number,
): Promise<{ row: DiscountRow; kept: Kept | null }> {
  const [row] = await ctx.db.select().from(discounts).where(eq(discounts.id, id)).for('no key update')
  const kept = keptOf(ctx, found(row))
  if (kept === null)
    await ctx.db
      .update(discounts)
      .set({ withdrawnAt: NOW, withdrawnByName: ctx.actor.name })
      .where(eq(discounts.id, id))
  return { row: found(row), kept }
}

/** Under its lock: it may have begun while that was waited for. */
function keptOf(
  { services }: Ctx,
  { startsAt, withdrawnAt }: Pick<PriceRow, 'startsAt' | 'withdrawnAt'>,
): Kept | null {
  if (withdrawnAt !== null) return 'IS_WITHDRAWN'
  return Date.parse(startsAt) <= services.clock.now().getTime() ? 'HAS_BEGUN' : null
}

type NewDiscount = Pick<typeof discounts.$inferInsert, 'levelId' | 'agentId' | 'book' | 'basisPoints'>

/** Without a moment it begins now. */
export async function beginDiscount(ctx: Ctx, wanted: NewDiscount, startsAt: string | null): Promise<void> {
  await ctx.client.query(`select pg_advisory_xact_lock(hashtext('discounts'))`)
  await ctx.db.insert(discounts).values({ ...wanted, ...by(ctx), startsAt: startsAt ?? NOW_ON })
}

type NewCampaign = Omit<
  typeof priceCampaigns.$inferInsert,
  'id' | 'startsAt' | 'createdBy' | 'createdByName' | 'createdAt' | 'endedAt' | 'endedByName'
>

export async function addCampaign(ctx: Ctx, wanted: NewCampaign, startsAt: string | null): Promise<number> {
  const [row] = await ctx.db
    .insert(priceCampaigns)
    .values({ ...wanted, ...by(ctx), startsAt: startsAt ?? NOW_ON })
    .returning({ id: priceCampaigns.id })
  return found(row).id
}

/** From now on it holds no more; null: it has ended. */
export async function endCampaign(ctx: Ctx, id: number): Promise<CampaignRow | null> {
  const [row] = await ctx.db
    .select()
    .from(priceCampaigns)
    .where(eq(priceCampaigns.id, id))
    .for('no key update')
  const { endsAt, endedAt } = found(row)
  if (endedAt !== null || (endsAt !== null && Date.parse(endsAt) <= ctx.services.clock.now().getTime()))
    return null
  await ctx.db
    .update(priceCampaigns)
    .set({ endedAt: NOW, endedByName: ctx.actor.name })
    .where(and(eq(priceCampaigns.id, id), isNull(priceCampaigns.endedAt)))
  return found(row)
}
