// A closed year of the ledger as a file that needs no database to be read: of each account what it held before and behind the year, and its
// entries with their transfers between. It is signed beside itself, and each year names the one before. Entries stay in the ledger.
import { createHash, type KeyObject } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
} from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type pg from 'pg'
import { z } from 'zod'
import { type Checkpoint, hashOf, lineOf, signedIn } from '#server/checkpoints/lines.ts'

type Client = Pick<pg.ClientBase, 'query'>
/** Years are Shanghai's. */
const yearBegins = (year: number) => `timestamptz '${year}-01-01 00:00:00+08'`
const ROWS_AT_ONCE = 2_000

/** What an account holds at a moment; null: nothing was ever booked on it. The vendor's books have no chain. */
const State = z.strictObject({ balance: z.int(), sequence: z.int().nullable(), hash: z.string().nullable() })
type State = z.infer<typeof State>
const Account = z.strictObject({
  account: z.looseObject({ id: z.int(), owner_kind: z.string(), asset: z.string() }),
  opening: State.nullable(),
  closing: State.nullable(),
})
const Entry = z.strictObject({
  entry: z.looseObject({
    id: z.int(),
    account_id: z.int(),
    amount: z.int(),
    sequence: z.int().nullable(),
    balance_before: z.int().nullable(),
    balance_after: z.int().nullable(),
    hash: z.string(),
  }),
  transfer: z.looseObject({ id: z.int() }),
})
/** Digests of what all accounts held before and behind the year. */
const Foot = z.strictObject({ year: z.int(), opening: z.string(), closing: z.string() })

const stateAt = (moment: string) => `
  case when a.owner_kind = 'vendor' then
    (select jsonb_build_object('balance', sum(e.amount), 'sequence', null, 'hash', null) from ledger_entries e
      where e.account_id = a.id and e.created_at < ${moment} having count(*) > 0)
  else (select jsonb_build_object('balance', e.balance_after, 'sequence', e.sequence, 'hash', encode(e.hash, 'hex')) from ledger_entries e
      where e.account_id = a.id and e.created_at < ${moment} order by e.sequence desc limit 1) end`

const accountsOf = (year: number) => `
  select a.id::text as of, jsonb_build_object('account', to_jsonb(a) - array['balance', 'entry_count', 'head_hash', 'agent_id'],
    'opening', ${stateAt(yearBegins(year))}, 'closing', ${stateAt(yearBegins(year + 1))})::text as line
  from ledger_accounts a order by a.id`

const entriesOf = (year: number) => `
  select e.account_id::text as of, jsonb_build_object('entry', to_jsonb(e) || jsonb_build_object('hash', encode(e.hash, 'hex')),
    'transfer', to_jsonb(t))::text as line
  from ledger_entries e join ledger_transfers t on t.id = e.transfer_id
  where e.created_at >= ${yearBegins(year)} and e.created_at < ${yearBegins(year + 1)} order by e.account_id, e.sequence, e.id`

const nameOf = (year: number) => `ledger-${year}.jsonl.gz`
const signedName = (year: number) => `ledger-${year}.signed`
/** As its signed line calls it. */
const bookOf = (year: number) => `ledger-${year}`

async function* rowsOf(
  client: Client,
  name: string,
  sql: string,
): AsyncGenerator<{ of: string; line: string }> {
  await client.query(`declare ${name} no scroll cursor for ${sql}`)
  for (;;) {
    const { rows } = await client.query<{ of: string; line: string }>(`fetch ${ROWS_AT_ONCE} from ${name}`)
    yield* rows
    if (rows.length < ROWS_AT_ONCE) return
  }
}

/** What all accounts hold at a moment, as one digest: the end of a year and the beginning of the next have the same. */
class Standing {
  private readonly hash = createHash('sha256')
  add(id: number, state: State | null): void {
    if (state) this.hash.update(`${id} ${state.balance} ${state.sequence} ${state.hash}\n`)
  }
  digest(): string {
    return this.hash.digest('hex')
  }
}

export type YearWritten = { year: number; accounts: number; entries: number }

