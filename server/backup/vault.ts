// Where backups lie: a folder or a bucket, in which everything is sealed under its name. Owns what is kept there and how it is called.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import type { Backup } from '#server/env.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import { openStream, sealedBytes, sealStream } from './seal-stream.ts'
import { through } from './through.ts'

const AREA = 'backups/'

/** A file of the office's storage as it was copied. */
const CopiedFile = z.strictObject({ key: z.string(), byteSize: z.int(), sha256: z.string() })
export type CopiedFile = z.infer<typeof CopiedFile>

/** A file of DATA_DIR that opens the database or signs its ends. */
const Key = z.strictObject({ name: z.string(), text: z.string() })
export type Key = z.infer<typeof Key>

const Base = z.strictObject({
  /** The way of changes that it can be brought on along. */
  line: z.string(),
  /** The first and the last segment of it that it needs by itself. */
  first: z.string(),
  last: z.string(),
  label: z.string(),
  files: z.int(),
  bytes: z.int(),
  sha256: z.string(),
})
export type Base = z.infer<typeof Base>

/** Written last: a backup without it is none. */
const Manifest = z.strictObject({
  name: z.string(),
  begunAt: z.iso.datetime(),
  /** From this moment on it can be restored to. */
  endedAt: z.iso.datetime(),
  /** Null: the database is kept by other means, and these are its files alone. */
  base: Base.nullable(),
  keys: z.array(Key),
  files: z.array(CopiedFile),
  checkpoints: z.array(CopiedFile),
  /** Rows of files when it was made. */
  fileRows: z.int(),
})
export type Manifest = z.infer<typeof Manifest>

/** What was copied since, behind the newest backup. */
const Added = z.strictObject({
  keys: z.array(Key),
  files: z.array(CopiedFile),
  checkpoints: z.array(CopiedFile),
})
export type Added = z.infer<typeof Added>

/** How far the changes of a database are kept. */
const Line = z.strictObject({
  /** Everything that was committed before is kept. */
  upTo: z.iso.datetime(),
  /** When the last commit that is kept was made. */
  lastCommitAt: z.iso.datetime(),
  /** The last segment that is kept, and where the log stood behind it. */
  segment: z.string(),
  position: z.string(),
})
export type Line = z.infer<typeof Line>

const Restored = z.strictObject({
  at: z.iso.datetime(),
  name: z.string(),
  moment: z.iso.datetime().nullable(),
})
export type Restored = z.infer<typeof Restored>

export type Vault = ReturnType<typeof openVault>

const GENERATION = /^\d{8}t\d{6}z$/

/** `20261130t174500z`: names stand in the order of time. */
export const generationName = (at: Date) =>
  at.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '').toLowerCase()

export function openVault({ home, key }: Backup) {
  const storage = openStorage(home)

  async function putStream(name: string, bytes: Readable): Promise<void> {
    await storage.put(`${AREA}${name}`, through(bytes, sealStream(key, name)))
  }

  async function getStream(name: string): Promise<Readable | null> {
    const found = await storage.get(`${AREA}${name}`)
    return found && through(found.bytes, openStream(key, name))
  }

  async function read<T>(name: string, shape: z.ZodType<T>): Promise<T | null> {
    const found = await getStream(name)
    return found && shape.parse(JSON.parse((await buffer(found)).toString('utf8')))
  }

  const write = (name: string, value: unknown) =>
    putStream(name, Readable.from([Buffer.from(JSON.stringify(value))]))

  async function list(prefix: string): Promise<{ name: string; byteSize: number }[]> {
    const all: { name: string; byteSize: number }[] = []
    for (let after: string | null = ''; after !== null; ) {
      const { kept, next }: Awaited<ReturnType<typeof storage.list>> = await storage.list(
        `${AREA}${prefix}`,
        after,
      )
      all.push(...kept.map(({ key: at, byteSize }) => ({ name: at.slice(AREA.length), byteSize })))
      after = next
    }
    return all
  }

  async function remove(names: readonly string[]): Promise<void> {
    for (const name of names) await storage.delete(`${AREA}${name}`)
  }

  const manifestOf = (name: string) => `${name}/manifest`

  return {
    putStream,
    getStream,
    list,
    remove,
    sealedBytes,
    close: () => storage.close(),
    clearUnfinished: (before: Date) => storage.clearUnfinished(before),
    /** Every backup that was begun, oldest first, and whether it is whole. */
    async generations(): Promise<{ name: string; isWhole: boolean }[]> {
      // Names of all of them begin with the century.
      const parts = (await list('2')).map(({ name }) => name)
      const names = [...new Set(parts.map(name => name.split('/')[0] ?? ''))].filter(name =>
        GENERATION.test(name),
      )
      return names.sort().map(name => ({ name, isWhole: parts.includes(manifestOf(name)) }))
    },
    manifest: (name: string) => read(manifestOf(name), Manifest),
    writeManifest: (manifest: Manifest) => write(manifestOf(manifest.name), manifest),
    forget: (name: string) => remove([manifestOf(name)]),
    added: async (name: string): Promise<Added> =>
      (await read(`${name}/added`, Added)) ?? { keys: [], files: [], checkpoints: [] },
    writeAdded: (name: string, added: Added) => write(`${name}/added`, added),
    line: (line: string) => read(`lines/${line}`, Line),
    writeLine: (line: string, value: Line) => write(`lines/${line}`, value),
    restored: () => read('restored', Restored),
    writeRestored: (value: Restored) => write('restored', value),
  }
}

/** Of the vault's own: a segment of a database's log, the copy of a database, a file, a checkpoint of a backup. */
export const segmentAt = (line: string, segment: string) => `wal/${line}/${segment.toLowerCase()}`
export const baseAt = (name: string) => `${name}/base`
/** Lines of erasures, each a file that never changes. */
export const ERASURES = 'erasures/'

export const fileAt = (key: string) => `files/${key}`
export const checkpointAt = (name: string, key: string) => `${name}/${key}`
