// The app's connections. Every unit of work runs as an identity that row-level security reads from the connection.
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'

/**
 * A connection that has prepared more is replaced, since the server keeps its statements as long as it lives. Lists have a
 * shape for each set of filters, more than are ever in use.
 */
const STATEMENTS_MAX = 500

/** Whose rows may be touched: one agent's, or all (vendor staff, and the program itself). */
export type Identity = { agentId: number; scope: 'own' | 'all' }

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
        lent.client.release(isBroken(failure) || lent.statements.size > STATEMENTS_MAX)
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
        lent.client.release(isBroken(failure) || lent.statements.size > STATEMENTS_MAX)
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
  const scope = identity.scope === 'all' ? 'all' : 'own'
  return `select set_config('app.agent_id', '${agentId}', ${local}), set_config('app.scope', '${scope}', ${local})`
}

/** A refused statement leaves the connection usable; a time-out or a lost link does not. */
function isBroken(failure: unknown): boolean {
  if (failure === undefined) return false
  const error = databaseError(failure)
  if (error) return error.code === undefined || error.code.startsWith('57P') || error.code.startsWith('08')
  const cause = failure instanceof Error ? (failure.cause ?? failure) : failure
  return cause instanceof Error && /timeout|terminated|ECONN|EPIPE|not queryable/i.test(cause.message)
}
