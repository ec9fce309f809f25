// Changes of tables beside programs that use them: every lock is had at once and soon, or none, and then tried again. Whoever reads or writes
// meanwhile waits no longer than that; and since nothing is waited for while something is held, nobody is caught in a circle.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

export type LockLimits = {
  /** All locks together; below the second after which the database looks for circles. */
  locksMs: number
  /** Between two tries, so that those who waited are served. */
  restMs: number
  /** All tries. */
  giveUpMs: number
}

export const LOCK_LIMITS: LockLimits = { locksMs: 500, restMs: 400, giveUpMs: 100_000 }
/** The first try, and as much more each that follows: a statement that holds one table and waits for another is in the way as long as we wait. */
const LOCKS_FIRST_MS = 50

/** A lock was not had in time, a circle, a statement that took too long. */
const AGAIN = new Set(['55P03', '40P01', '57014'])

/** Tables and views that are the owner's, which a change of the schema may touch: partitions go with their parents. */
const TABLES = `select string_agg(format('%I.%I', n.nspname, c.relname), ', ' order by n.nspname, c.relname) as names
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('own_shops', 'public') and c.relkind in ('r', 'p', 'v') and not c.relispartition
    and pg_get_userbyid(c.relowner) = current_user`

/** Within a transaction: all tables, or an error that `again` knows. */
export async function lockAll(owner: pg.Client, locksMs: number): Promise<void> {
  const { rows } = await owner.query<{ names: string | null }>(TABLES)
  const names = rows[0]?.names
  if (!names) return
  await owner.query(`set local statement_timeout = ${locksMs}`)
  await owner.query(`lock table ${names} in access exclusive mode`)
  await owner.query('set local statement_timeout = 0')
}

/** Drizzle wraps the driver's error as its cause. */
function stateOf(error: unknown): string {
  if (error instanceof pg.DatabaseError) return error.code ?? ''
  return error instanceof Error && error.cause !== undefined ? stateOf(error.cause) : ''
}

/** Does the work, which is told how long it may wait for locks, until it has them. What has not had them for too long says who holds them. */
export async function again<T>(
  owner: pg.Client,
  { locksMs, restMs, giveUpMs }: LockLimits,
  work: (locksMs: number) => Promise<T>,
  undo: () => Promise<unknown> = async () => undefined,
): Promise<T> {
  const startedMs = performance.now()
  for (let tries = 1; ; tries++) {
    try {
      return await work(Math.min(locksMs, tries * LOCKS_FIRST_MS))
    } catch (error) {
      await undo()
      if (!AGAIN.has(stateOf(error))) throw error
      if (performance.now() - startedMs > giveUpMs) throw await tooLong(owner, error)
      // Not at the same moments as another that tries.
      await pause(restMs * (0.75 + Math.random() / 2))
    }
  }
}

/** Whoever has been at work the longest is in the way, most often. */
async function tooLong(owner: pg.Client, cause: unknown): Promise<Error> {
  const { rows } = await owner.query<{ pid: number; name: string; seconds: number; query: string }>(
    `select pid, coalesce(application_name, '') as name, extract(epoch from now() - xact_start)::int as seconds, left(query, 80) as query
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
     order by xact_start limit 1`,
  )
  const [longest] = rows
  const who = longest
    ? `process ${longest.pid} of the database (${longest.name}) has been at work for ${longest.seconds} s: ${longest.query}`
    : 'nobody is seen at work'
  return new Error(`The tables cannot be had to bring them to the new schema: ${who}`, { cause })
}
