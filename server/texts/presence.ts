// Who looks at a conversation now: rows of a few seconds, so that every instance and both sides see the same.
import { and, asc, eq, gt, gte, ne, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { PRESENCE } from '#kit/words/talk.ts'
import { type Ctx, ownRows } from '../ctx.ts'

/** A table with `presenceColumns`, and its column that says which conversation. */
export type Presence = { table: PresenceTable; of: PgColumn }
type PresenceTable = PgTable & Record<'accountId' | 'agentId' | 'name' | 'seenAt' | 'typingAt', PgColumn>

const secondsAgo = (seconds: number) => sql`now() - make_interval(secs => ${seconds})`

/** Without the acting account. */
export async function listPeople(
  ctx: Ctx,
  { table, of }: Presence,
  id: number,
): Promise<{ name: string; typing: boolean }[]> {
  return ctx.db
    .select({
      name: sql<string>`${table.name}`,
      typing: sql<boolean>`coalesce(${table.typingAt} > ${secondsAgo(PRESENCE.typingForS)}, false)`,
    })
    .from(table as PgTable)
    .where(and(others(ctx, { table, of }, id), gte(table.seenAt, secondsAgo(PRESENCE.seenForS))))
    .orderBy(asc(table.name))
}

/** Says something to those who have it open now, of whatever agency, once it is kept. */
export async function tellPeople(
  ctx: Ctx,
  { table, of }: Presence,
  id: number,
  said: { event: string; payload: object },
): Promise<void> {
  const present = await ctx.db
    .select({ accountId: sql`${table.accountId}`.mapWith(Number) })
    .from(table as PgTable)
    .where(and(others(ctx, { table, of }, id), gt(table.seenAt, secondsAgo(PRESENCE.seenForS * 2))))
  const accountIds = present.map(({ accountId }) => accountId)
  ctx.afterCommit(() => ctx.services.push(accountIds, said.event, said.payload))
}

function others(ctx: Ctx, { table, of }: Presence, id: number): SQL | undefined {
  return and(
    eq(of, id),
    // Whoever made a program's key has not done what is done through it.
    ctx.actor.key === null ? ne(table.accountId, ctx.actor.accountId) : undefined,
    ownRows(ctx, table.agentId),
  )
}
