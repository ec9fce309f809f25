// The rows of one agency, all of one moment, read as the agency itself reads (docs/decisions/0090). One connection keeps the moment and
// touches no table; another reads parts of a second or so, each in a transaction of its own that takes that moment over, so that no lock
// is held for longer and a migration comes in between.
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { CONTENTS, OF_AGENCIES, STAYS, whereOf } from './server-contents.ts'

/** How a column's text is written: a number, yes or no, something of its own (JSON), an amount, an instant, or as it stands. */
export type ColumnKind = 'number' | 'flag' | 'json' | 'amount' | 'instant' | 'sealed' | 'text'
export type Column = { name: string; kind: ColumnKind }
type Key = { name: string; type: string }
export type Cells = readonly (string | null)[]

export type Snapshot = {
  /** What there is of the table for the agency, by the catalogue of that moment. */
  columnsOf(table: string): Promise<Column[]>
  /** All rows of the agency in the order of the table's key. */
  rows(table: string): AsyncGenerator<Cells[]>
  /** What else is asked of that moment, in parts by a key. */
  parts<Row extends pg.QueryResultRow>(
    statement: (after: string | null) => string,
    keyOf: (row: Row) => string,
  ): AsyncGenerator<Row[]>
  /** When that moment was, ISO. */
  at: string
  end(): void
}

export type Pace = {
  /** Rests for so many parts of the time that a piece took. */
  rest: number
}

/** Rows that are read at once, and how long, how many and how much a transaction reads. */
const BATCH = 500
const HELD_MS = 1_000
const PART_ROWS = 10_000
const PART_CHARS = 16_000_000
const HOUR_MS = 3_600_000

const SHANGHAI = (column: string) =>
  `to_char(${column} at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS.MS') || ' +08:00'`

