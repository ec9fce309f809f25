// Checkpoints of rows that are only ever added: what a chain cannot show, its end, is signed and kept outside of the database. Owns when
// one is taken and what it covers; knows of a book its table alone.
import { createHash, createPublicKey } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Storage } from '#server/storage/storage.ts'
import { wholeOf } from '#server/storage/storage.ts'
import { checkpointKey, type KeyEnv, knownKey } from './key.ts'
import { type Checkpoint, hashOf, lineOf, readLines, signedIn } from './lines.ts'

/** A table of rows with `id` and `hash`, whose ids come from the sequence after their transaction has written. */
export type Book = {
  name: string
  table: string
  sequence: string
  /** Rows of its beginning are dropped once they are old. */
  drops?: true
  /** Makes the rows that come behind the commit which took their ids. */
  complete?: (client: Client) => Promise<void>
}

/** One is taken once so many rows were added, or once the last is so old and there is anything new. */
const ROWS = 100
const HOUR_MS = 3_600_000
/** Rows of one line at most: they are hashed in one statement. */
const ROWS_MOST = 100_000
const SETTLED_TRIES = 50
const SETTLED_EVERY_MS = 200

type Work = { storage: Storage; env: KeyEnv; now: Date }
type Client = Pick<pg.Client, 'query'>

