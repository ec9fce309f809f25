// The app's connections. Every unit of work runs as an identity that row-level security reads from the connection.
import type { Socket } from 'node:net'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { OWN_SHOPS_ROLE } from './postgres/migrate.ts'
import { Refusal } from './refuse.ts'
import { placeFor } from './rooms.ts'
import { fairShares, type ShareLimits, type Shares } from './shares.ts'

/**
 * A connection that has prepared more is replaced, since the server keeps its statements as long as it lives. Lists have a
 * shape for each set of filters, more than are ever in use.
 */
const STATEMENTS_MAX = 500

/**
 * What every connection of the app says of itself. A statement has one processor: helpers take longer to begin than a list takes, and are
 * taken from somebody else.
 */
export const SESSION_OPTIONS = '-c timezone=UTC -c max_parallel_workers_per_gather=0'

/** Whose rows may be touched: one agent's, also read those of the agents under it, or all (vendor staff, and the program itself). */
export type Identity = {
  agentId: number
  scope: 'own' | 'below' | 'all'
  ownShops?: OwnShops
  /** Whose share of the connections it takes, where that is not the agent's; the program itself takes none. */
  party?: Party | null
}

/** An agent's, or that of everybody at one address who is not signed in. */
export type Party = { agentId: number } | { address: string }

/** Whose shops alone are seen of the agent's, and by which walls: views that stand before the tables, policies behind them. */
export type OwnShops = { managerId: number; views: boolean; policies: boolean }

export const SYSTEM: Identity = { agentId: 0, scope: 'all' }

export type Db = NodePgDatabase

/** One connection while it is lent out. */
export type Lent = {
  db: Db
  client: pg.PoolClient
  /** Builds a statement once per connection and key. */
  prepared<T>(key: string, build: (db: Db) => T): T
  /**
   * The last statement of a transaction, sent together with the commit and waited for with it. What the database refuses of it takes all
   * back, and is thrown as if the work had met it.
   */
  withCommit(statement: pg.QueryConfig): void
}

type Kept = Lent & { identity: string; statements: Map<string, unknown>; last: pg.QueryConfig[] }

export type Database = {
  /** Its connections read only (25006): what writes says so to each transaction, as `write` does. */
  pool: pg.Pool
  /** Runs statements without a transaction, as `identity`. */
  read<T>(identity: Identity, work: (lent: Lent) => Promise<T>): Promise<T>
  /** Runs one transaction that reads only, for what needs one: a cursor. */
  readAtOnce<T>(identity: Identity, work: (lent: Lent) => Promise<T>): Promise<T>
  /** Runs one transaction as `identity`; commits when `work` resolves, or rejects with an error that `keeps`. */
  write<T>(
    identity: Identity,
    work: (lent: Lent) => Promise<T>,
    keeps?: (error: unknown) => boolean,
  ): Promise<T>
  /** Pieces of work that hold a connection or wait for one, and how many bytes all have heard of the database. */
  underWay(): { pieces: number; heardBytes: number }
  /** While it stands still, what is under way fails at once, and so does what comes. */
  stand(isStill: boolean): void
  close(): Promise<void>
}

export type DatabaseOptions = {
  url: string
  poolSize: number
  /** Bounds each statement on both sides. */
  queryTimeoutMs: number
  /** Names that stand before PostgreSQL's own (`Clock.sqlPath`). */
  sqlPath?: string | undefined
  /** Hears of connections that die while nobody uses them. */
  onProblem: (error: unknown) => void
}

