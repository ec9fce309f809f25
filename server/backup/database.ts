// The embedded database while it runs: a copy of its folder, and its log segment by segment. A replication slot holds the log until it was
// copied; its name says which way of changes this is, since two restored copies of one database go on differently under the same numbers.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { packFolder } from './tar.ts'
import { through } from './through.ts'
import { type Base, baseAt, type Line, segmentAt, type Vault } from './vault.ts'

export const SEGMENT_BYTES = 16 * 1_048_576
const SLOT = 'partner_office_backup_'
const QUICK = { level: 1 }

/** Of a running server alone, or made anew at each start (docs of PostgreSQL, "Making a base backup using the low level API"). */
const LEFT_OUT = [
  /^postmaster\.(pid|opts)$/,
  /^(backup_label|tablespace_map|recovery\.signal|standby\.signal)(\.old)?$/,
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/\*$/,
  /(^|\/)pgsql_tmp[^/]*\/?$/,
  /(^|\/)pg_internal\.init(\.\d+)?$/,
]
const isKept = (path: string) => !LEFT_OUT.some(pattern => pattern.test(path))

type Owner = Pick<pg.Client, 'query'>
/** What is missing cannot be had again: a new copy of the database begins a new way of changes. */
export class LineBroken extends Error {}

async function one<T>(owner: Owner, text: string, values: unknown[] = []): Promise<T> {
  const { rows } = await owner.query(text, values)
  return rows[0] as T
}

/** The folder of the server that answers. */
export async function clusterOf(owner: Owner): Promise<string> {
  return (await one<{ data_directory: string }>(owner, 'show data_directory')).data_directory
}

/** The line that the database goes along; null: none, or what it needs is gone. */
export async function lineOf(owner: Owner): Promise<string | null> {
  const found = await one<{ slot_name: string } | undefined>(
    owner,
    `select slot_name from pg_replication_slots
     where starts_with(slot_name, $1) and wal_status <> 'lost' order by slot_name limit 1`,
    [SLOT],
  )
  return found?.slot_name.slice(SLOT.length) ?? null
}

/** In place of any that there was. */
export async function beginLine(owner: Owner): Promise<string> {
  await owner.query(
    `select pg_drop_replication_slot(slot_name) from pg_replication_slots where starts_with(slot_name, $1)`,
    [SLOT],
  )
  const line = randomBytes(4).toString('hex')
  await owner.query('select pg_create_physical_replication_slot($1, true)', [SLOT + line])
  return line
}

/** Copies the database's folder, and says up to which position of its log that copy is to be brought before anybody uses it. */
export async function copyBase(
  owner: Owner,
  vault: Vault,
  { name, line }: { name: string; line: string },
): Promise<{ base: Omit<Base, 'last'>; stop: string; endedAt: string }> {
  const tablespaces = await one<{ count: number }>(
    owner,
    `select count(*)::int as count from pg_tablespace where spcname not in ('pg_default', 'pg_global')`,
  )
  if (tablespaces.count > 0)
    throw new Error('The database has tablespaces of its own, which this does not copy.')
  const cluster = await clusterOf(owner)
  await owner.query(`select pg_backup_start('partner-office', fast => true)`)
  const packed = packFolder(cluster, isKept)
  await vault.putStream(
    baseAt(name),
    through(Readable.from(packed.stream, { objectMode: false }), createGzip(QUICK)),
  )
  const { label, stop } = await one<{ label: string; stop: string }>(
    owner,
    'select labelfile as label, lsn::text as stop from pg_backup_stop(wait_for_archive => false)',
  )
  // The clock of the database, by which its log tells commits; it is finer than ours.
  const { at } = await one<{ at: Date }>(owner, 'select now() as at')
  const first = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1]
  if (!first) throw new Error(`The database does not say where its log begins: ${label}`)
  return {
    base: { line, first, label, ...packed.told() },
    stop,
    endedAt: new Date(at.getTime() + 1).toISOString(),
  }
}

/** `0/5000028` as a number. */
function numberOf(position: string): bigint {
  const [high = '', low = ''] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

const PER_HIGH = 2n ** 32n / BigInt(SEGMENT_BYTES)
const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0')

/** Of a position; one that stands at a segment's beginning is in it. */
export function segmentOf(timeline: string, position: string): string {
  const number = numberOf(position) / BigInt(SEGMENT_BYTES)
  return `${timeline}${hex(number / PER_HIGH)}${hex(number % PER_HIGH)}`
}

export function segmentAfter(segment: string): string {
  const number = BigInt(`0x${segment.slice(8, 16)}`) * PER_HIGH + BigInt(`0x${segment.slice(16)}`) + 1n
  return `${segment.slice(0, 8)}${hex(number / PER_HIGH)}${hex(number % PER_HIGH)}`
}

/** All from `first` on that stand before `end`. */
export function segmentsBetween(first: string, end: string): string[] {
  const all: string[] = []
  for (let at = first; at < end; at = segmentAfter(at)) all.push(at)
  return all
}

/**
 * Ends the segment that is being written and keeps all that are whole. `from`: of a line that has none yet, its first. Whoever calls holds the
 * lock of backups.
 */
export async function copyLog(
  owner: Owner,
  vault: Vault,
  { line, from }: { line: string; from?: string },
): Promise<Line> {
  const known = await vault.line(line)
  const now = await one<{ at: Date; position: string }>(
    owner,
    'select now() as at, pg_current_wal_insert_lsn()::text as position',
  )
  const upTo = now.at.toISOString()
  if (known && known.position === now.position) {
    await vault.writeLine(line, { ...known, upTo })
    return { ...known, upTo }
  }
  // A commit of its own, so that any moment before it can be restored to by name.
  await owner.query(`select pg_logical_emit_message(true, 'partner-office', 'kept')`)
  await owner.query('select pg_switch_wal()')
  const behind = await one<{ position: string; timeline: string }>(
    owner,
    `select pg_current_wal_insert_lsn()::text as position,
       left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline`,
  )
  const begin = known ? segmentAfter(known.segment) : from
  if (!begin)
    throw new LineBroken('Nothing of the database is kept yet. Make a whole backup: npm run backup.')
  const end = segmentOf(behind.timeline, behind.position)
  const segments = segmentsBetween(begin, end)
  const folder = join(await clusterOf(owner), 'pg_wal')
  for (const segment of segments) await copySegment(vault, { line, folder, segment })
  const segment = segments.at(-1) ?? known?.segment
  if (!segment) throw new Error('The database has ended no segment of its log.')
  const value = { upTo, lastCommitAt: upTo, segment, position: behind.position }
  await vault.writeLine(line, value)
  await owner.query('select pg_replication_slot_advance($1, $2::pg_lsn)', [SLOT + line, behind.position])
  return value
}

async function copySegment(
  vault: Vault,
  { line, folder, segment }: { line: string; folder: string; segment: string },
): Promise<void> {
  let bytes: Buffer
  try {
    bytes = await readFile(join(folder, segment))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new LineBroken(
      `The database's log from ${segment} on is gone: too much was written since the last copy. Make a whole backup: npm run backup.`,
      { cause: error },
    )
  }
  if (bytes.length !== SEGMENT_BYTES) throw new Error(`${segment} has ${bytes.length} bytes`)
  await vault.putStream(segmentAt(line, segment), through(Readable.from([bytes]), createGzip(QUICK)))
}
