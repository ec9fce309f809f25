// What is known of a person: looked for by the number, and by name and identity card where they were given. Finds, and writes nothing but what
// it found; each item is a row that may be somebody's, or all rows of a table that have the number alone.
import type { Secrets } from '#server/secrets.ts'
import { unseal } from '#server/storage/sealing.ts'
import type { Block, Fate, Keys, Kind, Match, Reason } from './rules.ts'
import { type Authored, authorship } from './server-authors.ts'
import { type At, type Client, inTransaction, quoted } from './server-client.ts'
import { MASKED_OF_ACCOUNTS, OF_ACCOUNTS, PAPERS_OF, PLACES, type Place } from './server-places.ts'
import { opened, sealedColumns, throughSealed } from './server-sealed.ts'
import {
  allTables,
  has,
  searched,
  standsIn,
  type Table,
  valuesOf,
  type Words,
  wordsOf,
} from './server-texts.ts'

export type Item = {
  key: string
  kind: Kind
  tableName: string
  rowId: string | null
  hangsOn: string | null
  agentId: string | null
  merchantId: string | null
  matched: Match[]
  rows: number
  fate: Fate
  reason: Reason | null
  block: Block | null
  chosen: boolean
  choosable: boolean
}

/** Rows found by a name alone are told up to so many: a common name is many people's. */
const BY_NAME_MOST = 200

const MANY = {
  rowId: null,
  hangsOn: null,
  agentId: null,
  merchantId: null,
  matched: ['phone'] as Match[],
  reason: null,
  block: null,
  chosen: true,
  choosable: false,
}

export async function findAll(client: Client, at: At, keys: Keys): Promise<Item[]> {
  return [...(await findInDatabase(client, at.secrets, keys)), ...(await archived(client, at, keys))]
}

/** Where the number stands in months of the log that have left the database. */
async function archived(client: Client, at: At, keys: Keys): Promise<Item[]> {
  const { countInArchives } = await import('#features/overview/operation-log/server-archive-redact.ts')
  const log = (await allTables(client)).find(({ name }) => name === 'operation_logs')
  const words = numbersOf(keys)
  const where = log && standsIn(log, words, { namesToo: false })
  const rows = where ? await countInArchives(client, at, { where, values: valuesOf(words) }) : 0
  const one = { ...MANY, kind: 'archives' as Kind, fate: 'masked' as Fate, rows }
  return rows > 0 ? [{ ...one, key: 'archives', tableName: 'operation_log_archives' }] : []
}

function numbersOf(keys: Keys): Words {
  const nobody = { accounts: [], merchants: [], agents: [], objects: [] }
  return wordsOf(keys, { names: [], tied: nobody, isShared: false })
}

async function findInDatabase(client: Client, secrets: Secrets, keys: Keys): Promise<Item[]> {
  return inTransaction(client, async () => {
    const tables = await allTables(client)
    const items: Item[] = []
    for (const place of PLACES) items.push(...(await inPlace(client, secrets, { place, keys, tables })))
    items.push(...(await papersOf(client, secrets, keys, items)))
    for (const account of items.filter(({ tableName }) => tableName === 'accounts'))
      items.push(...(await ofAccount(client, account)), ...(await authored(client, tables, account)))
    items.push(...(await texts(client, secrets, tables, keys)))
    return items
  })
}

const column = (name: string) => `t.${quoted(name)}`

/** SQL with the values that it names: the number as $1, the name as $2. */
function conditionsOf({ phone, name = [] }: Place): { byPhone: string; byName: string } {
  const any = (columns: readonly string[], value: string) =>
    columns.length === 0 ? 'false' : `(${columns.map(one => `${column(one)} = ${value}`).join(' or ')})`
  return {
    byPhone: `($1::text <> '' and ${any(phone, '$1::text')})`,
    byName: `($2::text <> '' and ${any(name, '$2::text')})`,
  }
}

type InPlace = { place: Place; keys: Keys; tables: readonly Table[] }

async function inPlace(client: Client, secrets: Secrets, { place, keys, tables }: InPlace): Promise<Item[]> {
  const table = tables.find(({ name }) => name === place.table)
  if (!table) throw new Error(`there is no table ${place.table}`)
  return place.name ? rowsOf(client, secrets, { place, keys, table }) : manyOf(client, place, keys)
}

export const whenStays = ({ stays }: Place) => (stays ? `(${stays.when})` : 'false')

