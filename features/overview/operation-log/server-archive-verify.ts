// Checks that archives of the operation log are whole and lead into the log without a gap: each file is what was signed of it, each chain goes
// on from one month to the next and ends where the log's anchors begin, and rows are what the checkpoints cover. Months pass in their order, row
// by row; what is held is an end of each chain, and what came before its turn.
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import { type ArchivedRows, archivedRows, readCheckpoints } from '#server/checkpoints/checkpoints.ts'
import { knownKey } from '#server/checkpoints/key.ts'
import type { Services } from '#server/ctx.ts'
import { isRedaction } from '#server/redact-log.ts'
import { ANEW_LINES, ARCHIVE_LINES } from './server-archive.ts'
import { Head, type Place, Row, read, redactionOf } from './server-archive-file.ts'
import { LOG_BOOK } from './verify.ts'

type Client = Pick<pg.ClientBase, 'query'>
export type Reading = Pick<Services, 'storage' | 'secrets' | 'env'> & {
  /** Where copies of the archives lie, each by the last part of its name; null: the office's own. */
  folder: string | null
}

/** What each figure of a problem counts. */
const PROBLEMS = {
  archives_missing: 'months whose file is not there, or that are signed and unknown to the database',
  archives_altered: 'months whose file does not open, is another’s, or is not what was signed of it',
  archives_unsigned:
    'months of which nothing was signed, or lines that this key has not signed in their order',
  archived_chains_broken: 'archived rows that do not follow from the one before, or have no link',
  archived_redactions_forged:
    'archived rows of which a person was erased, as this office has not signed them',
  archives_apart: 'chains that do not go on from one month to the next, or to the beginning of the log',
} as const

export type ArchiveCheck = {
  sound: boolean
  figures: Record<'archives' | 'archived_rows' | 'archived_redacted', number>
  problems: Record<keyof typeof PROBLEMS, number>
  /** What is wrong with which month, in words. */
  named: string[]
  /** For the checkpoints of the log. */
  rows: ArchivedRows
}

export type Known = {
  number: number
  month: string
  rows: number
  digest: string
  file: string
  file_key: Buffer | null
}
export type Archive = Known & { file_key: Buffer }

/** Those that were kept long enough are known and gone. */
export async function knownArchives(client: Client): Promise<Known[]> {
  const { rows } = await client.query<Known>(
    'select number::int, month, rows::int, digest, file, file_key from operation_log_archives order by number',
  )
  return rows
}

export const isKept = (known: Known): known is Archive => known.file_key !== null

async function opened({ folder, storage }: Reading, file: string): Promise<Readable | null> {
  if (folder === null) return (await storage.get(file))?.bytes ?? null
  const stream = createReadStream(join(folder, file.slice(file.lastIndexOf('/') + 1)))
  return new Promise((resolve, reject) => {
    stream.once('open', () => resolve(stream))
    stream.once('error', error =>
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? resolve(null) : reject(error),
    )
  })
}

/** The lines of a month that is kept, the head's first. Null: its file is not there. */
export async function linesOf({ file, file_key }: Archive, reading: Reading) {
  const bytes = await opened(reading, file)
  return bytes && read({ key: reading.secrets.decrypt(file_key), name: file }, bytes)
}

