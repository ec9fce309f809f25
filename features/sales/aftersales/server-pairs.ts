// Which version a shop's version may be adjusted to, as the operator keeps it; a pair is switched off, never deleted.

import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#server/ctx.ts'
import { versionAdjustments } from './tables.ts'

type Pair = typeof versionAdjustments.$inferSelect

/** Writes the pair; answers what it was, or null where it is new. */
export async function savePair(ctx: Ctx, pair: Pair): Promise<Pair | null> {
  const { fromVersionId, toVersionId, enabled } = pair
  const [before] = await ctx.db
    .select()
    .from(versionAdjustments)
    .where(
      and(
        eq(versionAdjustments.fromVersionId, fromVersionId),
        eq(versionAdjustments.toVersionId, toVersionId),
      ),
    )
    .for('update')
  await ctx.db
    .insert(versionAdjustments)
    .values(pair)
    .onConflictDoUpdate({
      target: [versionAdjustments.fromVersionId, versionAdjustments.toVersionId],
      set: { enabled },
    })
  return before ?? null
}
