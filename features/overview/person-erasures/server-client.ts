// The owner's connection, which sees all rows and may write them, and what every part of an erasure is given.
import type pg from 'pg'
import type { Services } from '#server/ctx.ts'

export type Client = pg.Client | pg.PoolClient
export type At = Pick<Services, 'env' | 'storage' | 'secrets' | 'clock'>

/** A name of the database as SQL. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** One transaction over all agents' rows. */
export async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query(`begin; set local app.scope = 'all'; set local lock_timeout = '10s'`)
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
