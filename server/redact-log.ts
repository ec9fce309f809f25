// Takes a person's data out of rows of the log. A link stays what it was, since all behind it follow from it; beside it lies, signed, what the
// row is from then on (docs/decisions/0091). `log:verify` asks for both.
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type pg from 'pg'

type Client = Pick<pg.ClientBase, 'query'>

/** `where` and what columns are set to are SQL of the row as `t`; what was redacted must not be found again by `where`. */
export type Redaction = {
  where: string
  set: readonly (readonly [column: string, value: string])[]
  values: readonly unknown[]
  /** The number of the erasure. */
  erasure: string
  key: KeyObject
}

const ROWS_AT_ONCE = 500

export type Signed = {
  id: string
  agent_id: string
  at: string
  erasure: string
  link_hash: Buffer
  row_hash: Buffer
}

/** What is signed of a row. */
const textOf = ({ id, agent_id, at, erasure, link_hash, row_hash }: Signed) =>
  Buffer.from(
    JSON.stringify([id, agent_id, at, erasure, link_hash.toString('hex'), row_hash.toString('hex')]),
  )

export const signRedaction = (signed: Signed, key: KeyObject): Buffer => sign(null, textOf(signed), key)

export const isRedaction = (signed: Signed, signature: Buffer, key: KeyObject): boolean =>
  verify(null, textOf(signed), key, signature)

const MS = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint::text`

/** Redacts all linked rows, part by part, behind a caller who has linked what can be linked; answers how many, and how many others still wait for their link. */
export async function redactRows(
  client: Client,
  { where, set, values, erasure, key }: Redaction,
): Promise<{ redacted: number; waiting: number }> {
  const columns = set.map(([column, value]) => `"${column}" = ${value}`).join(', ')
  let redacted = 0
  for (;;) {
    await client.query(`begin; set local app.scope = 'all'`)
    try {
      const { rows } = await client.query<Signed>(
        `with due as (
           select t.id, t.created_at, k.hash from operation_logs t
             join operation_log_links k on k.id = t.id and k.created_at = t.created_at
           where ${where} limit ${ROWS_AT_ONCE} for update of t),
         gone as (
           update operation_logs t set ${columns} from due where due.id = t.id and due.created_at = t.created_at
           returning t.id as row_id, t as entry, due.hash as link_hash)
         select row_id::text as id, (entry).agent_id::text as agent_id, ${MS('(entry).created_at')} as at, link_hash,
           operation_log_hash(null, entry, 0) as row_hash from gone`,
        [...values],
      )
      for (const row of rows) {
        const signed = { ...row, erasure }
        await client.query(
          `insert into operation_log_erasures (id, agent_id, created_at, erasure, link_hash, row_hash, signature)
           values ($1, $2, to_timestamp($3::bigint / 1000.0), $4, $5, $6, $7)
           on conflict (id, created_at) do update
             set erasure = excluded.erasure, row_hash = excluded.row_hash, signature = excluded.signature`,
          [row.id, row.agent_id, row.at, erasure, row.link_hash, row.row_hash, signRedaction(signed, key)],
        )
      }
      await client.query('commit')
      redacted += rows.length
      if (rows.length < ROWS_AT_ONCE) break
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  }
  const { rows } = await client.query<{ waiting: number }>(
    `select count(*)::int as waiting from operation_logs t
     where ${where} and not exists (select from operation_log_links k where k.id = t.id and k.created_at = t.created_at)`,
    [...values],
  )
  return { redacted, waiting: rows[0]?.waiting ?? 0 }
}

/** How many redactions this key has not signed, and how many there are. */
export async function forgedRedactions(
  client: Client,
  key: KeyObject | null,
): Promise<{ redacted: number; forged: number }> {
  const publicKey = key && createPublicKey(key)
  let redacted = 0
  let forged = 0
  for (let last: [string, string] = ['0', '-infinity']; ; ) {
    const { rows }: pg.QueryResult<Signed & { signature: Buffer; created_at: string }> = await client.query(
      `select id::text, agent_id::text, ${MS('created_at')} as at, created_at::text as created_at, erasure, link_hash, row_hash, signature
       from operation_log_erasures where (id, created_at) > ($1::bigint, $2::timestamptz) order by id, created_at limit ${ROWS_AT_ONCE}`,
      last,
    )
    for (const row of rows) {
      redacted++
      if (!publicKey || !isRedaction(row, row.signature, publicKey)) forged++
    }
    const end = rows.at(-1)
    if (!end) return { redacted, forged }
    last = [end.id, end.created_at]
  }
}
