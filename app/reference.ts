// Loads the reference data of all features into a migrated database, and does what they ask for at each start. Rows that exist stay as they were edited.
import { getTableName, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { permissionNodes } from '#features/office/access/tables.ts'
import { removedRows } from '#features/office/reference-data/tables.ts'
import type { Feature } from '#server/feature.ts'
import { FEATURES } from './features.ts'
import { PERMISSION_NODES } from './joined.ts'

export async function loadReferenceData(owner: pg.Client): Promise<void> {
  const features = Object.values<Feature>(FEATURES)
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
  for (const { starting = [] } of features) for (const statement of starting) await owner.query(statement)
}
