// Whether the database answers, asked beside the requests: by a connection of its own, so that a full pool is no missing database and a
// database that stands still is told soon.
import pg from 'pg'

/** So long for the connection and for the answer together. */
const WITHIN_MS = 900

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
