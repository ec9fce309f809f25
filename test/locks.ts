// Seeing who waits for whom in the database, so that a test of locks needs no timing.
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/** Whether the work waits for a lock that this connection holds, or ended without. */
export async function waitsFor(holder: pg.PoolClient, work: Promise<unknown>): Promise<boolean> {
  let isDone = false
  const done = () => {
    isDone = true
  }
  work.then(done, done)
  while (!isDone) {
    // Not pg_stat_activity, which a transaction sees as it was at the first look.
    const { rows } = await holder.query(
      'select 1 from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid)) limit 1',
    )
    if (rows.length > 0) return true
    await pause(20)
  }
  return false
}
