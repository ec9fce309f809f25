// Loads the reference data of all features into a migrated database, and does what they ask for at each start. Rows that exist stay as they were edited; where the
// program has none that the database was not given, nothing is asked of it.
import { createHash } from 'node:crypto'
import { getTableName, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { permissionNodes } from '#features/office/access/tables.ts'
import { removedRows } from '#features/office/reference-data/tables.ts'
import type { Feature } from '#server/feature.ts'
import { FEATURES } from './features.ts'
import { PERMISSION_NODES } from './joined.ts'

/** Beside the texts of `migrations/again`, which are run when they have changed as well. */
const KEPT_AS = 'reference data'

export async function loadReferenceData(owner: pg.Client): Promise<void> {
  const features = Object.values<Feature>(FEATURES)
  const hash = await hashOf(owner, features)
  const { rows } = await owner.query<{ hash: string }>('select hash from drizzle.again where name = $1', [
    KEPT_AS,
  ])
  if (rows[0]?.hash !== hash) {
    await addMissing(owner, features)
    await owner.query(
      `insert into drizzle.again (name, hash, run_at) values ($1, $2, now())
       on conflict (name) do update set hash = excluded.hash, run_at = excluded.run_at`,
      [KEPT_AS, hash],
    )
  }
  for (const { starting = [] } of features) for (const statement of starting) await owner.query(statement)
}

/** Of the program's rows, and of the migrations that the database has had: behind one, rows may be missing. */
async function hashOf(owner: pg.Client, features: readonly Feature[]): Promise<string> {
  const { rows } = await owner.query<{ count: string }>('select count(*) from drizzle.__drizzle_migrations')
  const reference = features.flatMap(({ reference = [] }) =>
    reference.map(({ table, rows, key }) => [getTableName(table), key, rows]),
  )
  const known = [rows[0]?.count, PERMISSION_NODES, reference]
  return createHash('sha256').update(JSON.stringify(known)).digest('hex')
}

async function addMissing(owner: pg.Client, features: readonly Feature[]): Promise<void> {
  const db = drizzle(owner)
  // People edit names and markers; the place in the tree is the program's own.
  await db
    .insert(permissionNodes)
    .values(PERMISSION_NODES)
    .onConflictDoUpdate({
      target: permissionNodes.id,
      set: { key: sql`excluded.key`, parentId: sql`excluded.parent_id`, position: sql`excluded.position` },
    })
  const removed = await db.select().from(removedRows)
  for (const { reference = [] } of features)
    for (const { table, rows, key } of reference) {
      const gone = removed.filter(({ tableName }) => tableName === getTableName(table))
      const wanted = rows.filter(row => {
        const id = String((row as Readonly<Record<string, unknown>>)[key])
        return !gone.some(({ rowId }) => rowId === id)
      })
      if (wanted.length > 0) await db.insert(table).values(wanted).onConflictDoNothing()
    }
}
