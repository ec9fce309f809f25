// A backup from its beginning to its manifest, what is added behind it, and which are kept. One at a time: whoever calls holds a lock of the
// database. Knows the database that is copied by its owner's connection alone; null of `cluster`: it is kept by other means.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Env } from '#server/env.ts'
import type { Storage } from '#server/storage/storage.ts'
import { beginLine, copyBase, copyLog, LineBroken, lineOf, segmentOf } from './database.ts'
import { measured } from './through.ts'
import {
  type Added,
  type Base,
  type CopiedFile,
  checkpointAt,
  ERASURES,
  fileAt,
  generationName,
  type Key,
  type Line,
  type Manifest,
  openVault,
  segmentAt,
  type Vault,
} from './vault.ts'

type Owner = Pick<pg.Client, 'query'>
export type Work = {
  owner: Owner
  vault: Vault
  storage: Storage
  env: Env
  now: () => Date
}

/** Beside the database in DATA_DIR; made there where no setting names another. */
export const KEY_FILES = ['postgres-password', 'secret-key', 'checkpoint-key.pem'] as const
/** `erasures/`: who is to be forgotten again where a backup brings somebody back. */
const FILE_AREAS = ['files/', 'sealed/', 'archives/', ERASURES]
/** What the office writes to see whether it can. */
const PROBES = 'files/setup/'
const CHECKPOINTS = 'checkpoints/'
const BETWEEN_MS = 30_000
const LOCK = `hashtext('partner-office-backup')`

/** Whoever reads what another office writes would take turns with it. */
export function vaultOf(env: Env): Vault {
  if (!env.backup)
    throw new Error(
      'Backups have no place: set BACKUP_FOLDER or BACKUP_S3_ENDPOINT and those with it, and BACKUP_KEY.',
    )
  return openVault(env.backup)
}

/** Null: another holds the lock. It lasts as long as the connection, or the work. */
export async function alone<T>(owner: Owner, work: () => Promise<T>): Promise<T | null> {
  const { rows } = await owner.query<{ taken: boolean }>(`select pg_try_advisory_lock(${LOCK}) as taken`)
  if (!rows[0]?.taken) return null
  try {
    return await work()
  } finally {
    await owner.query(`select pg_advisory_unlock(${LOCK})`)
  }
}

/** `beside`: a second connection, which follows the changes while the database is copied. */
export async function makeBackup(work: Work, beside: Owner): Promise<Manifest> {
  const { owner, vault, storage, env, now } = work
  const begun = now()
  const name = generationName(begun)
  const before = await newestWhole(vault)
  // Signed lines first, files last: the database knows all that the ones cover, and names none that is not among the others.
  const checkpoints = await copyAll(storage, vault, {
    keys: await keysIn(storage, [CHECKPOINTS]),
    at: key => checkpointAt(name, key),
  })
  const copied = env.databaseUrl ? null : await copyDatabase(work, { name, before, beside })
  const { rows } = await owner.query<{ count: number; at: Date }>(
    'select count(*)::int as count, now() as at from files',
  )
  const manifest: Manifest = {
    name,
    begunAt: begun.toISOString(),
    endedAt: copied?.endedAt ?? (rows[0]?.at ?? now()).toISOString(),
    base: copied?.base ?? null,
    keys: keysOf(env),
    files: await copyFiles(work, before),
    checkpoints,
    fileRows: rows[0]?.count ?? 0,
  }
  await vault.writeManifest(manifest)
  await prune(vault, env.backup?.keep ?? 1)
  return manifest
}

async function copyDatabase(
  { owner, vault }: Work,
  { name, before, beside }: { name: string; before: Manifest | null; beside: Owner },
): Promise<{ base: Base; endedAt: string }> {
  const kept = await lineOf(owner)
  const isFollowed = kept !== null && before?.base?.line === kept && (await vault.line(kept)) !== null
  const line = isFollowed ? kept : await beginLine(owner)
  const done = new AbortController()
  const following = isFollowed ? followUntil(done.signal, beside, vault, line) : Promise.resolve(null)
  try {
    const { base, stop, endedAt } = await copyBase(owner, vault, { name, line })
    done.abort()
    const failure = await following
    if (failure) throw failure
    await copyLog(owner, vault, { line, from: base.first })
    return { base: { ...base, last: segmentOf(base.first.slice(0, 8), stop) }, endedAt }
  } finally {
    done.abort()
    await following
  }
}

/** The copy of a large database takes minutes, in which changes are kept as ever. Answers what kept it from that. */
async function followUntil(signal: AbortSignal, owner: Owner, vault: Vault, line: string): Promise<unknown> {
  try {
    for (;;) {
      await copyLog(owner, vault, { line })
      await sleep(BETWEEN_MS, undefined, { signal })
    }
  } catch (error) {
    return signal.aborted && (error as Error).name === 'AbortError' ? null : error
  }
}

/** What changed behind the newest backup: the database's log, files and checkpoints. Null: there is none to go on from. */
export async function addChanges(work: Work): Promise<{ upTo: string } | null> {
  const { vault, storage, env, now } = work
  const newest = await newestWhole(vault)
  if (!newest) return null
  const begun = now()
  const added = await vault.added(newest.name)
  const checkpoints = await copyChanged(work, newest, added)
  const line = env.databaseUrl || !newest.base ? null : await followLine(work, newest.base.line)
  const known = new Set([...newest.files, ...added.files].map(({ key }) => key))
  const fresh = (await keysIn(storage, FILE_AREAS)).filter(({ key }) => !known.has(key))
  const files = [...added.files, ...(await copyAll(storage, vault, { keys: fresh, at: fileAt }))]
  // The key that signs ends is made with the first of them.
  const kept = new Set([...newest.keys, ...added.keys].map(({ name }) => name))
  const keys = [...added.keys, ...keysOf(env).filter(({ name }) => !kept.has(name))]
  const isMore = files.length > added.files.length || keys.length > added.keys.length
  if (isMore || checkpoints !== added.checkpoints)
    await vault.writeAdded(newest.name, { keys, files, checkpoints })
  return line ?? { upTo: begun.toISOString() }
}