/**
 * Connections as the app's role. Accounts that see their own shops alone have others, so that the statements of everybody else
 * are planned as if there were none of them.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const main = openPool(options, { role: null, path: null })
  const narrow = new Map<string, Database>()
  let standsStill = false

  function poolFor({ ownShops }: Identity): Database {
    if (!ownShops) return main
    const { views, policies } = ownShops
    const key = `${views} ${policies}`
    const known = narrow.get(key)
    if (known) return known
    const path = ['own_shops', 'public', ...(options.sqlPath ? [options.sqlPath] : [])].join(',')
    const as = { role: policies ? OWN_SHOPS_ROLE : null, path: views ? path : null }
    const made = openPool({ ...options, poolSize: Math.max(2, Math.ceil(options.poolSize / 2)) }, as)
    made.stand(standsStill)
    narrow.set(key, made)
    return made
  }

  return {
    pool: main.pool,
    read: (identity, work) => poolFor(identity).read(identity, work),
    readAtOnce: (identity, work) => poolFor(identity).readAtOnce(identity, work),
    write: (identity, work, keeps) => poolFor(identity).write(identity, work, keeps),
    underWay() {
      const all = [main, ...narrow.values()].map(one => one.underWay())
      return {
        pieces: all.reduce((sum, { pieces }) => sum + pieces, 0),
        heardBytes: all.reduce((sum, { heardBytes }) => sum + heardBytes, 0),
      }
    },
    stand(isStill) {
      standsStill = isStill
      for (const one of [main, ...narrow.values()]) one.stand(isStill)
    },
    async close() {
      await Promise.all([main, ...narrow.values()].map(({ close }) => close()))
    },
  }
}

/** `role` and `path` where they are not the app's own. */
function openPool(options: DatabaseOptions, as: { role: string | null; path: string | null }): Database {
  // Not in the published types yet: statements are sent without waiting for the answer to the one before.
  const sending = { pipeline: true }
  const pool = new pg.Pool({
    ...sending,
    connectionString: as.role ? urlAs(options.url, as.role) : options.url,
    max: options.poolSize,
    // Whoever still waits for a place then is told that it is busy.
    connectionTimeoutMillis: Math.max(options.queryTimeoutMs / 2, LEAST_WAIT_MS),
    idleTimeoutMillis: IDLE_MS,
    query_timeout: options.queryTimeoutMs + 1_000,
    statement_timeout: options.queryTimeoutMs,
    idle_in_transaction_session_timeout: 30_000,
    lock_timeout: options.queryTimeoutMs,
    keepAlive: true,
    options: `${SESSION_OPTIONS} -c default_transaction_read_only=on${as.path ? ` -c search_path=${as.path}` : ''}`,
    application_name: 'partner-office',
  })
  const kept = new WeakMap<pg.PoolClient, Kept>()
  const places = makePlaces(options)
  const clients = new Set<pg.PoolClient>()
  pool.on('connect', client => {
    clients.add(client)
    sendTogether(client)
  })
  pool.on('remove', client => clients.delete(client))
  const waiting = new Set<(error: Error) => void>()
  let isStill = false
  // An idle connection that dies is replaced by the pool; it is no failure of anyone's request.
  pool.on('error', options.onProblem)

  /** Of the pool, or nothing while the database stands still: whoever waits need not wait until the pool has lost patience. */
  async function clientOf(): Promise<pg.PoolClient> {
    if (isStill) throw new StandstillError()
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
    waiting.add(reject)
    pool.connect().then(client => (waiting.has(reject) ? resolve(client) : client.release()), reject)
    return promise.finally(() => waiting.delete(reject))
  }

  async function connect(): Promise<Kept> {
    const client = await clientOf()
    const known = kept.get(client)
    if (known) return known
    // One that dies between two statements of whoever holds it: the next statement tells, and the pool takes it out.
    client.on('error', options.onProblem)
    const db = drizzle(client)
    const statements = new Map<string, unknown>()
    const last: pg.QueryConfig[] = []
    const fresh: Kept = {
      db,
      client,
      identity: '',
      statements,
      last,
      withCommit(statement) {
        last.push(statement)
      },
      prepared<T>(key: string, build: (db: Db) => T): T {
        if (!statements.has(key)) statements.set(key, build(db))
        return statements.get(key) as T
      },
    }
    kept.set(client, fresh)
    return fresh
  }

  /** In its turn; `free` ends that, once the connection is given back. */
  async function lend(identity: Identity): Promise<{ lent: Kept; free: () => void }> {
    const free = await placeOf(places, identity)
    try {
      return { lent: await connect(), free }
    } catch (error) {
      free()
      throw error
    }
  }

  async function transact<T>(
    mode: 'read only' | 'read write',
    identity: Identity,
    work: (lent: Lent) => Promise<T>,
    keeps?: (error: unknown) => boolean,
  ): Promise<T> {
    const { lent, free } = await lend(identity)
    let failure: unknown
    try {
      lent.last.length = 0
      // With the work's first statement, and looked at before anything is kept: without it the connection reads only.
      const begun = Promise.allSettled([lent.client.query(`begin ${mode}; ${settingsSql(identity, true)}`)])
      try {
        const result = await work(lent)
        throwFirst(await begun)
        const last = lent.last.splice(0).map(statement => lent.client.query(statement))
        throwFirst(await Promise.allSettled([...last, lent.client.query('commit')]))
        return result
      } catch (error) {
        await lent.client.query(keeps?.(error) ? 'commit' : 'rollback')
        // What the work ran into was then no more than that.
        throwFirst(await begun)
        throw error
      }
    } catch (thrown) {
      const error = isOfStandby(thrown) ? new StandbyError() : thrown
      failure = error
      throw error
    } finally {
      lent.client.release(isLinkFailure(failure) || lent.statements.size > STATEMENTS_MAX)
      free()
    }
  }

  return {
    pool,
    async read(identity, work) {
      const { lent, free } = await lend(identity)
      const wanted = `${identity.agentId} ${identity.scope} ${identity.ownShops?.managerId ?? ''}`
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
        free()
      }
    },
    // Whoever takes a file along has a place for that already, and has it long.
    readAtOnce: (identity, work) => transact('read only', { ...identity, party: null }, work),
    write: (identity, work, keeps) => transact('read write', identity, work, keeps),
    underWay: () => ({
      pieces: pool.totalCount - pool.idleCount + waiting.size,
      heardBytes: [...clients].reduce((sum, client) => sum + streamOf(client).bytesRead, 0),
    }),
    stand(now) {
      isStill = now
      if (!now) return
      for (const reject of waiting) reject(new StandstillError())
      waiting.clear()
      for (const client of clients) streamOf(client).destroy()
    },
    close: () => pool.end(),
  }
}