export async function verifyArchives(client: Client, reading: Reading): Promise<ArchiveCheck> {
  const rows = archivedRows(await readCheckpoints(LOG_BOOK, reading))
  const signed = await readCheckpoints(ARCHIVE_LINES, reading)
  const known = await knownArchives(client)
  const archives = known.filter(isKept)
  const anew = await readCheckpoints(ANEW_LINES, reading)
  const figures = { archives: archives.length, archived_rows: 0, archived_redacted: 0 }
  const problems = {
    archives_missing: 0,
    archives_altered: 0,
    archives_unsigned: signed.forged + signed.astray + anew.forged + anew.astray,
  }
  const chains = new Chains(client)
  const redactions = new Redactions(reading)
  const named: string[] = []
  const say = (problem: keyof typeof problems, month: string, words: string) => {
    problems[problem]++
    named.push(`archive ${month}: ${words}`)
  }
  for (const { from, at } of signed.checkpoints)
    if (!known.some(({ number }) => number === from))
      say('archives_missing', `number ${from}`, `signed at ${at}, and the database knows nothing of it`)
  // What was kept long enough is gone from the beginning.
  for (const { number, month } of known.filter(one => !isKept(one)))
    if (archives.some(one => one.number < number))
      say('archives_missing', month, 'it has gone before an older one')
  for (const archive of archives) {
    const first = signed.checkpoints.find(({ from }) => from === archive.number)
    const line = anew.checkpoints.findLast(({ of }) => of === archive.number) ?? first
    const found = await linesOf(archive, reading)
    if (!first) say('archives_unsigned', archive.month, 'nothing of it is signed')
    if (!found) {
      say('archives_missing', archive.month, 'its file is not there')
      continue
    }
    try {
      figures.archived_rows += await readMonth(found.lines, { archive, chains, redactions, rows })
      const told = found.told()
      const isSigned = !line || (line.digest === told.digest && line.rows === told.rows)
      if (!isSigned || told.digest !== archive.digest || told.rows !== archive.rows)
        say('archives_altered', archive.month, 'it is not what was signed of it')
    } catch (error) {
      say('archives_altered', archive.month, (error as Error).message)
    }
  }
  if (archives.length > 0) await chains.end()
  named.push(...chains.named, ...redactions.named)
  figures.archived_redacted = redactions.count
  const all = {
    ...problems,
    ...{ archived_chains_broken: chains.broken, archived_redactions_forged: redactions.forged },
    archives_apart: chains.apart,
  }
  return { sound: Object.values(all).every(count => count === 0), figures, problems: all, named, rows }
}

type Month = { archive: Archive; chains: Chains; redactions: Redactions; rows: ArchivedRows }

/** Rows of which a person was erased: each brings what was signed of it. */
class Redactions {
  count = 0
  forged = 0
  readonly named: string[] = []
  private readonly key: ReturnType<typeof knownKey>

  constructor({ env }: Pick<Reading, 'env'>) {
    this.key = knownKey(env)
  }

  add(month: string, row: Row): void {
    const redaction = redactionOf(row)
    if (!redaction) return
    this.count++
    if (this.key && isRedaction(redaction.signed, redaction.signature, this.key)) return
    this.forged++
    this.named.push(`archive ${month}: the erasure in row ${row.id} is not signed by this office`)
  }
}

/** Answers how many rows it has. */
async function readMonth(
  lines: AsyncIterable<string>,
  { archive, chains, redactions, rows }: Month,
): Promise<number> {
  let count = -1
  for await (const line of lines) {
    if (count++ < 0) {
      const head = Head.parse(JSON.parse(line))
      if (head.month !== archive.month) throw new Error(`it holds ${head.month}`)
      chains.begin(head)
      continue
    }
    const row = Row.parse(JSON.parse(line))
    if (row.hash !== null) rows.add({ id: row.id, hash: Buffer.from(row.hash, 'hex') })
    redactions.add(archive.month, row)
    await chains.add(line, row)
  }
  await chains.flush()
  return Math.max(count, 0)
}

const LINES_AT_ONCE = 1_000

/**
 * Each row is asked for its hash by the database, which wrote it, from the hash that stands before it; of one of which a person was erased its
 * link is what it was, and the row what was signed.
 */
const BROKEN = `
  select count(*) filter (where case when row ? 'redaction'
      then operation_log_hash(null, entry, 0) is distinct from decode(row->'redaction'->>'row_hash', 'hex')
      else operation_log_hash(decode(before, 'hex'), entry, (row->>'sequence')::bigint) is distinct from decode(row->>'hash', 'hex') end) as broken
  from (select line::jsonb as row, before, jsonb_populate_record(null::operation_logs, line::jsonb) as entry
    from unnest($1::text[], $2::text[]) as given (line, before)) as rows`

/** Chains over all months: a row waits for the one before it, since numbers of rows are not quite in the order of links. */
class Chains {
  broken = 0
  apart = 0
  readonly named: string[] = []
  private month = ''
  private hasBegun = false
  /** Links that nothing has followed yet, by agent and place. */
  private readonly ends = new Map<string, string>()
  private readonly waiting = new Map<string, { line: string; hash: string }>()
  private due: { line: string; before: string }[] = []
  private readonly client: Client

  constructor(client: Client) {
    this.client = client
  }