/** Writes a year that is over, reads it back and signs it. Rejects in words where it is not over, is there already, or is not sound. */
export async function archiveYear(
  client: Client,
  { year, folder, key, now }: { year: number; folder: string; key: KeyObject; now: Date },
): Promise<YearWritten> {
  const { rows } = await client.query<{ over: boolean }>(
    `select $1::timestamptz >= ${yearBegins(year + 1)} as over`,
    [now.toISOString()],
  )
  if (!rows[0]?.over) throw new Error(`${year} is not over yet.`)
  if (existsSync(join(folder, signedName(year)))) throw new Error(`${year} is archived in ${folder} already.`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const half = join(folder, `${nameOf(year)}.part`)
  await client.query(
    `begin isolation level repeatable read read only; set local timezone = 'UTC'; set local app.scope = 'all'`,
  )
  try {
    const lines = Readable.from(linesOf(client, year), { objectMode: false })
    await pipeline(lines, createGzip(), createWriteStream(half, { mode: 0o600, flush: true }))
  } catch (error) {
    await rm(half, { force: true })
    throw error
  } finally {
    await client.query('rollback')
  }
  const found = await readYear(client, half, year)
  if (found.problems.length > 0) {
    await rm(half)
    throw new Error(
      `${year} is not sound: ${found.problems.slice(0, 3).join('; ')}. Run npm run ledger:verify.`,
    )
  }
  await rename(half, join(folder, nameOf(year)))
  const before = join(folder, signedName(year - 1))
  const previous = existsSync(before) ? hashOf(readFileSync(before, 'utf8').trim()) : ''
  const covers = { from: 1, to: Math.max(1, found.entries), rows: found.entries, digest: found.digest }
  const line = lineOf({ book: bookOf(year), ...covers, at: now.toISOString(), previous }, key)
  await writeFile(join(folder, signedName(year)), `${line}\n`, { mode: 0o600, flush: true })
  return { year, accounts: found.accounts, entries: found.entries }
}

/** Each account with its entries of the year behind it; the foot last. */
async function* linesOf(client: Client, year: number): AsyncGenerator<string> {
  const entries = rowsOf(client, 'year_entries', entriesOf(year))
  const [opening, closing] = [new Standing(), new Standing()]
  let next = await entries.next()
  for await (const { of, line } of rowsOf(client, 'year_accounts', accountsOf(year))) {
    const account = Account.parse(JSON.parse(line))
    opening.add(account.account.id, account.opening)
    closing.add(account.account.id, account.closing)
    if (account.closing) yield `${line}\n`
    for (; !next.done && next.value.of === of; next = await entries.next()) yield `${next.value.line}\n`
  }
  yield `${JSON.stringify({ year, opening: opening.digest(), closing: closing.digest() })}\n`
}

type YearRead = {
  accounts: number
  entries: number
  digest: string
  foot: z.infer<typeof Foot> | null
  problems: string[]
}

/** The database computes hashes as it did when they were written; it is asked for nothing else. */
const BROKEN = `
  with given as materialized (
    select line::jsonb->'entry' as entry, line::jsonb->'transfer' as transfer, decode(before, 'hex') as before, account::jsonb as account
    from unnest($1::text[], $2::text[], $3::text[]) as given (line, before, account))
  select entry->>'id' as id from given
  where ledger_entry_hash(before, jsonb_populate_record(null::ledger_entries, entry - 'hash'),
    jsonb_populate_record(null::ledger_transfers, transfer), jsonb_populate_record(null::ledger_accounts, account))
    is distinct from decode(entry->>'hash', 'hex')`

/** Reads a year line by line: what each account held, its entries from there to where it ended, and that all of them come to nothing. */
async function readYear(client: Client, file: string, year: number): Promise<YearRead> {
  const hash = createHash('sha256')
  const found: YearRead = { accounts: 0, entries: 0, digest: '', foot: null, problems: [] }
  const say = (words: string) => void found.problems.push(words)
  const [opening, closing] = [new Standing(), new Standing()]
  const sums = new Map<string, number>()
  let due: { line: string; before: string; account: string }[] = []
  let account: z.infer<typeof Account> | null = null
  let at: State = NOTHING
  const end = () => {
    if (!account) return
    const { closing: wanted } = account
    const isThere =
      wanted?.balance === at.balance && wanted.sequence === at.sequence && wanted.hash === at.hash
    if (!isThere) say(`account ${account.account.id} does not end where its entries lead`)
  }
  async function ask() {
    const { rows } = await client.query<{ id: string }>(BROKEN, [
      due.map(({ line }) => line),
      due.map(({ before }) => before),
      due.map(one => one.account),
    ])
    due = []
    for (const { id } of rows) say(`entry ${id} is not what its hash says`)
  }
  function book(line: string, { entry }: z.infer<typeof Entry>) {
    if (!account || entry.account_id !== account.account.id) return say(`entry ${entry.id} is of no account`)
    const isVendors = account.account.owner_kind === 'vendor'
    const next = { balance: at.balance + entry.amount, sequence: (at.sequence ?? 0) + 1, hash: entry.hash }
    const follows = isVendors
      ? entry.sequence === null
      : entry.sequence === next.sequence &&
        entry.balance_before === at.balance &&
        entry.balance_after === next.balance
    if (!follows) say(`entry ${entry.id} does not follow from the one before`)
    due.push({ line, before: isVendors ? '' : (at.hash ?? ''), account: JSON.stringify(account.account) })
    at = isVendors ? { ...NOTHING, balance: next.balance } : next
    const { asset } = account.account
    sums.set(asset, (sums.get(asset) ?? 0) + entry.amount)
    found.entries++
  }
  const plain = createReadStream(file).pipe(createGunzip())
  try {
    for await (const line of createInterface({ input: plain, crlfDelay: Number.POSITIVE_INFINITY })) {
      hash.update(`${line}\n`)
      const read: unknown = JSON.parse(line)
      if (typeof read === 'object' && read !== null && 'account' in read) {
        end()
        account = Account.parse(read)
        at = account.opening ?? NOTHING
        opening.add(account.account.id, account.opening)
        closing.add(account.account.id, account.closing)
        found.accounts++
      } else if (typeof read === 'object' && read !== null && 'entry' in read) {
        book(line, Entry.parse(read))
        if (due.length >= ROWS_AT_ONCE) await ask()
      } else found.foot = Foot.parse(read)
    }
  } catch (error) {
    say(`it cannot be read: ${(error as Error).message.split('\n')[0]}`)
  }
  end()
  await ask()
  for (const [asset, sum] of sums) if (sum !== 0) say(`entries of ${asset} do not come to nothing`)
  const { foot } = found
  if (foot?.year !== year || foot.opening !== opening.digest() || foot.closing !== closing.digest())
    say('its foot is missing, or says something else')
  return { ...found, digest: hash.digest('hex') }
}
const NOTHING: State = { balance: 0, sequence: null, hash: null }

export type YearsCheck = {
  sound: boolean
  figures: Record<'years' | 'archived_entries', number>
  problems: Record<'years_missing' | 'years_altered' | 'years_apart', number>
  named: string[]
}

/** Every year in the folder, from the first one to the ledger as it stands. */
export async function verifyYears(client: Client, folder: string, key: KeyObject): Promise<YearsCheck> {
  const years = [
    ...new Set(
      readdirSync(folder).flatMap(name => /^ledger-(\d{4})\.(?:jsonl\.gz|signed)$/.exec(name)?.[1] ?? []),
    ),
  ]
    .map(Number)
    .sort()
  const figures = { years: years.length, archived_entries: 0 }
  const problems = { years_missing: 0, years_altered: 0, years_apart: 0 }
  const named: string[] = []
  const say = (problem: keyof typeof problems, year: number, words: string) => {
    problems[problem]++
    named.push(`year ${year}: ${words}`)
  }
  if (years.length === 0) throw new Error(`There is no archive of the ledger in ${folder}.`)
  let before: { closing: string; line: string } | null = null
  const [first = 0, last = 0] = [years[0], years.at(-1)]
  for (let year = first; year <= last; year++) {
    const [file, signed] = [join(folder, nameOf(year)), join(folder, signedName(year))]
    if (!existsSync(file) || !existsSync(signed)) {
      say('years_missing', year, 'its file or what is signed of it is not there')
      before = null
      continue
    }
    const line = readFileSync(signed, 'utf8').trim()
    const covers: Checkpoint | null = signedIn(line, key)
    const found = await readYear(client, file, year)
    figures.archived_entries += found.entries
    if (covers?.book !== bookOf(year)) say('years_altered', year, 'this office has not signed it')
    else if (covers.digest !== found.digest || covers.rows !== found.entries)
      say('years_altered', year, 'it is not what was signed')
    for (const words of found.problems.slice(0, 3)) say('years_altered', year, words)
    if (covers && covers.previous !== (before ? hashOf(before.line) : '') && (before || year > first))
      say('years_apart', year, 'it was signed behind another year')
    if (before && found.foot && found.foot.opening !== before.closing)
      say('years_apart', year, 'accounts do not begin where the year before ended')
    before = found.foot && { closing: found.foot.closing, line }
  }
  if (before && before.closing !== (await standingAt(client, last + 1)))
    say('years_apart', last, 'accounts of the ledger do not go on from where it ended')
  return { sound: named.length === 0, figures, problems, named }
}

/** What the accounts of the database hold at the beginning of a year. */
async function standingAt(client: Client, year: number): Promise<string> {
  const standing = new Standing()
  await client.query(`begin isolation level repeatable read read only; set local app.scope = 'all'`)
  try {
    const sql = `select a.id::text as of, (${stateAt(yearBegins(year))})::text as line from ledger_accounts a order by a.id`
    for await (const { of, line } of rowsOf(client, 'standing', sql))
      standing.add(Number(of), line === null ? null : State.parse(JSON.parse(line)))
  } finally {
    await client.query('rollback')
  }
  return standing.digest()
}
