// What a window of the desk is worth: its shops, and what renewing them all for a year would cost.
import { and, eq, sql } from 'drizzle-orm'
import { agentLevels, agents } from '#features/agents/tables.ts'
import { merchants } from '#features/merchants/tables.ts'
import { shopsOf } from '#features/purchases/rules.ts'
import { versions } from '#features/versions/tables.ts'
import { discounted } from '#kit/money.ts'
import type { Ctx } from '#server/ctx.ts'
import type { Window } from './rules.ts'
import { windowConditions } from './server-desk.ts'

/** `cents`: 1/100 token, each shop as its `yearCents` on the desk; shops without a yearly price count nothing. */
export async function yearOfWindow(ctx: Ctx, window: Window): Promise<{ count: number; cents: number }> {
  const alike = await ctx.db
    .select({
      priceYearCents: versions.priceYearCents,
      discountBasisPoints: agentLevels.discountBasisPoints,
      shopsBought: merchants.shopsBought,
      count: sql<number>`count(*)`.mapWith(Number),
    })
    .from(merchants)
    .innerJoin(agents, eq(agents.id, merchants.agentId))
    .innerJoin(agentLevels, eq(agentLevels.id, agents.levelId))
    .innerJoin(versions, eq(versions.id, merchants.versionId))
    .where(and(...windowConditions(ctx, window, undefined, new Date())))
    .groupBy(versions.priceYearCents, agentLevels.discountBasisPoints, merchants.shopsBought)
  const yearCents = (shop: (typeof alike)[number]) =>
    discounted((shop.priceYearCents ?? 0) * shopsOf(shop), shop.discountBasisPoints)
  return {
    count: alike.reduce((sum, shops) => sum + shops.count, 0),
    cents: alike.reduce((sum, shops) => sum + yearCents(shops) * shops.count, 0),
  }
}