export async function openSnapshot(
  pool: Pick<pg.Pool, 'connect'>,
  agentId: number,
  pace: Pace,
): Promise<Snapshot> {
  if (!Number.isSafeInteger(agentId)) throw new Error('an agent is known by a whole number')
  const keeper = await pool.connect()
  const identity = `set local app.agent_id = '${agentId}'; set local app.scope = 'own'`
  const begin = 'begin isolation level repeatable read read only'
  let name = ''
  let at = ''
  try {
    await keeper.query(`${begin}; set local idle_in_transaction_session_timeout = ${24 * HOUR_MS}`)
    const { rows } = await keeper.query<{ name: string; at: string }>(
      `select pg_export_snapshot() as name, to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`,
    )
    ;[{ name, at }] = rows as [{ name: string; at: string }]
  } catch (error) {
    keeper.release(true)
    throw error
  }

  /** One transaction of that moment. */
  async function within<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    try {
      await client.query(`${begin}; set transaction snapshot '${name}'; ${identity}`)
      const result = await work(client)
      await client.query('commit')
      client.release()
      return result
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  async function catalogue(
    table: string,
  ): Promise<{ columns: { name: string; type: string }[]; key: Key[] }> {
    return within(async client => {
      const { rows: columns } = await client.query<{ name: string; type: string }>(
        `select attname as name, format_type(atttypid, null) as type from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
        [`public.${table}`],
      )
      const { rows: key } = await client.query<Key>(
        `select a.attname as name, format_type(a.atttypid, null) as type
         from pg_index i, unnest(i.indkey) with ordinality k(attnum, place) join pg_attribute a on a.attnum = k.attnum
         where i.indrelid = $1::regclass and i.indisprimary and a.attrelid = i.indrelid order by k.place`,
        [`public.${table}`],
      )
      return { columns, key }
    })
  }

  async function columnsOf(table: string): Promise<Column[]> {
    const { without = [], as = {} } = CONTENTS[table] ?? {}
    const { columns } = await catalogue(table)
    const stays = (column: string, type: string) =>
      without.includes(column) ||
      STAYS.test(column) ||
      (type === 'bytea' && !OPENED.has(`${table}.${column}`))
    const added = Object.keys(as).filter(column => columns.every(known => known.name !== column))
    return [
      ...columns.flatMap(({ name: column, type }) =>
        stays(column, type)
          ? []
          : [{ name: column, kind: as[column] ? asKind(column) : kindOf(column, type) }],
      ),
      ...added.map(column => ({ name: column, kind: asKind(column) })),
    ]
  }

  async function* rows(table: string): AsyncGenerator<Cells[]> {
    const columns = await columnsOf(table)
    const { key } = await catalogue(table)
    if (key.length === 0) throw new Error(`${table} has no key to be read by`)
    const { as = {} } = CONTENTS[table] ?? {}
    const cells = columns.map(
      ({ name: column, kind }) =>
        as[column]?.replaceAll('$agent', String(agentId)) ?? cellOf(column, kind, agentId),
    )
    const keys = key.map(({ name: column }) => `r.${column}::text`)
    const order = key.map(({ name: column }) => `r.${column}`).join(', ')
    let last: Cells | null = null
    for (;;) {
      const after: string = last ? `and (${order}) > (${literals(key, last)})` : ''
      const statement = `select array[${[...keys, ...cells].join(', ')}]::text[] as cells from public.${table} r
        where ${whereOf(table, agentId)} ${after} order by ${order} limit ${PART_ROWS}`
      const { batches, isLast } = await partOf(statement)
      for (const batch of batches) {
        last = batch.at(-1)?.slice(0, key.length) ?? last
        yield batch.map(row => row.slice(key.length))
      }
      if (isLast) return
    }
  }

  /** As many of the rows as are read within the time of a part; whoever writes them somewhere holds no lock meanwhile. */
  async function partOf(statement: string): Promise<{ batches: Cells[][]; isLast: boolean }> {
    const began = performance.now()
    const batches: Cells[][] = []
    let [count, chars] = [0, 0]
    const isLast = await within(async client => {
      await client.query(`declare part no scroll cursor for ${statement}`)
      for (;;) {
        const { rows: found } = await client.query<{ cells: (string | null)[] }>(`fetch ${BATCH} from part`)
        batches.push(found.map(row => row.cells))
        count += found.length
        for (const { cells } of found) for (const cell of cells) chars += cell?.length ?? 0
        if (found.length < BATCH) return count < PART_ROWS
        if (performance.now() - began > HELD_MS || chars > PART_CHARS) return false
      }
    })
    await pause((performance.now() - began) * pace.rest)
    return { batches, isLast }
  }

  async function* parts<Row extends pg.QueryResultRow>(
    statement: (after: string | null) => string,
    keyOf: (row: Row) => string,
  ): AsyncGenerator<Row[]> {
    let last: string | null = null
    for (;;) {
      const found: Row[] = await within(async client => (await client.query<Row>(statement(last))).rows)
      const [end] = found.slice(-1)
      if (!end) return
      last = keyOf(end)
      yield found
    }
  }

  return {
    columnsOf,
    rows,
    parts,
    at,
    // The moment ends with its connection.
    end: () => keeper.release(true),
  }
}

/** Columns that lie encrypted and are written opened, as the pages of the agency and of the operator show them. */
export const OPENED = new Set(['merchants.payment_config'])

const literals = (key: readonly Key[], values: Cells) =>
  key.map(({ type }, place) => `'${String(values[place]).replaceAll("'", "''")}'::${type}`).join(', ')

const asKind = (column: string): ColumnKind => (/amount|balance/.test(column) ? 'amount' : 'text')

function kindOf(column: string, type: string): ColumnKind {
  if (type === 'bytea') return 'sealed'
  if (/_(cents|fen)$/.test(column) || column === 'cents' || column === 'fen') return 'amount'
  if (type === 'boolean') return 'flag'
  if (type === 'json' || type === 'jsonb' || type.endsWith('[]')) return 'json'
  if (type.startsWith('timestamp')) return 'instant'
  return /^(bigint|integer|smallint|double precision|numeric)$/.test(type) ? 'number' : 'text'
}

function cellOf(column: string, kind: ColumnKind, agentId: number): string {
  const own = `r.${column}`
  if (kind === 'sealed') return `encode(${own}, 'base64')`
  if (kind === 'amount') return `round(${own} / 100.0, 2)::text`
  if (kind === 'instant') return SHANGHAI(own)
  if (kind === 'json') return `to_jsonb(${own})::text`
  if (column === 'agent_id' || OF_AGENCIES.test(column))
    return `case when ${own} = ${agentId} then ${own}::text end`
  return `${own}::text`
}
