// A backup brought back into an empty folder: the database as of its copy, brought on by its log to the end or to a moment; then the files that
// its rows name, and the signed ends that belong to them. Owns which backup serves a moment, and what is wrong where none does.
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import type { Env } from '#server/env.ts'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '#server/postgres/embedded-postgres.ts'
import { placesOf } from '#server/storage/file-bytes.ts'
import type { Storage } from '#server/storage/storage.ts'
import { newestWhole } from './backup.ts'
import { SEGMENT_BYTES, segmentAfter, segmentsBetween } from './database.ts'
import { unpackInto } from './tar.ts'
import { measured, through } from './through.ts'
import {
  type Base,
  baseAt,
  type CopiedFile,
  checkpointAt,
  ERASURES,
  fileAt,
  type Manifest,
  segmentAt,
  type Vault,
} from './vault.ts'

/** A line is signed within seconds after the rows that it covers were committed. */
const SIGNED_WITHIN_MS = 60_000
/** Months of the operation log. Which of them the database knows, it sees itself. */
const ARCHIVES = 'archives/'
const KEPT_AREAS = ['files/', 'sealed/', 'checkpoints/', ARCHIVES, ERASURES] as const

/** The newest, or the newest from which this moment is reached. Rejects in words. */
export async function chosenBackup(vault: Vault, moment: Date | null): Promise<Manifest> {
  if (!moment) {
    const newest = await newestWhole(vault)
    if (!newest) throw new Error('There is no whole backup here.')
    return newest
  }
  const whole = (await vault.generations()).filter(({ isWhole }) => isWhole)
  let oldest: Manifest | null = null
  for (const { name } of whole.toReversed()) {
    oldest = await vault.manifest(name)
    if (oldest && Date.parse(oldest.endedAt) <= moment.getTime()) return oldest
  }
  throw new Error(
    oldest
      ? `No backup is as old: the oldest can be restored to ${oldest.endedAt} and later.`
      : 'There is no whole backup here.',
  )
}

/** Throws in words where anything lies where the office's files would. */
export async function refuseUnlessEmpty({ dataDir, bucket }: Env, storage: Storage): Promise<void> {
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0)
    throw new Error(`${dataDir} is not empty. Restore into a folder that holds nothing (DATA_DIR).`)
  if (!bucket) return
  for (const area of KEPT_AREAS)
    if ((await storage.list(area, '', 1)).kept.length > 0)
      throw new Error(`The bucket ${bucket.name} is not empty. Restore into one that holds nothing.`)
}

type Restoring = { vault: Vault; manifest: Manifest; moment: Date | null }

/** What opens the database and signs its ends, as it lay in DATA_DIR. */
export async function restoreKeys(
  { vault, manifest }: Pick<Restoring, 'vault' | 'manifest'>,
  dataDir: string,
): Promise<void> {
  const added = await vault.added(manifest.name)
  mkdirSync(dataDir, { recursive: true })
  for (const { name, text } of [...manifest.keys, ...added.keys])
    writeFileSync(join(dataDir, name), text, { mode: 0o600, flag: 'wx' })
}

/** Resolves with the server of the restored database, which has gone its own way from there on. */
export async function restoreDatabase(
  { vault, manifest, moment }: Restoring,
  options: Pick<EmbeddedPostgresOptions, 'dataDir' | 'durable' | 'log'>,
): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options
  const { base } = manifest
  if (!base) throw new Error(`${manifest.name} holds no database: it is kept by other means.`)
  const target = await wayTo(vault, base, moment)
  const folder = join(dataDir, 'postgres.restored')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  await unpackBase(vault, manifest.name, base, folder)
  log(`database of ${manifest.name} unpacked: ${base.files} files, ${base.bytes} bytes`)
  for (const segment of target.segments) await putSegment(vault, base.line, segment, join(folder, 'pg_wal'))
  log(`${target.segments.length} segments of its log unpacked`)
  await writeFile(join(folder, 'backup_label'), base.label, { mode: 0o600 })
  await writeFile(join(folder, 'recovery.signal'), '', { mode: 0o600 })
  renameSync(folder, join(dataDir, 'postgres'))
  return startEmbeddedPostgres({
    ...options,
    settings: {
      // All of its log lies where it looks next.
      restore_command: 'exit 1',
      recovery_target_timeline: 'current',
      recovery_target_action: 'promote',
      hot_standby: 'off',
      ...(target.time && { recovery_target_time: target.time }),
    },
  })
}

/** The segments that are needed, and where to stop; without a time at their end. */
async function wayTo(
  vault: Vault,
  { line, first, last }: Base,
  moment: Date | null,
): Promise<{ segments: string[]; time: string | null }> {
  const kept = await vault.line(line)
  if (!kept || kept.segment < last) throw new Error('The log that this backup needs is not kept.')
  if (moment && moment.getTime() > Date.parse(kept.upTo))
    throw new Error(`What was changed is kept up to ${kept.upTo}, not up to ${moment.toISOString()}.`)
  const segments = segmentsBetween(first, segmentAfter(kept.segment))
  const lying = new Set((await vault.list(`wal/${line}/`)).map(({ name }) => name))
  const missing = segments.filter(segment => !lying.has(segmentAt(line, segment)))
  if (missing.length > 0)
    throw new Error(`${missing.length} segments of the database's log are missing, the first ${missing[0]}.`)
  // Where nothing was committed behind that moment, there is nothing at which it could stop.
  const isEnd = moment === null || moment.getTime() >= Date.parse(kept.lastCommitAt)
  return { segments, time: isEnd ? null : timeOf(moment) }
}