function throwFirst(settled: readonly PromiseSettledResult<unknown>[]): void {
  for (const one of settled) if (one.status === 'rejected') throw one.reason
}

/** What is asked of a connection before this turn of the program ends goes in one piece: to write takes longer than to make what is written. */
function sendTogether(client: pg.PoolClient): void {
  const stream = streamOf(client)
  let isHeld = false
  const asked = (...given: unknown[]) => {
    if (!isHeld) {
      isHeld = true
      stream.cork()
      process.nextTick(() => {
        isHeld = false
        stream.uncork()
      })
    }
    return (pg.Client.prototype.query as (...given: unknown[]) => unknown).apply(client, given)
  }
  client.query = asked as typeof client.query
}

/** The values of all of one connection's work, sent at once; none uses the connection any more when one's failure is told. */
export async function together<const Work extends readonly unknown[]>(
  work: Work,
): Promise<{ -readonly [At in keyof Work]: Awaited<Work[At]> }> {
  const settled = await Promise.allSettled(work)
  return settled.map(one => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  }) as { -readonly [At in keyof Work]: Awaited<Work[At]> }
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

/** Some megabytes of the database's for each connection: what a burst opened is closed soon; those that are lent again and again stay. */
const IDLE_MS = 10_000
/** So long at least, to open a connection. */
const LEAST_WAIT_MS = 5_000

/** Serialization and deadlock, lock wait, statement time-out, too many connections, no memory, a limit of the server's. */
const BUSY_STATES = new Set(['40001', '40P01', '55P03', '57014', '53300', '53200', '53400'])
/** Of the database; of the folder of files. */
const FULL_CODES = new Set(['53100', 'ENOSPC', 'EDQUOT'])

