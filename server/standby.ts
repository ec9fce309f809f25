// Reads that may be a moment old go to a standby where one is named, and to the primary whenever it is away, behind or in the way of what it
// follows. What it holds is told by the log's positions alone: no clock of another machine, and nothing that a change would have to write.
import pg from 'pg'
import { type Database, type DatabaseOptions, isLinkFailure, openDatabase, sqlState } from './db.ts'

export type Reader = Pick<Database, 'read' | 'readAtOnce'>

export type Standby = Reader & {
  /** Whether it holds all that was committed up to `LAG_MS` ago. */
  isCurrent(): boolean
  /** Waits until it holds all that was committed before this call; false where it does not within `withinMs`. */
  catchesUp(withinMs: number): Promise<boolean>
  close(): Promise<void>
}

/** So old may be what it answers. Whoever has changed something is answered by the primary for so long. */
export const LAG_MS = 4_000
const LOOK_EVERY_MS = 400
const WITHIN_MS = 700

/** What was committed when its position was asked for, in ms of this process. */
type Sample = { atMs: number; position: string }

/** Its rows were needed by a read while the primary had removed them. */
const RECOVERY_CONFLICT = '40001'
const isItsOwn = (error: unknown) => isLinkFailure(error) || sqlState(error) === RECOVERY_CONFLICT

export function openStandby(
  primary: Pick<DatabaseOptions, 'url'> & { reads: Reader },
  options: DatabaseOptions,
): Standby {
  const database = openDatabase(options)
  const [asksPrimary, asksStandby] = [primary.url, options.url].map(watchOf) as [pg.Pool, pg.Pool]
  let heldMs = Number.NEGATIVE_INFINITY
  let wanted: Sample | null = null
  let isAway = false
  let looking: Promise<void> | null = null
  let timer = setTimeout(beat, 0).unref()

  async function look(): Promise<void> {
    try {
      wanted ??= await sample(asksPrimary)
      const holds = await hasReplayed(asksStandby, wanted.position)
      if (holds) {
        heldMs = wanted.atMs
        wanted = null
      }
      if (isAway) turn(false)
    } catch (error) {
      if (!isAway) options.onProblem(error)
      turn(true)
    }
  }
  /** Whoever waits for one that is away is not kept waiting. */
  function turn(away: boolean): void {
    isAway = away
    database.stand(away)
  }
  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = null
    })
    return looking
  }
  async function beat(): Promise<void> {
    await lookOnce()
    timer = setTimeout(beat, LOOK_EVERY_MS).unref()
  }

  const isCurrent = () => !isAway && heldMs >= performance.now() - LAG_MS
  return {
    async read(identity, work) {
      if (!isCurrent()) return primary.reads.read(identity, work)
      try {
        return await database.read(identity, work)
      } catch (error) {
        if (!isItsOwn(error)) throw error
        options.onProblem(error)
        return primary.reads.read(identity, work)
      }
    },
    readAtOnce(identity, work) {
      // Once a row is out, another's transaction cannot go on with it.
      const reader = isCurrent() ? database : primary.reads
      return reader.readAtOnce(identity, work)
    },
    isCurrent,
    async catchesUp(withinMs) {
      const sinceMs = performance.now()
      while (!isAway && heldMs < sinceMs && performance.now() - sinceMs < withinMs) {
        await lookOnce()
        if (heldMs < sinceMs) await new Promise(resolve => setTimeout(resolve, 20))
      }
      return !isAway && heldMs >= sinceMs
    },
    async close() {
      clearTimeout(timer)
      await looking
      clearTimeout(timer)
      await Promise.all([asksPrimary.end(), asksStandby.end(), database.close()])
    },
  }
}

function watchOf(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: WITHIN_MS,
    query_timeout: WITHIN_MS,
    keepAlive: true,
    application_name: 'partner-office-standby',
  })
  // It is asked anew.
  pool.on('error', () => undefined)
  return pool
}

async function sample(primary: pg.Pool): Promise<Sample> {
  const atMs = performance.now()
  const { rows } = await primary.query<{ position: string }>('select pg_current_wal_insert_lsn() as position')
  return { atMs, position: (rows[0] as { position: string }).position }
}

/** One that follows nobody any more, after it took over, is no standby. */
async function hasReplayed(standby: pg.Pool, position: string): Promise<boolean> {
  const { rows } = await standby.query<{ holds: boolean | null }>(
    'select pg_last_wal_replay_lsn() >= $1::pg_lsn as holds where pg_is_in_recovery()',
    [position],
  )
  if (rows.length === 0) throw new Error('DATABASE_READ_URL leads to a database that is no standby')
  return rows[0]?.holds === true
}
