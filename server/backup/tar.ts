// The files of a folder as one stream in the form of tar (ustar), and back. What is written of a file is as long as it was when its turn came:
// a database writes on meanwhile, and what it changes then is in its log.
import { createHash } from 'node:crypto'
import { createWriteStream, type Dirent } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const BLOCK = 512
const READ_BYTES = 1_048_576
const NAME_MOST = 100
const FILE = '0'
const FOLDER = '5'

export type Packed = { files: number; bytes: number; sha256: string }

/** `isWanted` is asked of each path, folders with a slash at their end, whose contents are left out with them. */
export function packFolder(
  root: string,
  isWanted: (path: string) => boolean,
): { stream: AsyncGenerator<Buffer, void>; told(): Packed } {
  const hash = createHash('sha256')
  let files = 0
  let bytes = 0
  async function* hashed() {
    for await (const chunk of entries('')) {
      hash.update(chunk)
      yield chunk
    }
  }
  async function* entries(folder: string): AsyncGenerator<Buffer, void> {
    for (const entry of await entriesOf(join(root, folder))) {
      const path = `${folder}${entry.name}`
      if (entry.isDirectory() && isWanted(`${path}/`)) {
        yield headOf(`${path}/`, 0, FOLDER)
        if (isWanted(`${path}/*`)) yield* entries(`${path}/`)
      } else if (entry.isFile() && isWanted(path)) yield* fileOf(path)
    }
    if (folder === '') yield Buffer.alloc(2 * BLOCK)
  }
  async function* fileOf(path: string): AsyncGenerator<Buffer, void> {
    const handle = await unlessGone(open(join(root, path)))
    if (!handle) return
    try {
      const { size } = await handle.stat()
      yield headOf(path, size, FILE)
      files++
      bytes += size
      for (let at = 0; at < size; ) {
        const piece = Buffer.alloc(Math.min(READ_BYTES, size - at))
        const { bytesRead } = await handle.read(piece, 0, piece.length, at)
        // It was cut meanwhile: zeros stand for what is gone, and the log says so.
        yield bytesRead === 0 ? piece : piece.subarray(0, bytesRead)
        at += bytesRead === 0 ? piece.length : bytesRead
      }
      if (size % BLOCK > 0) yield Buffer.alloc(BLOCK - (size % BLOCK))
    } finally {
      await handle.close()
    }
  }
  return { stream: hashed(), told: () => ({ files, bytes, sha256: hash.digest('hex') }) }
}

function headOf(path: string, size: number, type: typeof FILE | typeof FOLDER): Buffer {
  if (Buffer.byteLength(path) > NAME_MOST) throw new Error(`${path} has too long a name for an archive`)
  const head = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, length: number) =>
    head.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at)
  head.write(path, 0)
  octal(type === FOLDER ? 0o700 : 0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(0, 136, 12)
  head.fill(' ', 148, 156)
  head.write(type, 156)
  head.write('ustar\x0000', 257)
  head.write(`${sumOf(head).toString(8).padStart(6, '0')}\0 `, 148)
  return head
}

const sumOf = (head: Buffer) => head.reduce((sum, byte) => sum + byte, 0)

/** Into a folder that holds nothing yet. Fails in words where the stream ends before its end. */
export async function unpackInto(root: string, stream: Readable): Promise<Packed> {
  const hash = createHash('sha256')
  const source = bytesOf(stream, chunk => hash.update(chunk))
  let files = 0
  let bytes = 0
  for (;;) {
    const head = await source.take(BLOCK)
    if (head.every(byte => byte === 0)) break
    const path = head.subarray(0, NAME_MOST).toString('utf8').replace(/\0.*$/s, '')
    const size = Number.parseInt(head.subarray(124, 136).toString(), 8)
    const isFolder = head.subarray(156, 157).toString() === FOLDER
    if (path.split('/').includes('..') || path.startsWith('/'))
      throw new Error(`${path} leads out of the folder`)
    const target = join(root, path)
    await mkdir(isFolder ? target : dirname(target), { recursive: true, mode: 0o700 })
    if (isFolder) continue
    await pipeline(source.pieces(size), createWriteStream(target, { flags: 'wx', mode: 0o600 }))
    files++
    bytes += size
    await source.take((BLOCK - (size % BLOCK)) % BLOCK)
  }
  await source.drain()
  return { files, bytes, sha256: hash.digest('hex') }
}

function bytesOf(stream: Readable, seen: (chunk: Buffer) => void) {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
  let held: Buffer = Buffer.alloc(0)
  async function more(): Promise<boolean> {
    const { done, value } = await chunks.next()
    if (done || !value) return false
    seen(value)
    held = held.length === 0 ? value : Buffer.concat([held, value])
    return true
  }
  async function take(count: number): Promise<Buffer> {
    while (held.length < count) if (!(await more())) throw new Error('the archive is cut off')
    const taken = held.subarray(0, count)
    held = held.subarray(count)
    return taken
  }
  return {
    take,
    async *pieces(count: number): AsyncGenerator<Buffer, void> {
      for (let left = count; left > 0; ) {
        if (held.length === 0 && !(await more())) throw new Error('the archive is cut off')
        const piece = await take(Math.min(left, held.length))
        left -= piece.length
        yield piece
      }
    },
    async drain(): Promise<void> {
      while (await more()) held = Buffer.alloc(0)
    },
  }
}

/** Files of a database come and go. */
async function unlessGone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const found = (await unlessGone(readdir(folder, { withFileTypes: true }))) ?? []
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}
