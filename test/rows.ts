// What the database holds, table by table, to show that a refusal writes nothing.
import pg from 'pg'
import type { Office } from './app.ts'

/** Number and digest of the rows of every table. Two answers are equal when nothing was written between them. */
export async function rowsOfAllTables(office: Office): Promise<Record<string, string>> {
  const { rows: tables } = await office.owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await office.owner.query<{ rows: string; digest: string | null }>(
      `select count(*) as rows, md5(string_agg(t::text, ',' order by t::text)) as digest from ${pg.escapeIdentifier(name)} t`,
    )
    found[name] = `${rows[0]?.rows} ${rows[0]?.digest}`
  }
  return found
}
