// The levels that there are, and which of them an agent has from when; what they pay stands in the price books.
import { and, asc, eq, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type Ctx, ownRows, type Services } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import { actAsSystem } from '#server/system.ts'
import { agentLevelChanges, agentLevels, agents } from './tables.ts'

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

/** The level of an agent of the statement at a moment, by default now. */
export function levelOfAt(of: typeof agents = agents, moment: SQLWrapper = sql`now()`): SQL<number> {
  return sql<number>`level_at(${of.id}, ${of.levelId}, ${moment})`.mapWith(Number)
}

export type LevelChange = typeof agentLevelChanges.$inferSelect
type NewLevel = { agentId: number; fromLevelId: number; levelId: number }

/** Writes down which level an agent has from a moment, or from now, on. 'taken': another begins at that moment. */
export async function beginLevel(
  ctx: Ctx,
  { agentId, fromLevelId, levelId }: NewLevel,
  startsAt: string | null,
): Promise<'begun' | 'taken'> {
  const written = await ctx.db
    .insert(agentLevelChanges)
    .values({
      ...{ agentId, fromLevelId, levelId },
      // Cut and not rounded to the milliseconds that are kept: what begins now has begun.
      // Behind a lock: a level begins after the one that was waited for.
      startsAt: startsAt ?? sql<string>`date_trunc('milliseconds', clock_timestamp())`,
      createdBy: ctx.actor.accountId,
      createdByName: ctx.actor.name,
      // Behind a lock: a level begins after the one that was waited for.
      createdAt: sql`clock_timestamp()`,
    })
    .onConflictDoNothing()
    .returning({ id: agentLevelChanges.id })
  if (written.length === 0) return 'taken'
  if (startsAt === null) await ctx.db.update(agents).set({ levelId }).where(eq(agents.id, agentId))
  return 'begun'
}

/** Takes back what has not begun; `kept` says why not. */
export async function withdrawLevel(
  ctx: Ctx,
  id: number,
): Promise<{ row: LevelChange; kept: 'HAS_BEGUN' | 'IS_WITHDRAWN' | null }> {
  const [change] = await ctx.db
    .select()
    .from(agentLevelChanges)
    .where(and(eq(agentLevelChanges.id, id), ownRows(ctx, agentLevelChanges.agentId)))
    .for('no key update')
  const row = found(change)
  if (row.withdrawnAt !== null) return { row, kept: 'IS_WITHDRAWN' }
  // It may have begun while its lock was waited for.
  if (Date.parse(row.startsAt) <= ctx.services.clock.now().getTime()) return { row, kept: 'HAS_BEGUN' }
  await ctx.db
    .update(agentLevelChanges)
    // Behind a lock: a level begins after the one that was waited for.
    .set({ withdrawnAt: sql`clock_timestamp()`, withdrawnByName: ctx.actor.name })
    .where(and(eq(agentLevelChanges.id, id), isNull(agentLevelChanges.withdrawnAt)))
  return { row, kept: null }
}

/** What stands at the agent, by which lists filter, follows what has begun; prices do not wait for it. */
export async function followLevels(services: Services): Promise<boolean> {
  await actAsSystem(services, 'agent levels', ctx =>
    ctx.client.query(
      `update agents a set level_id = begun.level_id from (
         select distinct on (agent_id) agent_id, level_id from agent_level_changes
         where withdrawn_at is null and starts_at <= now() order by agent_id, starts_at desc) as begun
       where begun.agent_id = a.id and a.level_id <> begun.level_id`,
    ),
  )
  return false
}