async function rowsOf(
  client: Client,
  secrets: Secrets,
  { place, keys, table }: { place: Place; keys: Keys; table: Table },
): Promise<Item[]> {
  const { byPhone, byName } = conditionsOf(place)
  const { stays, block, idNumber } = place
  const card = idNumber && keys.idNumber !== '' ? column(idNumber) : null
  const { rows } = await client.query<{
    id: string
    agent_id: string | null
    merchant_id: string | null
    by_phone: boolean
    by_name: boolean
    stays: boolean
    blocked: boolean
    card: Buffer | null
  }>(
    `select t.id::text, ${agentOf(table)} as agent_id, ${merchantOf(table)} as merchant_id,
       ${byPhone} as by_phone, ${byName} as by_name, ${whenStays(place)} as stays,
       ${block ? block.when.replaceAll('$phone', '$1::text') : 'false'} as blocked, ${card ?? 'null::bytea'} as card
     from ${quoted(place.table)} t
     where $1::text is not null and (${byPhone} or ${byName} ${card ? `or ${card} is not null` : ''})
     order by by_phone desc, t.id`,
    [keys.phone, keys.name],
  )
  const found: Item[] = []
  let byNameAlone = 0
  for (const row of rows) {
    const matched: Match[] = []
    if (row.by_phone) matched.push('phone')
    if (row.by_name) matched.push('name')
    if (keys.idNumber !== '' && opened(secrets, row.card)?.toUpperCase() === keys.idNumber)
      matched.push('idNumber')
    if (matched.length === 0) continue
    if (matched.length === 1 && row.by_name && ++byNameAlone > BY_NAME_MOST) continue
    found.push({
      key: `${place.table}:${row.id}`,
      kind: place.kind,
      tableName: place.table,
      rowId: row.id,
      hangsOn: null,
      agentId: row.agent_id,
      merchantId: row.merchant_id,
      matched,
      rows: 1,
      fate: row.stays ? 'stays' : place.fate,
      reason: row.stays && stays ? stays.reason : null,
      block: row.blocked && block ? block.block : null,
      // Somebody else may have the number, or be called so.
      chosen: matched.length > 1 || matched.includes('idNumber'),
      choosable: true,
    })
  }
  return found
}

function agentOf(table: Table): string {
  if (table.name === 'agents') return 't.id::text'
  return has(table, 'agent_id') ? 't.agent_id::text' : 'null::text'
}

function merchantOf(table: Table): string {
  if (table.name === 'merchants') return 't.id::text'
  return has(table, 'merchant_id') ? 't.merchant_id::text' : 'null::text'
}

/** Messages and codes: nobody's but the number's. */
async function manyOf(client: Client, place: Place, { phone }: Keys): Promise<Item[]> {
  const { byPhone } = conditionsOf(place)
  const { rows } = await client.query<{ rows: number; staying: number }>(
    `select count(*) filter (where not ${whenStays(place)})::int as rows, count(*) filter (where ${whenStays(place)})::int as staying
     from ${quoted(place.table)} t where ${byPhone}`,
    [phone],
  )
  const { rows: going = 0, staying = 0 } = rows[0] ?? {}
  const one = { ...MANY, kind: place.kind, tableName: place.table }
  return [
    ...(going > 0 ? [{ ...one, key: place.table, rows: going, fate: place.fate as Fate }] : []),
    ...(staying > 0
      ? [
          {
            ...one,
            key: `${place.table} stays`,
            rows: staying,
            fate: 'stays' as const,
            reason: place.stays?.reason ?? null,
          },
        ]
      : []),
  ]
}

type PaperRow = {
  id: string
  agent_id: string
  merchant_id: string
  facts: Buffer | null
  sealed_key: Buffer | null
  in_use: boolean
}

const PAPER = `select t.id::text, t.agent_id::text, t.merchant_id::text, t.facts, f.sealed_key,
    (m.status <> 'disabled' and (m.expires_at is null or m.expires_at > now())) as in_use
  from documents t join merchants m on m.id = t.merchant_id left join files f on f.id = t.file_id
  where t.state <> 'erased'`

/** Papers that say the name or the number, and those that rows of the person use. */
async function papersOf(
  client: Client,
  secrets: Secrets,
  keys: Keys,
  items: readonly Item[],
): Promise<Item[]> {
  const papers = new Map<string, Item>()
  const paper = (row: PaperRow, matched: Match[], more: Partial<Item>): Item => ({
    key: `documents:${row.id}`,
    kind: 'papers',
    tableName: 'documents',
    rowId: row.id,
    hangsOn: null,
    agentId: row.agent_id,
    merchantId: row.merchant_id,
    matched,
    rows: 1,
    fate: row.in_use ? 'stays' : 'goes',
    reason: row.in_use ? 'realName' : null,
    block: null,
    chosen: matched.includes('idNumber'),
    choosable: true,
    ...more,
  })
  const named = keys.name !== '' || keys.idNumber !== ''
  for (let after = '0'; named; ) {
    const { rows }: { rows: PaperRow[] } = await client.query(
      `${PAPER} and t.facts is not null and t.id > $1 order by t.id limit 500`,
      [after],
    )
    for (const row of rows) {
      const matched = matchedIn(row, secrets, keys)
      if (matched.length > 0) papers.set(row.id, paper(row, matched, {}))
    }
    const last = rows.at(-1)
    if (!last) break
    after = last.id
  }
  for (const item of items) {
    const columns = PAPERS_OF[item.tableName]
    if (!columns || item.rowId === null) continue
    const { rows } = await client.query<PaperRow>(
      `${PAPER} and t.id in (select unnest(array[${columns.map(one => `u.${one}`).join(', ')}]) from ${item.tableName} u where u.id = $1)`,
      [item.rowId],
    )
    for (const row of rows) {
      if (papers.get(row.id)?.chosen) continue
      papers.set(
        row.id,
        paper(row, item.matched, { hangsOn: item.key, chosen: item.chosen, choosable: false }),
      )
    }
  }
  return [...papers.values()]
}