/** One for each book that has grown enough. What is wrong with one is told once the others are done. */
export async function takeDue(client: Client, books: readonly Book[], work: Work): Promise<void> {
  const failures: unknown[] = []
  for (const book of books) await takeIfDue(client, book, work).catch(error => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

async function takeIfDue(client: Client, book: Book, work: Work): Promise<void> {
  const { last } = await linesOf(work, book)
  const { rows } = await client.query<{ id: string }>(`select last_value as id from ${book.sequence}`)
  const added = Number(rows[0]?.id ?? 0) - (last?.to ?? 0)
  const isOld = last === null || work.now.getTime() - Date.parse(last.at) >= HOUR_MS
  if (added >= ROWS || (added > 0 && isOld)) await take(client, book, work)
}

/** Reads as the owner, all agents' rows. Nothing of the storage is waited for within: it may be an outside service. */
async function reading<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query(`begin read only; set local app.scope = 'all'`)
  try {
    return await work()
  } finally {
    await client.query('rollback')
  }
}

/** Of all rows that are committed; none where transactions that may have ids do not end. */
export async function take(client: Client, book: Book, work: Work): Promise<void> {
  const upTo = await settled(client, book)
  if (upTo === null) return
  await book.complete?.(client)
  for (;;) {
    const { last } = await linesOf(work, book)
    const from = (last?.to ?? 0) + 1
    if (from > upTo) return
    const to = Math.min(upTo, from + ROWS_MOST - 1)
    const { rows, digest } = await reading(client, () => digestOf(client, book, from, to))
    await signLine(book, { from, to, rows, digest }, work)
  }
}

type Named = Pick<Book, 'name'>

/** What the last line covers; 0: there is none. */
export const signedUpTo = async (book: Named, work: Work): Promise<number> =>
  (await linesOf(work, book)).last?.to ?? 0

/** Adds a line behind the last. */
export async function signLine(
  book: Named,
  covers: Pick<Checkpoint, 'from' | 'to' | 'rows' | 'digest' | 'of'>,
  work: Work,
): Promise<void> {
  const { lastLine, file, lines } = await linesOf(work, book)
  const previous = lastLine === null ? '' : hashOf(lastLine)
  const signed = { book: book.name, ...covers, at: work.now.toISOString(), previous }
  const line = lineOf(signed, checkpointKey(work.env))
  await work.storage.put(file, Buffer.from([...lines, line, ''].join('\n')))
}

/** The last id up to which nothing more is added: every transaction that may hold one has ended. */
async function settled(client: Client, { sequence }: Book): Promise<number | null> {
  const { rows } = await client.query<{ id: string }>(
    `select case when is_called then last_value else 0 end as id from ${sequence}`,
  )
  // A number of its own, taken behind that: a snapshot names none of those that run and are newer than the newest that has ended.
  const { rows: own } = await client.query<{ xid: string }>('select pg_current_xact_id()::text as xid')
  for (let tries = 0; tries < SETTLED_TRIES; tries++) {
    const { rows: ends } = await client.query<{ over: boolean }>(
      `select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as over`,
      [own[0]?.xid],
    )
    if (ends[0]?.over) return Number(rows[0]?.id ?? 0)
    await sleep(SETTLED_EVERY_MS)
  }
  return null
}

async function digestOf(client: Client, { table }: Book, from: number, to: number) {
  const { rows } = await client.query<{ rows: string; digest: string }>(
    `select count(*) as rows, encode(sha256(coalesce(
        string_agg(convert_to(id::text || ' ', 'utf8') || coalesce(hash, ''), ''::bytea order by id), ''::bytea)), 'hex') as digest
      from ${table} where id between $1 and $2`,
    [from, to],
  )
  const found = rows[0] as (typeof rows)[number]
  return { rows: Number(found.rows), digest: found.digest }
}

const folderOf = ({ name }: Named) => `checkpoints/${name}/`

async function filesOf(storage: Storage, book: Named): Promise<string[]> {
  const keys: string[] = []
  let after: string | null = ''
  while (after !== null) {
    const { kept, next }: Awaited<ReturnType<Storage['list']>> = await storage.list(folderOf(book), after)
    keys.push(...kept.map(({ key }) => key))
    after = next
  }
  return keys
}

async function linesIn(storage: Storage, file: string): Promise<string[]> {
  const text = (await wholeOf(storage, file))?.toString('utf8') ?? ''
  return text.split('\n').filter(line => line !== '')
}

/**
 * A file a day; what stands last in the newest, and what the file of `now` has. Rejects where the last is not signed by this key: who goes
 * on from it would sign what somebody else has written there.
 */
async function linesOf({ storage, env, now }: Work, book: Named) {
  const files = await filesOf(storage, book)
  const newest = files.at(-1)
  const ofNewest = newest === undefined ? [] : await linesIn(storage, newest)
  const lastLine = ofNewest.at(-1) ?? null
  const last = lastLine === null ? null : lastSigned(lastLine, book, env)
  const today = `${folderOf(book)}${now.toISOString().slice(0, 10)}.jsonl`
  // Where the clock went back the newest goes on, so that the order of files is that of their lines.
  const file = newest !== undefined && newest > today ? newest : today
  return { last, lastLine, file, lines: file === newest ? ofNewest : [] }
}

function lastSigned(line: string, { name }: Named, env: KeyEnv): Checkpoint {
  const key = knownKey(env)
  const last = key && signedIn(line, createPublicKey(key))
  if (last?.book === name) return last
  throw new Error(`the last checkpoint of ${name} is not signed by this office's key: none is taken after it`)
}

export type CheckpointCheck = {
  figures: Record<'checkpoints' | 'unsealed', number>
  problems: Record<'forged_checkpoints' | 'checkpoints_astray' | 'rows_unlike_checkpoints', number>
}

/**
 * Compares the rows with every checkpoint. Rows that were dropped from the beginning (old months of the log) are not asked for.
 * Rejects in words where there are checkpoints and the key is missing.
 */
export async function checkCheckpoints(
  client: Client,
  book: Book,
  work: Pick<Work, 'storage' | 'env'>,
  archived?: ArchivedRows,
): Promise<CheckpointCheck> {
  const { checkpoints, forged, astray } = archived?.of ?? (await readCheckpoints(book, work))
  await book.complete?.(client)
  const { last, unlike } = await reading(client, () => compared(client, book, checkpoints, archived))
  const sealed = checkpoints.at(-1)?.to ?? 0
  return {
    figures: { checkpoints: checkpoints.length, unsealed: Math.max(0, last - sealed) },
    problems: {
      forged_checkpoints: forged,
      checkpoints_astray: astray,
      rows_unlike_checkpoints: unlike,
    },
  }
}

/** All lines of a book. Rejects in words where there are some and the key is missing. */
export async function readCheckpoints(
  book: Named,
  { storage, env }: Pick<Work, 'storage' | 'env'>,
): Promise<ReturnType<typeof readLines>> {
  const lines: string[] = []
  for (const file of await filesOf(storage, book)) lines.push(...(await linesIn(storage, file)))
  const key = knownKey(env)
  if (lines.length > 0 && key === null)
    throw new Error('there are checkpoints, and the key that signed them is missing')
  if (key === null) return { checkpoints: [], forged: 0, astray: 0 }
  return readLines(lines, book.name, createPublicKey(key))
}

type Hashed = { id: number; hash: Buffer }

/** Rows that left the table: what each checkpoint covers of them, until the rows of it are together. */
export type ArchivedRows = {
  of: Awaited<ReturnType<typeof readCheckpoints>>
  add(row: Hashed): void
  /** The lowest of them. */
  first(): number | null
  /** What was decided of a checkpoint, or those of its rows that came. */
  found(checkpoint: Checkpoint): boolean | readonly Hashed[]
}

export function archivedRows(of: ArchivedRows['of']): ArchivedRows {
  const { checkpoints } = of
  const open = new Map<Checkpoint, Hashed[]>()
  const decided = new Map<Checkpoint, boolean>()
  let first: number | null = null
  return {
    of,
    first: () => first,
    add(row) {
      first = Math.min(first ?? row.id, row.id)
      const checkpoint = covering(checkpoints, row.id)
      if (!checkpoint) return
      const rows = open.get(checkpoint) ?? []
      rows.push(row)
      open.set(checkpoint, rows)
      if (rows.length < checkpoint.rows) return
      decided.set(checkpoint, !decided.has(checkpoint) && digestOfRows(rows) === checkpoint.digest)
      open.delete(checkpoint)
    },
    found: checkpoint => decided.get(checkpoint) ?? open.get(checkpoint) ?? [],
  }
}

function covering(checkpoints: readonly Checkpoint[], id: number): Checkpoint | null {
  let [low, high] = [0, checkpoints.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const one = checkpoints[middle] as Checkpoint
    if (id < one.from) high = middle - 1
    else if (id > one.to) low = middle + 1
    else return one
  }
  return null
}

function digestOfRows(rows: readonly Hashed[]): string {
  const digest = createHash('sha256')
  for (const { id, hash } of rows.toSorted((one, other) => one.id - other.id))
    digest.update(`${id} `).update(hash)
  return digest.digest('hex')
}

/** Of a checkpoint that reaches from what left the table into what stands in it. */
async function isLikeBoth(
  client: Client,
  { table }: Book,
  { from, to, rows, digest }: Checkpoint,
  before: readonly Hashed[],
): Promise<boolean> {
  const { rows: standing } = await client.query<{ id: string; hash: Buffer | null }>(
    `select id, hash from ${table} where id between $1 and $2`,
    [from, to],
  )
  const all = [...before, ...standing.map(row => ({ id: Number(row.id), hash: row.hash ?? Buffer.alloc(0) }))]
  return all.length === rows && digestOfRows(all) === digest
}

/** The last id there is, and how many checkpoints the rows differ from. */
async function compared(
  client: Client,
  book: Book,
  checkpoints: readonly Checkpoint[],
  archived?: ArchivedRows,
) {
  const { rows } = await client.query<{ first: string | null; last: string | null }>(
    `select min(id) as first, max(id) as last from ${book.table}`,
  )
  const { last } = rows[0] as (typeof rows)[number]
  const first = archived?.first() ?? rows[0]?.first ?? null
  let unlike = 0
  for (const checkpoint of checkpoints) {
    if (book.drops && first !== null && checkpoint.from < Number(first)) continue
    const before = archived?.found(checkpoint) ?? []
    if (typeof before === 'boolean' || before.length > 0) {
      const isAlike =
        typeof before === 'boolean' ? before : await isLikeBoth(client, book, checkpoint, before)
      if (!isAlike) unlike++
      continue
    }
    const found = await digestOf(client, book, checkpoint.from, checkpoint.to)
    if (found.rows !== checkpoint.rows || found.digest !== checkpoint.digest) unlike++
  }
  return { last: Number(last ?? 0), unlike }
}
