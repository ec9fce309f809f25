// Where bytes are kept that are too large for rows: a folder of this machine, or a bucket that several instances share. Owns what a
// key may look like. Must never know what the bytes are, or which of the two homes it is.
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

export type Kept = { key: string; byteSize: number; modifiedAt: Date }
/** Bytes of a file, the first and the last of them counted from zero. */
export type Part = { from: number; to: number }
/** `byteSize` of what comes: of a part its own. */
export type Opened = { byteSize: number; bytes: Readable }
export type Page = { kept: Kept[]; next: string | null }

export type Storage = {
  /** Keeps the bytes under this key, in place of what was there. All or nothing: nobody ever reads a part of them. */
  put(key: string, bytes: Buffer | Readable): Promise<void>
  /** All of it, or a part that lies within. Whoever is given the stream reads or destroys it. Null: there is no such key. */
  get(key: string, part?: Part): Promise<Opened | null>
  head(key: string): Promise<Kept | null>
  /** Deleting what is not there is no failure. */
  delete(key: string): Promise<void>
  /** Keys that begin with `prefix` in their order, from behind `after` on; `next` is the `after` of the next page, if there is one. */
  list(prefix: string, after?: string, most?: number): Promise<Page>
  /** Removes what puts left that began before this moment and never ended: their program was killed. */
  clearUnfinished(before: Date): Promise<void>
  close(): void
}

/** The first part of every key: what else lies in the same folder or bucket is out of reach. */
export const AREAS = [
  'archives',
  'backups',
  'checkpoints',
  'erasures',
  'exports',
  'files',
  'handovers',
  'sealed',
] as const
/** How files are called that are being written. */
export const HALF = '.part'

const SMALL_BYTES = 16 * 1_048_576
const NAME = '[a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9])?'
const KEY = new RegExp(`^(?:${AREAS.join('|')})(?:/${NAME}){1,4}$`)
const PREFIX = new RegExp(`^(?:${AREAS.join('|')})/(?:${NAME}/){0,3}(?:[a-z0-9][a-z0-9._-]{0,99})?$`)

export function isKey(text: string): boolean {
  return KEY.test(text) && !text.endsWith(HALF)
}

/** An area and what stands behind it, cut anywhere. */
export function isPrefix(text: string): boolean {
  return PREFIX.test(text)
}

/** All of what is known to be small; null where there is no such key. Throws where it is not small. */
export async function wholeOf(storage: Storage, key: string): Promise<Buffer | null> {
  const opened = await storage.get(key)
  if (!opened) return null
  const { byteSize, bytes } = opened
  if (byteSize > SMALL_BYTES) {
    bytes.destroy()
    throw new Error(`${key} has ${byteSize} bytes, too many to be read at once`)
  }
  return buffer(bytes)
}
