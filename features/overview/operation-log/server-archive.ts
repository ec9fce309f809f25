// Months of the operation log that are older than it is kept leave it one by one: written as a sealed file of the storage, read back, dropped
// in one transaction with the row that names the file, and signed outside of the database (docs/decisions/0092). Archives go after their own
// term.
import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { signedUpTo, signLine } from '#server/checkpoints/checkpoints.ts'
import type { Services } from '#server/ctx.ts'
import { intervalOf } from '#server/keeping.ts'
import { ARCHIVED_MONTHS, KEPT_MONTHS } from './rules.ts'
import { alone } from './server-archive-alone.ts'
import { archived, type Place, read } from './server-archive-file.ts'

type Client = Pick<pg.ClientBase, 'query'>
export type Work = Pick<Services, 'storage' | 'secrets' | 'env' | 'clock'>

/** As signed lines call them. */
export const ARCHIVE_LINES = { name: 'operation-log-archives' }
/** Months that were written anew, since a person was erased of them: each line says of which number, and the last of a number holds. */
export const ANEW_LINES = { name: 'operation-log-archives-anew' }
export const ARCHIVES = 'archives/operation-log/'
const ROWS_AT_ONCE = 2_000

/** Answers how many months left the log. */
export async function archivePast(client: Client, work: Work): Promise<number> {
  return alone(client, async () => {
    let months = 0
    for (;;) {
      const month = await nextMonth(client)
      if (month === null) break
      await archiveMonth(client, month, work)
      months++
    }
    await signArchives(client, work)
    await removePast(client, work)
    return months
  })
}

/** The oldest that is older than the log is kept, as 2026_01; none while rows of it wait for their links. */
async function nextMonth(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ month: string }>(
    `select month from (
       select substr(c.relname, 4) as month, (to_date(substr(c.relname, 4), 'YYYY_MM') + interval '1 month') at time zone 'UTC' as ended
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'operation_logs'::regclass and c.relnamespace = 'operation_log_months'::regnamespace) as months
     where ended <= now() - ${intervalOf(KEPT_MONTHS)}
       and not exists (select from operation_log_waiting where created_at < ended and not altered)
     order by 1 limit 1`,
  )
  return rows[0]?.month ?? null
}

async function archiveMonth(client: Client, month: string, work: Work): Promise<void> {
  const end = `(to_date('${month}', 'YYYY_MM') + interval '1 month') at time zone 'UTC'`
  const drop = `select drop_operation_log_months(${end})`
  const { rowCount } = await client.query(`select from operation_log_months.of_${month} limit 1`)
  if (rowCount === 0) {
    await client.query(drop)
    return
  }
  const name = month.replace('_', '-')
  const { file, key } = newFile(name)
  const before = await anchors(client)
  const written = archived({ key, name: file }, { month: name, before }, linesOf(client, month))
  await work.storage.put(file, written.bytes)
  const { rows, digest } = written.told()
  await readBack(work, { file, key, digest })
  try {
    await client.query(`begin; lock table operation_log_months.of_${month} in share mode`)
    const { rows: found } = await client.query<{ count: string }>(
      `select count(*) from operation_log_months.of_${month}`,
    )
    if (Number(found[0]?.count) !== rows) throw new Error(`${name} of the operation log grew meanwhile`)
    await client.query(
      `insert into operation_log_archives (number, month, rows, digest, file, file_key, archived_at)
       select coalesce(max(number), 0) + 1, $1, $2, $3, $4, $5, now() from operation_log_archives`,
      [name, rows, digest, file, work.secrets.encrypt(key)],
    )
    await client.query(drop)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    await work.storage.delete(file)
    throw error
  }
}

/** Of a month: no two have the same name or key. */
export const newFile = (month: string) => ({
  file: `${ARCHIVES}${month}-${randomUUID().slice(0, 8)}`,
  key: randomBytes(32).toString('hex'),
})

/** Where each agent's chain stands before the month. */
async function anchors(client: Client): Promise<Record<string, Place>> {
  const { rows } = await client.query<{ agent_id: string; sequence: string; hash: string }>(
    `select agent_id, sequence, encode(hash, 'hex') as hash from operation_log_anchors order by agent_id`,
  )
  return Object.fromEntries(rows.map(row => [row.agent_id, [Number(row.sequence), row.hash]]))
}

/** Rows with their links, in the order of their numbers, as the database writes them: nothing of a number or a text is read on the way. */
async function* linesOf(client: Client, month: string): AsyncGenerator<string> {
  await client.query(`begin read only; set local timezone = 'UTC'`)
  try {
    await client.query(
      `declare month_rows no scroll cursor for
         select (to_jsonb(l) - array['module', 'object_kind', 'search_text']
           || jsonb_build_object('sequence', k.sequence, 'hash', encode(k.hash, 'hex'))
           || case when e.id is null then '{}' else jsonb_build_object('redaction', jsonb_build_object('erasure', e.erasure,
             'row_hash', encode(e.row_hash, 'hex'), 'signature', encode(e.signature, 'hex'))) end)::text as line
         from operation_log_months.of_${month} l left join operation_log_months.links_of_${month} k on k.id = l.id
           left join operation_log_erasures e on e.id = l.id and e.created_at = l.created_at
         order by l.id`,
    )
    for (;;) {
      const { rows } = await client.query<{ line: string }>(`fetch ${ROWS_AT_ONCE} from month_rows`)
      for (const { line } of rows) yield line
      if (rows.length < ROWS_AT_ONCE) return
    }
  } finally {
    await client.query('rollback')
  }
}

/** Nothing is dropped before it has been read where it lies. */
export async function readBack(
  { storage }: Pick<Work, 'storage'>,
  { file, key, digest }: { file: string; key: string; digest: string },
): Promise<void> {
  const opened = await storage.get(file)
  if (!opened) throw new Error(`${file} is not where it was written`)
  const found = read({ key, name: file }, opened.bytes)
  for await (const line of found.lines) if (line === '') break
  if (found.told().digest !== digest) throw new Error(`${file} is not what was written`)
}

/** Signs what has no line yet: behind the commit that made it an archive. */
export async function signArchives(client: Client, work: Work): Promise<void> {
  const signing = { storage: work.storage, env: work.env, now: work.clock.now() }
  const { rows } = await client.query<{ number: string; rows: string; digest: string }>(
    'select number, rows, digest from operation_log_archives where number > $1 order by number',
    [await signedUpTo(ARCHIVE_LINES, signing)],
  )
  for (const { number, rows: count, digest } of rows)
    await signLine(
      ARCHIVE_LINES,
      { from: Number(number), to: Number(number), rows: Number(count), digest },
      signing,
    )
}

/** Archives that were kept for their term, and files of those that never became one. What was signed of them stays. */
async function removePast(client: Client, { storage }: Work): Promise<void> {
  await client.query(
    `update operation_log_archives set file_key = null
     where file_key is not null and archived_at < now() - ${intervalOf(ARCHIVED_MONTHS)}`,
  )
  const { rows } = await client.query<{ file: string }>(
    'select file from operation_log_archives where file_key is not null',
  )
  const kept = new Set(rows.map(({ file }) => file))
  for (let after: string | null = ''; after !== null; ) {
    const page: Awaited<ReturnType<typeof storage.list>> = await storage.list(ARCHIVES, after)
    for (const { key } of page.kept) if (!kept.has(key)) await storage.delete(key)
    after = page.next
  }
}