async function followLine({ owner, vault }: Work, line: string): Promise<Line> {
  if ((await lineOf(owner)) === line) return copyLog(owner, vault, { line })
  throw new LineBroken(
    'The newest backup is of another database than this one, or too much was written since. Make a whole backup: npm run backup.',
  )
}

async function copyChanged({ storage, vault }: Work, { name, checkpoints }: Manifest, added: Added) {
  const sizes = new Map([...checkpoints, ...added.checkpoints].map(({ key, byteSize }) => [key, byteSize]))
  const keys = (await keysIn(storage, [CHECKPOINTS])).filter(
    ({ key, byteSize }) => sizes.get(key) !== byteSize,
  )
  if (keys.length === 0) return added.checkpoints
  const copied = await copyAll(storage, vault, { keys, at: key => checkpointAt(name, key) })
  return [...added.checkpoints.filter(({ key }) => !copied.some(one => one.key === key)), ...copied]
}

/** What was copied once stays as it is: a key never gets other bytes. */
async function copyFiles({ storage, vault }: Work, before: Manifest | null): Promise<CopiedFile[]> {
  const listed = before ? [...before.files, ...(await vault.added(before.name)).files] : []
  const lying = new Map((await vault.list('files/')).map(({ name, byteSize }) => [name, byteSize]))
  const known = new Map(
    listed
      .filter(({ key, byteSize }) => lying.get(fileAt(key)) === vault.sealedBytes(byteSize))
      .map(file => [file.key, file]),
  )
  const keys = await keysIn(storage, FILE_AREAS)
  const copied = await copyAll(storage, vault, {
    keys: keys.filter(({ key }) => !known.has(key)),
    at: fileAt,
  })
  return [...keys.flatMap(({ key }) => known.get(key) ?? []), ...copied]
}

type Listed = { key: string; byteSize: number }

async function keysIn(storage: Storage, areas: readonly string[]): Promise<Listed[]> {
  const all: Listed[] = []
  for (const area of areas)
    for (let after: string | null = ''; after !== null; ) {
      const { kept, next }: Awaited<ReturnType<Storage['list']>> = await storage.list(area, after)
      all.push(...kept.filter(({ key }) => !key.startsWith(PROBES)))
      after = next
    }
  return all
}

/** What is removed before its turn is left out: its row is gone already. */
async function copyAll(
  storage: Storage,
  vault: Vault,
  { keys, at }: { keys: readonly Listed[]; at: (key: string) => string },
): Promise<CopiedFile[]> {
  const copied: CopiedFile[] = []
  for (const { key } of keys) {
    const found = await storage.get(key)
    if (!found) continue
    const { stream, told } = measured(found.bytes)
    await vault.putStream(at(key), stream)
    copied.push({ key, ...told() })
  }
  return copied
}

function keysOf({ dataDir, databaseUrl, secretKey, checkpointKeyFile }: Env): Key[] {
  const isOurs = (name: (typeof KEY_FILES)[number]) => {
    if (name === 'postgres-password') return databaseUrl === undefined
    return name === 'secret-key' ? secretKey === undefined : checkpointKeyFile === undefined
  }
  return KEY_FILES.filter(name => isOurs(name) && existsSync(join(dataDir, name))).map(name => ({
    name,
    text: readFileSync(join(dataDir, name), 'utf8'),
  }))
}

/** Null: there is none. */
export async function newestWhole(vault: Vault): Promise<Manifest | null> {
  const last = (await vault.generations()).findLast(({ isWhole }) => isWhole)
  return last ? vault.manifest(last.name) : null
}

/** Those beyond `keep`, those that never became whole, and what belongs to none that is left. */
async function prune(vault: Vault, keep: number): Promise<void> {
  const all = await vault.generations()
  const kept = all.filter(({ isWhole }) => isWhole).slice(-keep)
  const isLeft = new Set(kept.map(({ name }) => name))
  for (const { name } of all.filter(one => !isLeft.has(one.name))) {
    // First what makes it whole: nobody takes what is half removed for a backup.
    await vault.forget(name)
    await vault.remove((await vault.list(`${name}/`)).map(part => part.name))
  }
  const wanted = new Set<string>()
  const firsts = new Map<string, string>()
  for (const { name } of kept) {
    const manifest = await vault.manifest(name)
    if (!manifest) continue
    const added = await vault.added(name)
    for (const { key } of [...manifest.files, ...added.files]) wanted.add(fileAt(key))
    const { base } = manifest
    if (base && !firsts.has(base.line)) firsts.set(base.line, base.first)
  }
  const files = (await vault.list('files/')).map(({ name }) => name)
  await vault.remove(files.filter(name => !wanted.has(name)))
  const segments = (await vault.list('wal/')).map(({ name }) => name)
  await vault.remove(
    segments.filter(name => {
      const first = firsts.get(name.split('/')[1] ?? '')
      return first === undefined || name < segmentAt(name.split('/')[1] ?? '', first)
    }),
  )
  const lines = (await vault.list('lines/')).map(({ name }) => name)
  await vault.remove(lines.filter(name => !firsts.has(name.split('/')[1] ?? '')))
}
