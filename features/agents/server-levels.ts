// The levels that agents have; what they pay stands in the price books.
import { asc, eq, sql } from 'drizzle-orm'
import type { Ctx } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import { agentLevels } from './tables.ts'

export type Level = typeof agentLevels.$inferSelect

export function levelsOf(ctx: Ctx): Promise<Level[]> {
  return ctx.db.select().from(agentLevels).orderBy(asc(agentLevels.id))
}

/** Adds a level where `id` is null, else names it anew. 'taken': another has that name; 'unknown': there is none. */
export async function saveLevel(
  ctx: Ctx,
  { id, name }: { id: number | null; name: string },
): Promise<{ before: Level | null; after: Level } | 'taken' | 'unknown'> {
  // The table has few rows and no counter of ids.
  await ctx.client.query('lock table agent_levels in share row exclusive mode')
  const levels = await levelsOf(ctx)
  const before = levels.find(level => level.id === id) ?? null
  if (id !== null && !before) return 'unknown'
  if (levels.some(level => level.name === name && level.id !== id)) return 'taken'
  const [after] =
    id === null
      ? await ctx.db
          .insert(agentLevels)
          .values({ id: sql`(select coalesce(max(id), 0) + 1 from agent_levels)`, name })
          .returning()
      : await ctx.db.update(agentLevels).set({ name }).where(eq(agentLevels.id, id)).returning()
  return { before, after: found(after) }
}
