// What a window of the desk is worth: its shops, and what renewing them all for a year would cost.
import { and, eq, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { discountNow } from '#features/office/prices/server.ts'
import { placesBought } from '#features/sales/purchases/server-shops.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { yearPrices } from '#features/shops/versions/server.ts'
import { discounted } from '#kit/money.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import type { Window } from './rules.ts'
import { windowConditions } from './server-desk.ts'

/** `cents`: 1/100 token, each shop as its `yearCents` on the desk; shops without a yearly price count nothing. */
export async function yearOfWindow(ctx: Ctx, window: Window): Promise<{ count: number; cents: number }> {
  const years = await yearPrices(ctx)
  // Of each agent once, and not of each shop: what is grouped stays a step of its own.
  const terms = ctx.db.$with('terms').as(
    ctx.db
      .select({ agentId: agents.id, discountBasisPoints: discountNow().as('discount') })
      .from(agents)
      .where(ownRows(ctx, agents.id))
      .groupBy(agents.id),
  )
  const alike = await ctx.db
    .with(terms)
    .select({
      versionId: merchants.versionId,
      discountBasisPoints: terms.discountBasisPoints,
      places: placesBought,
      count: sql<number>`count(*)`.mapWith(Number),
    })
    .from(merchants)
    .innerJoin(terms, eq(terms.agentId, merchants.agentId))
    .where(and(...windowConditions(ctx, window, undefined, ctx.now)))
    .groupBy(merchants.versionId, terms.discountBasisPoints, placesBought)
  const yearCents = (shop: (typeof alike)[number]) =>
    discounted((years.get(shop.versionId) ?? 0) * shop.places, shop.discountBasisPoints)
  return {
    count: alike.reduce((sum, shops) => sum + shops.count, 0),
    cents: alike.reduce((sum, shops) => sum + yearCents(shops) * shops.count, 0),
  }
}