/** Others were in the way: the same may do when it is asked again. */
export function isContention(error: unknown): boolean {
  return BUSY_STATES.has(sqlState(error) ?? '')
}

/** There is no room left to write to; what is read is answered. */
export function isOutOfSpace(error: unknown): boolean {
  const first = firstCause(error)
  return first instanceof Error && FULL_CODES.has((first as NodeJS.ErrnoException).code ?? '')
}

function settingsSql({ agentId, scope, ownShops }: Identity, local: boolean): string {
  const known = (['all', 'below'] as const).find(one => one === scope) ?? 'own'
  const settings = [
    ['agent_id', wholeOf(agentId)],
    ['scope', known],
    ...(ownShops ? [['manager_id', wholeOf(ownShops.managerId)]] : []),
  ]
  return settings.map(([name, value]) => `set ${local ? 'local ' : ''}app.${name} = '${value}'`).join('; ')
}

function wholeOf(id: number): number {
  if (!Number.isSafeInteger(id)) throw new Error('an id of who acts is not an integer')
  return id
}

/** The same database as another role, which has the same password. */
function urlAs(url: string, role: string): string {
  const other = new URL(url)
  other.username = role
  return other.toString()
}

/**
 * Closes a connection at once. Another statement of the same work may still run on it, and the driver would wait for that
 * one before anybody waiting gets the place.
 */
function discard(client: pg.PoolClient): void {
  client.release(true)
  streamOf(client).destroy()
}

function streamOf(client: pg.PoolClient): Socket {
  const { connection } = client as pg.PoolClient & Pick<pg.Client, 'connection'>
  return connection.stream as Socket
}

class StandstillError extends Error {
  constructor() {
    super('connection terminated: the database stands still')
  }
}

/** It was the primary, or is to be it. */
class StandbyError extends Error {
  constructor() {
    super('connection terminated: it leads to a standby, where nothing is changed')
  }
}

/** No transaction that writes begins there. */
function isOfStandby(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.message.includes('recovery')
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

/** How long a request may wait for its turn, of what a statement may take. */
const TURN_SHARE = 0.4
const HELD_BACK_MS = 1_000
/** Staff work for all agents: their share is that of several. */
const STAFF_WEIGHT = 2

type Places = { all: Shares; strangers: Shares }

/**
 * Shares of a pool, some of which is left to the program itself. Strangers are many with no name: all of them are one party beside the
 * agents, and within it each address is one.
 */
function makePlaces({ poolSize, queryTimeoutMs }: DatabaseOptions): Places {
  const limits: ShareLimits = {
    atOnce: Math.max(1, poolSize - 2),
    alone: Math.max(1, Math.floor(poolSize * 0.8)),
    beside: Math.max(2, Math.floor(poolSize / 6)),
    ...{ waiting: 100, waitMs: queryTimeoutMs * TURN_SHARE, rests: true, holdMs: HELD_BACK_MS },
  }
  const most = limits.beside * 2
  return { all: fairShares(limits), strangers: fairShares({ ...limits, atOnce: most, alone: most }) }
}

const STRANGERS = 'strangers'
const NO_PLACE = () => undefined

/** The place of whoever acts; the program itself needs none. */
async function placeOf({ all, strangers }: Places, { agentId, scope, party }: Identity): Promise<() => void> {
  const whose = party === undefined && agentId !== SYSTEM.agentId ? { agentId } : party
  if (!whose) return NO_PLACE
  if ('agentId' in whose) return placeFor(all, whose.agentId, scope === 'all' && !party ? STAFF_WEIGHT : 1)
  const own = await placeFor(strangers, whose.address)
  try {
    const place = await placeFor(all, STRANGERS)
    return () => {
      place()
      own()
    }
  } catch (error) {
    own()
    throw error
  }
}