  /** A month begins where the one before it ended; the first of all is believed. */
  begin({ month, before }: Head): void {
    this.month = month
    if (this.hasBegun) this.compare(new Map(Object.entries(before)), `chains do not go on to ${month}`)
    else
      for (const [agent, [sequence, hash]] of Object.entries(before))
        this.ends.set(`${agent} ${sequence}`, hash)
    this.hasBegun = true
  }

  private compare(wanted: ReadonlyMap<string, Place>, words: string): void {
    const places = new Map([...wanted].map(([agent, [sequence, hash]]) => [`${agent} ${sequence}`, hash]))
    const isAlike =
      places.size === this.ends.size && [...places].every(([place, hash]) => this.ends.get(place) === hash)
    if (isAlike) return
    this.apart++
    this.named.push(words)
    this.ends.clear()
    for (const [place, hash] of places) this.ends.set(place, hash)
  }

  async add(line: string, { agent_id: agent, sequence, hash }: Row): Promise<void> {
    if (sequence === null || hash === null) {
      this.say(`a row of agent ${agent} has no link`)
      return
    }
    this.take(line, { agent, sequence, hash })
    for (let next = sequence + 1; ; next++) {
      const place = `${agent} ${next}`
      const one = this.waiting.get(place)
      if (!one) break
      this.waiting.delete(place)
      this.take(one.line, { agent, sequence: next, hash: one.hash })
    }
    if (this.due.length >= LINES_AT_ONCE) await this.ask()
  }

  private take(
    line: string,
    { agent, sequence, hash }: { agent: number; sequence: number; hash: string },
  ): void {
    const before = sequence === 1 ? '' : this.ends.get(`${agent} ${sequence - 1}`)
    if (before === undefined) {
      this.waiting.set(`${agent} ${sequence}`, { line, hash })
      return
    }
    this.ends.delete(`${agent} ${sequence - 1}`)
    this.ends.set(`${agent} ${sequence}`, hash)
    this.due.push({ line, before })
  }

  private async ask(): Promise<void> {
    const { rows } = await this.client.query<{ broken: string }>(BROKEN, [
      this.due.map(({ line }) => line),
      this.due.map(({ before }) => before),
    ])
    const broken = Number(rows[0]?.broken)
    this.due = []
    if (broken > 0) this.say(`${broken} rows are not what their links say`, broken)
  }

  /** The end of a month: what waits for a row before it waits in vain. */
  async flush(): Promise<void> {
    if (this.due.length > 0) await this.ask()
    if (this.waiting.size > 0) this.say(`${this.waiting.size} rows follow from none`, this.waiting.size)
    this.waiting.clear()
  }

  private say(words: string, count = 1): void {
    this.broken += count
    this.named.push(`archive ${this.month}: ${words}`)
  }

  /** Where the living log begins. */
  async end(): Promise<void> {
    const { rows } = await this.client.query<{ agent_id: string; sequence: string; hash: string }>(
      `select agent_id, sequence, encode(hash, 'hex') as hash from operation_log_anchors`,
    )
    const anchors = rows.map(row => [row.agent_id, [Number(row.sequence), row.hash] as Place] as const)
    this.compare(new Map(anchors), 'chains of the archives do not go on to the log')
  }
}

const isAbout = (row: Row, agentId: number) => row.agent_id === agentId || row.about_agent_id === agentId

/** Rows of archives whose line holds all of these words, of one agent or of all, in their order. Rejects where a file cannot be read. */
export async function* searchArchives(
  client: Client,
  reading: Reading,
  {
    words,
    agentId,
    from,
    to,
  }: { words: readonly string[]; agentId: number | null; from: string; to: string },
): AsyncGenerator<string> {
  for (const archive of (await knownArchives(client)).filter(isKept)) {
    if (archive.month < from || archive.month > to) continue
    const found = await linesOf(archive, reading)
    if (!found) throw new Error(`The archive of ${archive.month} is not there.`)
    let isHead = true
    for await (const line of found.lines) {
      const isWanted = !isHead && words.every(word => line.includes(JSON.stringify(word).slice(1, -1)))
      isHead = false
      if (isWanted && (agentId === null || isAbout(Row.parse(JSON.parse(line)), agentId))) yield line
    }
  }
}
