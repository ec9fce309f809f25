// What the features' demo rows are made with.
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { Random } from '#kit/random.ts'

/** One transaction of the owner. `random` is the same at every start. */
export type Demo = {
  client: pg.Client
  db: NodePgDatabase
  random: Random
  now: Date
  /** Where pictures are written; null: there are none. */
  dataDir: string | null
}

/** A moment that many days ago. */
export function ago({ now }: Pick<Demo, 'now'>, days: number): string {
  return new Date(now.getTime() - days * 86_400_000).toISOString()
}
