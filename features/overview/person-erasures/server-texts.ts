// Texts of all tables, as the database tells which there are: in which of them a number or a name stands, and how it is taken out. Knows no
// table by its name but those that are dealt with apart.
import { ERASED, type Keys, NAME_LEAST } from './rules.ts'
import { type Client, quoted } from './server-client.ts'
import { APART, PLACES } from './server-places.ts'

type Shape = 'text' | 'json' | 'texts' | 'bytes' | 'other'
export type Column = { name: string; shape: Shape }
export type Table = { name: string; columns: readonly Column[] }

const SHAPES: Readonly<Record<string, Shape>> = {
  text: 'text',
  varchar: 'text',
  bpchar: 'text',
  json: 'json',
  jsonb: 'json',
  _text: 'texts',
  _varchar: 'texts',
  bytea: 'bytes',
}

/** Every table of the office with its columns that can be written, but parts of a partitioned one. */
export async function allTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<{ table: string; columns: { name: string; type: string }[] }>(
    `select c.relname as table, json_agg(json_build_object('name', a.attname, 'type', y.typname) order by a.attnum) as columns
     from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       join pg_type y on y.oid = a.atttypid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     group by c.relname order by c.relname`,
  )
  return rows.map(({ table, columns }) => ({
    name: table,
    columns: columns.map(({ name, type }) => ({ name, shape: SHAPES[type] ?? 'other' })),
  }))
}

/** Those whose texts are searched, each with the columns that are dealt with as somebody's row. */
export function searched(tables: readonly Table[]): { table: Table; left: string[] }[] {
  return tables
    .filter(({ name }) => !Object.hasOwn(APART, name))
    .map(table => ({
      table,
      left: PLACES.filter(place => place.table === table.name).flatMap(({ phone, name = [] }) => [
        ...phone,
        ...name,
      ]),
    }))
}

export const has = ({ columns }: Table, column: string) => columns.some(({ name }) => name === column)

/** How a number may be written: in one, or as people read it out. */
function writtenAs({ phone, idNumber }: Pick<Keys, 'phone' | 'idNumber'>): {
  likes: string[]
  pattern: string
} {
  const likes: string[] = []
  const patterns: string[] = []
  if (phone !== '') {
    const parts = [phone.slice(0, 3), phone.slice(3, 7), phone.slice(7)]
    likes.push(...['', ' ', '-'].map(between => `%${parts.join(between)}%`))
    patterns.push(`(?:\\+?86[- ]?)?${parts.join('[- ]?')}(?![0-9])`)
  }
  if (idNumber !== '') {
    likes.push(`%${idNumber.toUpperCase()}%`, `%${idNumber.toLowerCase()}%`)
    patterns.push(`${idNumber}(?![0-9Xx])`)
  }
  if (patterns.length === 0) throw new Error('nothing is looked for by nothing')
  return { likes, pattern: `(?<![0-9])(?:${patterns.join('|')})` }
}

/** The row holds what is tied to the person: its shop, its account, its agency, or what the log names. */
export type Tied = {
  accounts: readonly number[]
  merchants: readonly number[]
  agents: readonly number[]
  objects: readonly string[]
}

const OF_ACCOUNT = ['account_id', 'created_by', 'author_id', 'requested_by', 'saved_by'] as const

/** Names or numbers of a person in the texts of one table. Values are asked for by $1 (likes), $2 (pattern), $3 (names), $4 to $7 (ties). */
export type Words = {
  numbers: { likes: readonly string[]; pattern: string }
  names: readonly string[]
  tied: Tied
  /** Somebody else has the number: only rows that are tied to the person. */
  isShared: boolean
}

export function wordsOf(
  keys: Pick<Keys, 'phone' | 'idNumber'>,
  { names, tied, isShared }: Pick<Words, 'names' | 'tied' | 'isShared'>,
): Words {
  const long = names.filter(name => [...name].length >= NAME_LEAST)
  return { numbers: writtenAs(keys), names: [...new Set(long)], tied, isShared }
}

export function valuesOf({ numbers, names, tied }: Words): unknown[] {
  return [
    numbers.likes,
    numbers.pattern,
    names.map(name => `%${name.replace(/[\\%_]/g, '\\$&')}%`),
    tied.accounts,
    tied.merchants,
    tied.agents,
    tied.objects,
  ]
}

