// Rows of one table by the thousand: as arrays of their columns, in few statements.
import { getTableColumns, getTableName, SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type pg from 'pg'

/** Counters of an agent grow by one per shop, and within one transaction each step passes all steps before it. */
const AT_ONCE = 500

/** A field that a row leaves out has its column's default. `unless`: what becomes of rows that stand in the way. */
export async function insertRows<T extends PgTable>(
  owner: Pick<pg.Client, 'query'>,
  table: T,
  rows: readonly T['$inferInsert'][],
  unless = '',
): Promise<void> {
  const known: Record<string, PgColumn> = getTableColumns(table)
  const keys = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const columns = keys.map(key => known[key] as PgColumn)
  const names = columns.map(({ name }) => name).join(', ')
  // An array of arrays would be taken for one of all their elements.
  const arrays = columns.map((column, i) => `$${i + 1}::${isArray(column) ? 'text' : column.getSQLType()}[]`)
  const values = columns.map(column =>
    isArray(column) ? `${column.name}::${column.getSQLType()}` : column.name,
  )
  const text = `insert into ${getTableName(table)} (${names}) select ${values.join(', ')} from unnest(${arrays.join(', ')}) as given (${names}) ${unless}`
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const some: readonly Record<string, unknown>[] = rows.slice(at, at + AT_ONCE)
    await owner.query(
      text,
      keys.map((key, i) => some.map(row => storedOf(columns[i] as PgColumn, row[key]))),
    )
  }
}

const isArray = ({ columnType }: PgColumn) => columnType === 'PgArray'

function storedOf(column: PgColumn, given: unknown): unknown {
  const value = given === undefined && !(column.default instanceof SQL) ? column.default : given
  if (isArray(column) && Array.isArray(value)) return `{${value.join()}}`
  return column.columnType === 'PgJsonb' && value != null ? JSON.stringify(value) : value
}
