// That somebody of the vendor looked prices and levels through: before, those of a fresh database are examples.
import { desc } from 'drizzle-orm'
import type { Ctx } from '#server/ctx.ts'
import { priceReviews } from './tables.ts'

export type Review = typeof priceReviews.$inferSelect

/** Null: nobody has, and prices are examples. */
export async function lastReview(ctx: Ctx): Promise<Review | null> {
  const [last] = await ctx.db.select().from(priceReviews).orderBy(desc(priceReviews.id)).limit(1)
  return last ?? null
}

/** Prices and levels are the office's own from here on. */
export async function noteReview(ctx: Ctx): Promise<void> {
  const { accountId, name } = ctx.actor
  await ctx.db
    .insert(priceReviews)
    .values({ reviewedAt: ctx.now.toISOString(), reviewedBy: accountId, reviewedByName: name })
}