const asText = ({ name, shape }: Column) => {
  const column = `t.${quoted(name)}`
  if (shape === 'json') return `${column}::text`
  return shape === 'texts' ? `array_to_string(${column}, chr(10))` : column
}

const isText = ({ shape }: Column) => shape === 'text' || shape === 'json' || shape === 'texts'

/** Of a table's texts, those that are looked through; null: it has none. */
function textsOf(table: Table, without: readonly string[]): Column[] {
  return table.columns.filter(column => isText(column) && !without.includes(column.name))
}

/** SQL: the row is tied to the person. */
function tiedIn(table: Table): string {
  const conditions: string[] = []
  const own = { accounts: 4, merchants: 5, agents: 6 }[table.name]
  if (own) conditions.push(`t.id = any($${own}::bigint[])`)
  for (const column of OF_ACCOUNT) if (has(table, column)) conditions.push(`t.${column} = any($4::bigint[])`)
  if (has(table, 'merchant_id')) conditions.push('t.merchant_id = any($5::bigint[])')
  if (has(table, 'agent_id')) conditions.push('t.agent_id = any($6::bigint[])')
  if (has(table, 'about_agent_id')) conditions.push('t.about_agent_id = any($6::bigint[])')
  if (has(table, 'objects')) conditions.push('t.objects && $7::text[]')
  return conditions.length === 0 ? 'false' : `(${conditions.join(' or ')})`
}

/** Every value is named, so that the database knows the type of each. */
const NAMED = `($1::text[] is not null and $2::text is not null and $3::text[] is not null and $4::bigint[] is not null
  and $5::bigint[] is not null and $6::bigint[] is not null and $7::text[] is not null)`

/** SQL: a number stands in one of these texts, or a name in a row that is the person's. */
export function standsIn(
  table: Table,
  { isShared }: Pick<Words, 'isShared'>,
  { without = [], namesToo = true }: { without?: readonly string[]; namesToo?: boolean } = {},
): string | null {
  const columns = textsOf(table, without)
  if (columns.length === 0) return null
  const number = `(${columns.map(column => `(${asText(column)} like any($1) and ${asText(column)} ~* $2)`).join(' or ')})`
  const name = `(${columns.map(column => `${asText(column)} like any($3)`).join(' or ')})`
  const tied = tiedIn(table)
  const byNumber = isShared ? `(${number} and ${tied})` : number
  if (!namesToo) return `(${NAMED} and ${byNumber})`
  return `(${NAMED} and (${byNumber} or (${name} and (${tied} or ${number}))))`
}

const MASK = `'${ERASED}'`

/** SQL: the text without the numbers and names; in JSON a number that is no text becomes null, and names are written as JSON writes them. */
function without(text: string, names: readonly string[], isJson: boolean): string {
  const bare = isJson
    ? `regexp_replace(${text}, '([:\\[,]\\s*)' || $2 || '(?=\\s*[,}\\]])', '\\1null', 'gi')`
    : text
  let taken = `regexp_replace(${bare}, $2, ${MASK}, 'gi')`
  for (const name of names) {
    const written = isJson ? JSON.stringify(name).slice(1, -1) : name
    taken = `replace(${taken}, ${literal(written)}, ${MASK})`
  }
  return taken
}

/** A name as SQL. */
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Columns, and in SQL what each is from then on: it changes only where something of it stands in it. */
export function takenOut(
  table: Table,
  { names }: Pick<Words, 'names'>,
  left: readonly string[],
): [column: string, value: string][] {
  return textsOf(table, left).map(column => {
    const { name, shape } = column
    const value = `t.${quoted(name)}`
    const found = `${asText(column)} like any($1) or ${asText(column)} like any($3)`
    const taken =
      shape === 'json'
        ? `(${without(`${value}::text`, names, true)})::jsonb`
        : shape === 'texts'
          ? `(select array_agg(${without('one', names, false)} order by nth) from unnest(${value}) with ordinality as parts(one, nth))`
          : without(value, names, false)
    return [name, `case when ${found} then ${taken} else ${value} end`]
  })
}

/** The same of a text that is no column: what was sealed. */
export function textWithout(text: string, { numbers, names }: Words, isTied: boolean): string {
  const bare = text.replace(new RegExp(numbers.pattern, 'gi'), ERASED)
  const names_ = isTied || bare !== text ? names : []
  return names_.reduce((left, name) => left.replaceAll(name, ERASED), bare)
}
