import type pg from 'pg'

const LOCK = `hashtext('partner-office-operation-log-archives')`

/** Whoever archives months or takes a person out of rows waits for the other: a row that is read here is not changed before its month is dropped. */
export async function alone<T>(client: Pick<pg.ClientBase, 'query'>, work: () => Promise<T>): Promise<T> {
  await client.query(`select pg_advisory_lock(${LOCK})`)
  try {
    return await work()
  } finally {
    await client.query(`select pg_advisory_unlock(${LOCK})`)
  }
}
