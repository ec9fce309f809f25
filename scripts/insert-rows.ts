// Rows of one table by the thousand: as arrays of their columns, in few statements.
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type pg from 'pg'

/** Counters of an agent grow by one per shop, and within one transaction each step passes all steps before it. */
const AT_ONCE = 500

/** All rows have the fields of the first one. */
export async function insertRows<T extends PgTable>(
  owner: Pick<pg.Client, 'query'>,
  table: T,
  rows: readonly T['$inferInsert'][],
): Promise<void> {
  const known: Record<string, PgColumn> = getTableColumns(table)
  const keys = Object.keys(rows[0] ?? {})
  const columns = keys.map(key => known[key] as PgColumn)
  const arrays = columns.map((column, i) => `$${i + 1}::${column.getSQLType()}[]`)
  const text = `insert into ${getTableName(table)} (${columns.map(({ name }) => name).join(', ')}) select * from unnest(${arrays.join(', ')})`
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const some: readonly Record<string, unknown>[] = rows.slice(at, at + AT_ONCE)
    await owner.query(
      text,
      keys.map(key => some.map(row => row[key])),
    )
  }
}