/** As PostgreSQL reads one before it knows its time zones. */
const timeOf = (moment: Date) => moment.toISOString().replace('T', ' ').replace('Z', '+00')

async function unpackBase(vault: Vault, name: string, base: Base, folder: string): Promise<void> {
  const sealed = await vault.getStream(baseAt(name))
  if (!sealed) throw new Error(`The copy of the database is missing in ${name}.`)
  const { files, bytes, sha256 } = await unpackInto(folder, through(sealed, createGunzip()))
  if (files !== base.files || bytes !== base.bytes || sha256 !== base.sha256)
    throw new Error(`The copy of the database in ${name} is not what its manifest says.`)
}

async function putSegment(vault: Vault, line: string, segment: string, folder: string): Promise<void> {
  const sealed = await vault.getStream(segmentAt(line, segment))
  if (!sealed) throw new Error(`${segment} of the database's log is missing.`)
  const bytes = await buffer(through(sealed, createGunzip()))
  if (bytes.length !== SEGMENT_BYTES) throw new Error(`${segment} has ${bytes.length} bytes.`)
  const path = join(folder, segment)
  await writeFile(path, bytes.subarray(0, writtenBytes(bytes)), { mode: 0o600, flag: 'wx' })
  // What follows is empty, and takes no place on the disk.
  await truncate(path, SEGMENT_BYTES)
}

const EMPTY = Buffer.alloc(65_536)

function writtenBytes(bytes: Buffer): number {
  let end = bytes.length
  while (end > 0 && bytes.subarray(end - EMPTY.length, end).equals(EMPTY)) end -= EMPTY.length
  return end
}

export type FilesRestored = {
  /** Rows, those whose bytes came back, and those whose bytes are in no backup. */
  rows: number
  restored: number
  missing: number
  bytes: number
  checkpoints: number
  /** Signed later than the moment. */
  leftOut: number
}

/** Puts back the files that rows of the database name, and the signed ends that it can hold. */
export async function restoreFiles(
  { vault, manifest, moment }: Restoring,
  owner: Pick<pg.Client, 'query'>,
  storage: Storage,
): Promise<FilesRestored> {
  const added = await vault.added(manifest.name)
  const { rows } = await owner.query<{ id: string }>('select id from files')
  const copied = new Map([...manifest.files, ...added.files].map(file => [file.key, file]))
  let bytes = 0
  let restored = 0
  for (const { id } of rows) {
    const found = placesOf(id).flatMap(key => copied.get(key) ?? [])
    for (const file of found) {
      await putBack(vault, storage, { name: fileAt(file.key), file })
      bytes += file.byteSize
    }
    if (found.length > 0) restored++
  }
  for (const file of copied.values())
    if (file.key.startsWith(ARCHIVES)) {
      await putBack(vault, storage, { name: fileAt(file.key), file })
      bytes += file.byteSize
    }
  await restoreErasures(vault, storage)
  const signed = await restoreCheckpoints({ vault, manifest, moment }, added.checkpoints, storage)
  return { rows: rows.length, restored, missing: rows.length - restored, bytes, ...signed }
}

/** All of them, whichever backup has them: who was forgotten since would otherwise be back for good. */
async function restoreErasures(vault: Vault, storage: Storage): Promise<void> {
  const copied = new Map<string, CopiedFile>()
  for (const { name, isWhole } of await vault.generations()) {
    const manifest = isWhole ? await vault.manifest(name) : null
    if (!manifest) continue
    for (const file of [...manifest.files, ...(await vault.added(name)).files])
      if (file.key.startsWith(ERASURES)) copied.set(file.key, file)
  }
  for (const file of copied.values()) await putBack(vault, storage, { name: fileAt(file.key), file })
}

async function putBack(
  vault: Vault,
  storage: Storage,
  { name, file: { key, byteSize, sha256 } }: { name: string; file: CopiedFile },
): Promise<void> {
  const found = await vault.getStream(name)
  if (!found) throw new Error(`${key} is missing in the backup.`)
  const { stream, told } = measured(found)
  await storage.put(key, stream)
  const came = told()
  if (came.byteSize !== byteSize || came.sha256 !== sha256)
    throw new Error(`${key} is not what its manifest says.`)
}

async function restoreCheckpoints(
  { vault, manifest, moment }: Restoring,
  added: readonly CopiedFile[],
  storage: Storage,
): Promise<Pick<FilesRestored, 'checkpoints' | 'leftOut'>> {
  const copied = new Map([...manifest.checkpoints, ...added].map(file => [file.key, file]))
  let checkpoints = 0
  let leftOut = 0
  for (const { key } of copied.values()) {
    const found = await vault.getStream(checkpointAt(manifest.name, key))
    if (!found) throw new Error(`${key} is missing in the backup.`)
    const lines = (await buffer(found))
      .toString('utf8')
      .split('\n')
      .filter(line => line !== '')
    const later = moment ? lines.findIndex(line => signedAt(line) > moment.getTime() - SIGNED_WITHIN_MS) : -1
    const kept = later < 0 ? lines : lines.slice(0, later)
    checkpoints += kept.length
    leftOut += lines.length - kept.length
    if (kept.length > 0) await storage.put(key, Buffer.from([...kept, ''].join('\n')))
  }
  return { checkpoints, leftOut }
}

/** When a line says that it was signed; whether it was, is asked by those who read it as such. */
function signedAt(line: string): number {
  const { checkpoint } = JSON.parse(line) as { checkpoint: string }
  return Date.parse((JSON.parse(checkpoint) as { at: string }).at)
}
