// The storage in a folder. What is written has another name until all of it lies on the disk.
import { randomUUID } from 'node:crypto'
import { createWriteStream, type Dirent } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AREAS, HALF, isKey, type Kept, type Storage } from './storage.ts'

/** Read and written by nobody else of this machine. */
const FOLDER = { recursive: true, mode: 0o700 } as const
const FILE = { flags: 'wx', mode: 0o600, flush: true } as const

export function diskHome(root: string): Storage {
  const pathOf = (key: string) => join(root, key)

  async function head(key: string): Promise<Kept | null> {
    const found = await unlessGone(stat(pathOf(key)))
    return found?.isFile() ? { key, byteSize: found.size, modifiedAt: found.mtime } : null
  }

  return {
    head,
    async put(key, bytes) {
      const path = pathOf(key)
      const half = `${path}.${randomUUID()}${HALF}`
      await mkdir(dirname(path), FOLDER)
      try {
        await pipeline(Buffer.isBuffer(bytes) ? [bytes] : bytes, createWriteStream(half, FILE))
        await rename(half, path)
      } catch (error) {
        await rm(half, { force: true })
        throw error
      }
      await keepNames(dirname(path))
    },
    async get(key, part) {
      const handle = await unlessGone(open(pathOf(key)))
      if (!handle) return null
      const found = await handle.stat()
      if (found.isFile())
        return part
          ? {
              byteSize: part.to - part.from + 1,
              bytes: handle.createReadStream({ start: part.from, end: part.to }),
            }
          : { byteSize: found.size, bytes: handle.createReadStream() }
      await handle.close()
      return null
    },
    async delete(key) {
      await unlessGone(unlink(pathOf(key)))
    },
    async list(prefix, after = '', most = Number.POSITIVE_INFINITY) {
      const kept: Kept[] = []
      for await (const key of keysIn(root, { prefix, after })) {
        if (kept.length === most) return { kept, next: kept.at(-1)?.key ?? null }
        const found = await head(key)
        if (found) kept.push(found)
      }
      return { kept, next: null }
    },
    async clearUnfinished(before) {
      for (const area of AREAS)
        for await (const path of halvesIn(join(root, area))) {
          const found = await unlessGone(stat(path))
          if (found && found.mtime < before) await rm(path, { force: true })
        }
    },
    close: () => undefined,
  }
}

/** The name of a new file survives a loss of power as well. */
async function keepNames(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** In the order of whole keys: the slash behind a folder's name counts. */
async function* keysIn(
  root: string,
  wanted: { prefix: string; after: string },
  folder = wanted.prefix.slice(0, wanted.prefix.indexOf('/')),
): AsyncGenerator<string> {
  const { prefix, after } = wanted
  const names = (await entriesOf(join(root, folder))).map(entry =>
    entry.isDirectory() ? `${entry.name}/` : entry.name,
  )
  for (const name of names.sort()) {
    const key = `${folder}/${name}`
    if (!name.endsWith('/')) {
      if (key > after && key.startsWith(prefix) && isKey(key)) yield key
      continue
    }
    const isPast = key < after && !after.startsWith(key)
    if (!isPast && (key.startsWith(prefix) || prefix.startsWith(key)))
      yield* keysIn(root, wanted, key.slice(0, -1))
  }
}

async function* halvesIn(folder: string): AsyncGenerator<string> {
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* halvesIn(path)
    else if (entry.name.endsWith(HALF)) yield path
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return (await unlessGone(readdir(folder, { withFileTypes: true }))) ?? []
}

/** ENOTDIR: a file lies where a folder of the key would; EISDIR: a folder where its file would. */
const GONE = ['ENOENT', 'ENOTDIR', 'EISDIR']

async function unlessGone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (GONE.includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}
