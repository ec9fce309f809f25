// Takes a person out of months that have left the log: a month is written anew, sealed with a key of its own, with its rows redacted and each
// redaction signed beside its row, as in the log (server/redact-log.ts). Of what replaces it a further line is signed. Then the row names the new
// file and the key of the old one is gone, then its bytes. Killed before, the next beginning writes the very same lines again.
import type pg from 'pg'
import { readCheckpoints, signLine } from '#server/checkpoints/checkpoints.ts'
import { type Redaction, signRedaction } from '#server/redact-log.ts'
import { ANEW_LINES, ARCHIVE_LINES, newFile, readBack, signArchives, type Work } from './server-archive.ts'
import { archived, Head, Row, redactionOf } from './server-archive-file.ts'
import { type Archive, isKept, knownArchives, linesOf } from './server-archive-verify.ts'

type Client = Pick<pg.ClientBase, 'query'>
type Sought = Pick<Redaction, 'where' | 'values'>

const LINES_AT_ONCE = 500

/** How many rows of archives `where` finds. */
export async function countInArchives(client: Client, work: Work, sought: Sought): Promise<number> {
  let count = 0
  for (const archive of (await knownArchives(client)).filter(isKept))
    for await (const lines of batches(work, archive)) count += await countIn(client, lines, sought)
  return count
}

/**
 * Redacts all rows of archives that `where` finds. `onMonth` notes how many, within the transaction that replaces a month. For a caller who
 * has the archives alone.
 */
export async function redactArchives(
  client: Client,
  work: Work,
  redaction: Redaction,
  onMonth: (rows: number) => Promise<void>,
): Promise<void> {
  await signArchives(client, work)
  for (const archive of (await knownArchives(client)).filter(isKept)) {
    let count = 0
    for await (const lines of batches(work, archive)) count += await countIn(client, lines, redaction)
    if (count === 0) continue
    await isAsSigned(work, archive)
    await replace(client, work, archive, redaction, () => onMonth(count))
  }
}

/** Nothing is signed anew that was not signed before: what somebody else has written would come out as ours. */
async function isAsSigned(work: Work, { number, month, digest }: Archive): Promise<void> {
  const first = await readCheckpoints(ARCHIVE_LINES, work)
  const anew = await readCheckpoints(ANEW_LINES, work)
  const isSigned =
    first.checkpoints.some(line => line.from === number && line.digest === digest) ||
    anew.checkpoints.some(line => line.of === number && line.digest === digest)
  if (!isSigned)
    throw new Error(`The archive of ${month} is not what was signed of it: npm run log:verify -- --archives`)
}

async function replace(
  client: Client,
  work: Work,
  archive: Archive,
  redaction: Redaction,
  note: () => Promise<void>,
): Promise<void> {
  const { number, month, file: old } = archive
  const { file, key } = newFile(month)
  const head = await headOf(work, archive)
  const written = archived({ key, name: file }, head, redacted(client, work, archive, redaction))
  await work.storage.put(file, written.bytes)
  const { rows, digest } = written.told()
  await readBack(work, { file, key, digest })
  await signAnew(work, { number, rows, digest })
  await client.query('begin')
  try {
    const { rowCount } = await client.query(
      'update operation_log_archives set digest = $3, file = $4, file_key = $5 where number = $1 and file = $2 and rows = $6',
      [number, old, digest, file, work.secrets.encrypt(key), rows],
    )
    if (rowCount !== 1) throw new Error(`The archive of ${month} was changed meanwhile.`)
    await note()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    await work.storage.delete(file)
    throw error
  }
  // What a kill leaves here opens no more, and goes with the next night.
  await work.storage.delete(old)
}

async function signAnew(
  work: Work,
  { number, rows, digest }: { number: number; rows: number; digest: string },
): Promise<void> {
  const { checkpoints } = await readCheckpoints(ANEW_LINES, work)
  const last = checkpoints.findLast(({ of }) => of === number)
  if (last?.digest === digest) return
  const next = (checkpoints.at(-1)?.to ?? 0) + 1
  const signing = { storage: work.storage, env: work.env, now: work.clock.now() }
  await signLine(ANEW_LINES, { from: next, to: next, rows, digest, of: number }, signing)
}

async function opened(work: Work, archive: Archive) {
  const found = await linesOf(archive, { ...work, folder: null })
  if (!found) throw new Error(`The archive of ${archive.month} is not there.`)
  return found
}

async function headOf(work: Work, archive: Archive): Promise<Head> {
  const { lines } = await opened(work, archive)
  for await (const line of lines) return Head.parse(JSON.parse(line))
  throw new Error(`The archive of ${archive.month} is empty.`)
}

/** Its rows in their order; fails where they are not what the database knows of them. */
async function* batches(work: Work, archive: Archive): AsyncGenerator<string[]> {
  const found = await opened(work, archive)
  let isHead = true
  let batch: string[] = []
  for await (const line of found.lines) {
    if (!isHead) batch.push(line)
    isHead = false
    if (batch.length < LINES_AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
  if (found.told().digest !== archive.digest)
    throw new Error(`The archive of ${archive.month} is not what was written.`)
}

/** SQL: the lines of $n as rows. */
const asRows = (nth: number) => `
  (select given.line::jsonb as line, given.nth, entry.*
   from unnest($${nth}::text[]) with ordinality as given (line, nth),
     lateral jsonb_populate_record(null::operation_logs, given.line::jsonb) as entry) as t`

async function countIn(client: Client, lines: readonly string[], { where, values }: Sought): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from ${asRows(values.length + 1)} where ${where}`,
    [...values, lines],
  )
  return rows[0]?.count ?? 0
}

async function* redacted(
  client: Client,
  work: Work,
  archive: Archive,
  { where, set, values, erasure, key }: Redaction,
): AsyncGenerator<string> {
  const columns = set.map(([column, value]) => `'${column}', ${value}`).join(', ')
  for await (const lines of batches(work, archive)) {
    const { rows } = await client.query<{ nth: number; line: string; row_hash: string }>(
      `select nth, line::text as line,
         encode(operation_log_hash(null, jsonb_populate_record(null::operation_logs, line), 0), 'hex') as row_hash
       from (select t.nth::int as nth, (t.line - 'redaction') || jsonb_build_object(${columns}) as line
         from ${asRows(values.length + 1)} where ${where}) as changed`,
      [...values, lines],
    )
    const changed = new Map(rows.map(row => [row.nth, row]))
    for (const [at, line] of lines.entries()) {
      const row = changed.get(at + 1)
      yield row ? signedLine(row, { erasure, key }) : line
    }
  }
}

/** The line as the database writes it, so that no number of it is read and written on the way, with its redaction at its end. */
function signedLine(
  { line, row_hash }: { line: string; row_hash: string },
  { erasure, key }: Pick<Redaction, 'erasure' | 'key'>,
): string {
  const unsigned = redactionOf(
    Row.parse({ ...JSON.parse(line), redaction: { erasure, row_hash, signature: '' } }),
  )
  if (!unsigned) throw new Error('a row that was redacted says so')
  const signature = signRedaction(unsigned.signed, key).toString('hex')
  return `${line.slice(0, -1)}, "redaction": ${JSON.stringify({ erasure, row_hash, signature })}}`
}
