// The app's connections. Every unit of work runs as an identity that row-level security reads from the connection.
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { Refusal } from './refuse.ts'

/**
 * A connection that has prepared more is replaced, since the server keeps its statements as long as it lives. Lists have a
 * shape for each set of filters, more than are ever in use.
 */
const STATEMENTS_MAX = 500

/** Whose rows may be touched: one agent's, also read those of the agents under it, or all (vendor staff, and the program itself). */
export type Identity = { agentId: number; scope: 'own' | 'below' | 'all' }

export const SYSTEM: Identity = { agentId: 0, scope: 'all' }

export type Db = NodePgDatabase

/** One connection while it is lent out. */
export type Lent = {
  db: Db
  client: pg.PoolClient
  /** Builds a statement once per connection and key. */
  prepared<T>(key: string, build: (db: Db) => T): T
}

type Kept = Lent & { identity: string; statements: Map<string, unknown> }

export type Database = {
  pool: pg.Pool
  /** Runs statements without a transaction, as `identity`. */
  read<T>(identity: Identity, work: (lent: Lent) => Promise<T>): Promise<T>
  /** Runs one transaction as `identity`; commits when `work` resolves, or rejects with an error that `keeps`. */
  write<T>(
    identity: Identity,
    work: (lent: Lent) => Promise<T>,
    keeps?: (error: unknown) => boolean,
  ): Promise<T>
  close(): Promise<void>
}

export type DatabaseOptions = {
  url: string
  poolSize: number
  /** Bounds each statement on both sides. */
  queryTimeoutMs: number
  /** Hears of connections that die while nobody uses them. */
  onProblem: (error: unknown) => void
}

/** A pool of connections as the app's role. */
export function openDatabase(options: DatabaseOptions): Database {
  // Not in the published types yet: statements are sent without waiting for the answer to the one before.
  const sending = { pipeline: true }
  const pool = new pg.Pool({
    ...sending,
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    query_timeout: options.queryTimeoutMs + 1_000,
    statement_timeout: options.queryTimeoutMs,
    idle_in_transaction_session_timeout: 30_000,
    lock_timeout: options.queryTimeoutMs,
    keepAlive: true,
    options: '-c timezone=UTC',
    application_name: 'partner-office',
  })
  const kept = new WeakMap<pg.PoolClient, Kept>()
  // An idle connection that dies is replaced by the pool; it is no failure of anyone's request.
  pool.on('error', options.onProblem)

  async function lend(): Promise<Kept> {
    const client = await pool.connect()
    const known = kept.get(client)
    if (known) return known
    // One that dies between two statements of whoever holds it: the next statement tells, and the pool takes it out.
    client.on('error', options.onProblem)
    const db = drizzle(client)
    const statements = new Map<string, unknown>()
    const fresh: Kept = {
      db,
      client,
      identity: '',
      statements,
      prepared<T>(key: string, build: (db: Db) => T): T {
        if (!statements.has(key)) statements.set(key, build(db))
        return statements.get(key) as T
      },
    }
    kept.set(client, fresh)
    return fresh
  }

  return {
    pool,
    async read(identity, work) {
      const lent = await lend()
      const wanted = `${identity.agentId} ${identity.scope}`
      let failure: unknown
      try {
        if (lent.identity === wanted) return await work(lent)
        lent.identity = ''
        // Sent together with the work's first statement, and looked at before the work's result is given out.
        const settled = Promise.allSettled([lent.client.query(settingsSql(identity, false))])
        const result = await work(lent)
        const [setting] = await settled
        if (setting.status === 'rejected') throw setting.reason
        lent.identity = wanted
        return result
      } catch (error) {
        failure = error
        throw error
      } finally {
        if (failure === undefined || failure instanceof Refusal)
          lent.client.release(lent.statements.size > STATEMENTS_MAX)
        else discard(lent.client)
      }
    },
    async write(identity, work, keeps) {
      const lent = await lend()
      let failure: unknown
      try {
        await lent.client.query(`begin; ${settingsSql(identity, true)}`)
        try {
          const result = await work(lent)
          await lent.client.query('commit')
          return result
        } catch (error) {
          await lent.client.query(keeps?.(error) ? 'commit' : 'rollback')
          throw error
        }
      } catch (error) {
        failure = error
        throw error
      } finally {
        lent.client.release(isLinkFailure(failure) || lent.statements.size > STATEMENTS_MAX)
      }
    },
    close: () => pool.end(),
  }
}

/** The code of a database error (SQLSTATE), or undefined. Drizzle wraps the driver's error as its cause. */
export function sqlState(error: unknown): string | undefined {
  return databaseError(error)?.code
}

/** The driver's error inside `error`, or null. */
export function databaseError(error: unknown): pg.DatabaseError | null {
  if (error instanceof pg.DatabaseError) return error
  if (error instanceof Error && error.cause !== undefined) return databaseError(error.cause)
  return null
}

function settingsSql(identity: Identity, local: boolean): string {
  const agentId = Number(identity.agentId)
  if (!Number.isSafeInteger(agentId)) throw new Error('agent id is not an integer')
  const scope = (['all', 'below'] as const).find(known => known === identity.scope) ?? 'own'
  return `select set_config('app.agent_id', '${agentId}', ${local}), set_config('app.scope', '${scope}', ${local})`
}

/**
 * Closes a connection at once. Another statement of the same work may still run on it, and the driver would wait for that
 * one before anybody waiting gets the place.
 */
function discard(client: pg.PoolClient): void {
  client.release(true)
  const { connection } = client as pg.PoolClient & Pick<pg.Client, 'connection'>
  connection.stream.destroy()
}

const LINK_STATES = /^(08|57P)|^25P03$/
const LINK_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])
const LINK_WORDS =
  /timeout exceeded when trying to connect|query read timeout|connection terminated|not queryable/i

/** The pool is full, or the link was refused, lost or silent. A refused statement leaves the connection usable; this does not. */
export function isLinkFailure(error: unknown): boolean {
  const first = firstCause(error)
  if (first instanceof pg.DatabaseError) return first.code === undefined || LINK_STATES.test(first.code)
  if (!(first instanceof Error)) return false
  const { code = '' } = first as NodeJS.ErrnoException
  return LINK_CODES.has(code) || LINK_WORDS.test(first.message)
}

/** The driver's own error: what Drizzle wraps it in repeats the statement's values. */
export function firstCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? firstCause(error.cause) : error
}
