// Whose name stands beside what was done: columns such as created_by_name, in all tables. A name without an account beside it is the
// person's where nobody else of the same agency is called so.

import { ERASED, type Fate, type Reason } from './rules.ts'
import { type Client, quoted } from './server-client.ts'
import { KEPT } from './server-places.ts'
import type { Table } from './server-texts.ts'

/** Beside those that end so. */
const NAMES = ['account_name', 'actor_name', 'author_name', 'assignee_name', 'reviewer_name', 'by_name']
/** Where their account stands under another name. */
const IDS: Readonly<Record<string, string>> = { name: 'account_id' }
/** Of whoever is here now: the name of the account under another. */
const PRESENT: readonly string[] = ['thread_presence', 'work_order_presence']

type Author = { column: string; account: string | null }

export function authorsOf({ name: table, columns }: Table): Author[] {
  const names = new Set(columns.map(({ name }) => name))
  return columns.flatMap(({ name }) => {
    const isAuthor =
      name.endsWith('by_name') || NAMES.includes(name) || (name === 'name' && PRESENT.includes(table))
    if (!isAuthor) return []
    const stem = name.replace(/_name$/, '')
    const account = [IDS[name], stem, `${stem}_id`].find(one => one !== undefined && names.has(one))
    return [{ column: name, account: account ?? null }]
  })
}

export type Authored = { table: string; fate: Fate; reason: Reason | null; rows: number }

type Known = { name: string; agent_id: string; is_vendor: boolean; is_shared: boolean }

/** Counts, or with `write` takes out, the name of one account. Whoever has none of its own any more is found nowhere. */
export async function authorship(
  client: Client,
  tables: readonly Table[],
  { id, name, write }: { id: string; name?: string; write: boolean },
): Promise<Authored[]> {
  const { rows } = await client.query<Known>(
    `select coalesce($2, a.name) as name, a.agent_id::text, (g.is_operator or g.is_vendor_staff) as is_vendor,
       exists (select from accounts o where o.id <> a.id and o.name = coalesce($2, a.name)
         and (o.agent_id = a.agent_id or g.is_operator or g.is_vendor_staff)) as is_shared
     from accounts a join agents g on g.id = a.agent_id where a.id = $1`,
    [id, name ?? null],
  )
  const known = rows[0]
  if (!known || known.name === '' || known.name === ERASED) return []
  const found: Authored[] = []
  for (const table of tables.filter(one => one.name !== 'operation_logs'))
    for (const author of authorsOf(table)) {
      const reason = KEPT[table.name] ?? (author.account === null && known.is_shared ? 'others' : null)
      const one = { table: table.name, fate: reason ? ('stays' as const) : ('masked' as const), reason }
      const count = await through(client, table, author, { known, id, write: write && reason === null })
      if (count > 0) found.push({ ...one, rows: count })
    }
  return found
}

type Through = { known: Known; id: string; write: boolean }

async function through(
  client: Client,
  table: Table,
  { column, account }: Author,
  { known, id, write }: Through,
): Promise<number> {
  const name = quoted(column)
  const where = [`t.${name} = $1`]
  const values: unknown[] = [known.name]
  if (account !== null) {
    values.push(id)
    where.push(`t.${quoted(account)}::text = $2`)
  } else if (!known.is_vendor) {
    if (!table.columns.some(one => one.name === 'agent_id')) return 0
    values.push(known.agent_id)
    where.push('t.agent_id::text = $2')
  }
  const condition = where.join(' and ')
  if (write) {
    const { rowCount } = await client.query(
      `update ${quoted(table.name)} t set ${name} = '${ERASED}' where ${condition}`,
      values,
    )
    return rowCount ?? 0
  }
  const { rows } = await client.query<{ rows: number }>(
    `select count(*)::int as rows from ${quoted(table.name)} t where ${condition}`,
    values,
  )
  return rows[0]?.rows ?? 0
}