/** By the facts of a paper: its text under the key of its file, as `sealFacts` keeps it. */
function matchedIn({ id, facts, sealed_key }: PaperRow, secrets: Secrets, keys: Keys): Match[] {
  if (facts === null || sealed_key === null) return []
  const plain = unseal(secrets, sealed_key, `facts of document ${id}`, facts).toString('utf8')
  const values = Object.values(JSON.parse(plain) as Record<string, unknown>).map(String)
  const matched: Match[] = []
  if (keys.name !== '' && values.includes(keys.name)) matched.push('name')
  if (keys.idNumber !== '' && values.some(value => value.toUpperCase() === keys.idNumber))
    matched.push('idNumber')
  return matched
}

/** What goes with an account, table by table. */
async function ofAccount(client: Client, account: Item): Promise<Item[]> {
  const items: Item[] = []
  const parts = [
    ...OF_ACCOUNTS.map(part => ({ ...part, fate: 'goes' as const })),
    ...MASKED_OF_ACCOUNTS.map(part => ({ ...part, fate: 'masked' as const })),
  ]
  for (const { table, column: by, through, fate } of parts) {
    const { rows } = await client.query<{ rows: number }>(
      `select count(*)::int as rows from ${table} t where ${ofAccountCondition(by, through)}`,
      [[account.rowId]],
    )
    const count = rows[0]?.rows ?? 0
    const key = `${table}@${account.key}`
    const known = items.find(item => item.key === key)
    if (known) known.rows += count
    else if (count > 0)
      items.push(hanging(account, { key, kind: 'access', tableName: table, rows: count, fate }))
  }
  return items
}

export function ofAccountCondition(by: string, through: string | undefined): string {
  if (!through) return `t.${by} = any($1::bigint[])`
  return `t.${by} in (select u.id from ${through} u where u.account_id = any($1::bigint[]))`
}

function hanging(
  account: Item,
  {
    reason = null,
    ...item
  }: Pick<Item, 'key' | 'kind' | 'tableName' | 'rows' | 'fate'> & {
    reason?: Reason | null
  },
): Item {
  const { agentId, matched, chosen, key: hangsOn } = account
  return {
    ...{ rowId: null, merchantId: null, block: null, choosable: false },
    ...{ hangsOn, agentId, matched, chosen, reason },
    ...item,
  }
}

/** Where the name of an account stands as who did something. */
async function authored(client: Client, tables: readonly Table[], account: Item): Promise<Item[]> {
  const found: Authored[] = await authorship(client, tables, { id: String(account.rowId), write: false })
  const kinds = new Map<string, Item>()
  for (const { fate, reason, rows } of found) {
    const kind: Kind = fate === 'stays' && reason !== 'others' ? 'books' : 'authorship'
    const key = `${kind} ${reason ?? ''}@${account.key}`
    const known = kinds.get(key)
    if (known) known.rows += rows
    else kinds.set(key, hanging(account, { key, kind, tableName: '', rows, fate, reason }))
  }
  return [...kinds.values()]
}

/** Where the number stands in texts. */
async function texts(
  client: Client,
  secrets: Secrets,
  tables: readonly Table[],
  keys: Keys,
): Promise<Item[]> {
  const words = numbersOf(keys)
  const items: Item[] = []
  const masked = { ...MANY, kind: 'texts' as Kind, fate: 'masked' as Fate }
  for (const { table, left } of searched(tables)) {
    const rows = await countIn(client, table, words, left)
    if (rows > 0) items.push({ ...masked, key: `texts ${table.name}`, tableName: table.name, rows })
  }
  for (const sealed of sealedColumns(tables)) {
    const rows = await throughSealed(client, secrets, sealed, { words, write: false })
    const { name } = sealed.table
    if (rows > 0 && !PLACES.some(place => place.table === name && place.idNumber === sealed.column))
      items.push({ ...masked, key: `sealed ${name} ${sealed.column}`, tableName: name, rows })
  }
  const log = tables.find(({ name }) => name === 'operation_logs')
  const logged = log ? await countIn(client, log, words, []) : 0
  if (logged > 0)
    items.push({ ...masked, key: 'log', kind: 'log', tableName: 'operation_logs', rows: logged })
  return items
}

async function countIn(client: Client, table: Table, words: Words, left: readonly string[]): Promise<number> {
  const condition = standsIn(table, words, { without: left, namesToo: false })
  if (!condition) return 0
  const { rows } = await client.query<{ rows: number }>(
    `select count(*)::int as rows from ${quoted(table.name)} t where ${condition}`,
    valuesOf(words),
  )
  return rows[0]?.rows ?? 0
}
