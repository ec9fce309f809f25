// Whether the database answers, asked beside the requests: by a connection of its own, so that a full pool is no missing database and a
// database that stands still is told soon.
import pg from 'pg'
import type { Database } from './db.ts'

/** So long for the connection and for the answer together. */
const WITHIN_MS = 700

export type DatabaseWatch = {
  /** Whoever asks meanwhile is told the same. */
  answers: () => Promise<boolean>
  close: () => Promise<void>
}

export function watchDatabase(url: string, withinMs = WITHIN_MS): DatabaseWatch {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'partner-office-watch',
  })
  // It is asked anew.
  pool.on('error', () => undefined)
  let asking: Promise<boolean> | null = null
  const ask = async () => {
    const late = AbortSignal.timeout(withinMs)
    const silent = new Promise<boolean>(resolve => late.addEventListener('abort', () => resolve(false)))
    const answer = pool.query('select 1').then(
      () => true,
      () => false,
    )
    return Promise.race([answer, silent])
  }
  return {
    answers() {
      asking ??= ask().finally(() => {
        asking = null
      })
      return asking
    },
    close: () => pool.end(),
  }
}

const LOOK_EVERY_MS = 500
const LOOK_AGAIN_MS = 200
const LATE_MS = 300
/** So often in a row it must be silent, at every connection: one that is only slow goes on. */
const SILENT_TIMES = 2

/**
 * Tells the database's users when it stands still, so that whoever waits is answered within a few seconds and not once every limit has
 * passed, one after another; and when it is back. Asks only while somebody waits.
 */
export function watchStandstill(
  watch: DatabaseWatch,
  database: Pick<Database, 'underWay' | 'stand'>,
  onProblem: (error: unknown) => void,
): { stop(): void } {
  let silences = 0
  let heardBytes = 0
  let timer = setTimeout(look, LOOK_EVERY_MS).unref()

  async function look(): Promise<void> {
    const isStill = silences >= SILENT_TIMES
    const before = database.underWay()
    if (before.pieces > 0 || silences > 0) {
      const askedMs = performance.now()
      const answers = await watch.answers()
      // A program that was itself held up has not listened.
      const hasListened = performance.now() - askedMs < WITHIN_MS + LATE_MS
      const heard = database.underWay().heardBytes
      const isHeard = answers || (!isStill && (heard !== heardBytes || !hasListened))
      heardBytes = heard
      silences = isHeard ? 0 : silences + 1
      if (!isStill && silences >= SILENT_TIMES) {
        onProblem(new Error('the database stands still'))
        database.stand(true)
      }
      if (isStill && isHeard) database.stand(false)
    }
    timer = setTimeout(look, silences > 0 ? LOOK_AGAIN_MS : LOOK_EVERY_MS).unref()
  }

  return { stop: () => clearTimeout(timer) }
}
