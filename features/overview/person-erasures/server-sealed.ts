// What lies encrypted in columns of bytes, whichever they are: opened, looked through, and encrypted again without the person. What does not
// open is a hash, or a key of something else, and holds no text.
import type { Secrets } from '#server/secrets.ts'
import { type Client, quoted } from './server-client.ts'
import { APART } from './server-places.ts'
import { has, type Table, textWithout, type Words } from './server-texts.ts'

const ROWS_AT_ONCE = 500
/** Bytes of other things by their names: hashes, keys, and parts of pictures, which go after a day. */
const NO_TEXT =
  /hash|digest|salt|public_key|sealed_key|signature|verifier|^facts$|^body$|^secret$|previous_secret/

export type SealedColumn = { table: Table; column: string }

export function sealedColumns(tables: readonly Table[]): SealedColumn[] {
  return tables
    .filter(({ name }) => !Object.hasOwn(APART, name))
    .flatMap(table =>
      table.columns
        .filter(({ name, shape }) => shape === 'bytes' && !NO_TEXT.test(name))
        .map(({ name }) => ({ table, column: name })),
    )
}

/** Null where it was not encrypted by the field. */
export function opened(secrets: Pick<Secrets, 'decrypt'>, sealed: Buffer | null): string | null {
  if (sealed === null || sealed.length < 29) return null
  try {
    return secrets.decrypt(sealed)
  } catch (error) {
    if (error instanceof Error) return null
    throw error
  }
}

/** How many values hold something of the person; with `write` it is taken out of them. Within a transaction of the caller's. */
export async function throughSealed(
  client: Client,
  secrets: Secrets,
  { table, column }: SealedColumn,
  { words, write }: { words: Words; write: boolean },
): Promise<number> {
  const name = quoted(column)
  const tie = has(table, 'merchant_id') ? 't.merchant_id = any($1::bigint[])' : '$1::bigint[] is null'
  await client.query(
    `declare sealed_values no scroll cursor for select t.ctid::text as place, t.${name} as value, coalesce(${tie}, false) as tied
     from ${quoted(table.name)} t where t.${name} is not null`,
    [words.tied.merchants],
  )
  let found = 0
  for (;;) {
    const { rows } = await client.query<{ place: string; value: Buffer; tied: boolean }>(
      `fetch ${ROWS_AT_ONCE} from sealed_values`,
    )
    for (const { place, value, tied } of rows) {
      const text = opened(secrets, value)
      if (text === null || (words.isShared && !tied)) continue
      const left = textWithout(text, words, tied)
      if (left === text) continue
      found++
      if (write)
        await client.query(
          `update ${quoted(table.name)} set ${name} = $1 where ctid = $2::tid and ${name} = $3`,
          [secrets.encrypt(left), place, value],
        )
    }
    if (rows.length < ROWS_AT_ONCE) break
  }
  await client.query('close sealed_values')
  return found
}
