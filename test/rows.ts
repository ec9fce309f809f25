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

const looks = new WeakMap<pg.Pool, Promise<string>>()

/** One statement over all tables, the same from the first look on: it is planned once. */
async function lookAtTables({ owner }: Office): Promise<string> {
  const { rows } = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const sums = rows.map(
    ({ name }) =>
      `select '${name}' as name, count(*) as rows, sum(hashtextextended(t.ctid::text, t.xmin::text::bigint)) as sum from ${name} t`,
  )
  return `${sums.join(' union all ')} order by name`
}

/**
 * All rows of all tables, as a sum for each table of where each stands and which transaction wrote it: one that changes, be it to
 * what it was, comes or goes changes it.
 */
export async function standOf(office: Office): Promise<{ name: string; rows: string; sum: string | null }[]> {
  const { owner } = office
  const look = looks.get(owner) ?? lookAtTables(office)
  looks.set(owner, look)
  const { rows } = await owner.query({ name: 'stand', text: await look })
  if (rows.length < 100) throw new Error('the look at all tables misses most of them')
  return rows
}
