// Reads back an archive of ours (zip.ts) from its file, however large, and refuses every byte that it would not have written so: heads, sizes,
// sums, the directory, and nothing between or behind them.
import type { FileHandle } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { directory, type Entry, partEnd, partHead, ZIP64_FROM_BYTE } from './zip.ts'

/** It is no archive of ours, or not as it was written. */
export class Altered extends Error {}

export type Parts = {
  entries: readonly Entry[]
  /** A part's bytes as they were put in, its head and sums compared. Throws `Altered`. */
  bytesOf(entry: Entry): AsyncGenerator<Buffer>
}

const END_BYTES = 22
const WIDE_END_BYTES = 56 + 20
const DIRECTORY_MOST = 512 * 1_048_576
const READ_BYTES = 1_048_576

export async function openParts(file: FileHandle): Promise<Parts> {
  const { size } = await file.stat()
  const { start, tail } = await tailOf(file, size)
  const entries = entriesIn(tail)
  let at = 0
  for (const entry of entries) {
    if (entry.offset !== at) throw new Altered(`${entry.name} does not begin where the one before it ends`)
    at += partHead(entry).length + entry.packedSize + (isStreamed(entry) ? partEnd(entry).length : 0)
  }
  if (at !== start || !directory(entries, start, ZIP64_FROM_BYTE).equals(tail))
    throw new Altered('the directory of the archive is not as it was written')
  return { entries, bytesOf: entry => bytesOf(file, entry) }
}

const isStreamed = ({ how }: Entry) => (how.flags & 8) !== 0

/** The directory with what ends it. */
async function tailOf(file: FileHandle, size: number): Promise<{ start: number; tail: Buffer }> {
  if (size < END_BYTES) throw new Altered('it is no archive')
  const end = await read(file, size - END_BYTES, END_BYTES)
  if (end.readUInt32LE(0) !== 0x0605_4b50)
    throw new Altered('it is no archive, or something stands behind its end')
  let start = end.readUInt32LE(16)
  const wideAt = size - END_BYTES - WIDE_END_BYTES
  if (wideAt >= 0) {
    const wide = await read(file, wideAt, WIDE_END_BYTES)
    if (wide.readUInt32LE(0) === 0x0606_4b50) start = Number(wide.readBigUInt64LE(48))
  }
  if (start > size || size - start > DIRECTORY_MOST) throw new Altered('its directory is nowhere in it')
  return { start, tail: await read(file, start, size - start) }
}

function entriesIn(tail: Buffer): Entry[] {
  const entries: Entry[] = []
  let at = 0
  while (at + 46 <= tail.length && tail.readUInt32LE(at) === 0x0201_4b50) {
    const nameBytes = tail.readUInt16LE(at + 28)
    const extraBytes = tail.readUInt16LE(at + 30)
    const nameAt = at + 46
    if (nameAt + nameBytes + extraBytes > tail.length) break
    const narrow = tail.readUInt32LE(at + 42)
    const isWide = narrow === 0xffff_ffff && extraBytes === 12
    entries.push({
      name: tail.toString('utf8', nameAt, nameAt + nameBytes),
      offset: isWide ? Number(tail.readBigUInt64LE(nameAt + nameBytes + 4)) : narrow,
      crc: tail.readUInt32LE(at + 16),
      packedSize: tail.readUInt32LE(at + 20),
      size: tail.readUInt32LE(at + 24),
      how: {
        flags: tail.readUInt16LE(at + 8),
        method: tail.readUInt16LE(at + 10),
        time: tail.readUInt32LE(at + 12),
      },
    })
    at = nameAt + nameBytes + extraBytes
  }
  return entries
}

async function* bytesOf(file: FileHandle, entry: Entry): AsyncGenerator<Buffer> {
  const { name } = entry
  const head = partHead(entry)
  if (!(await read(file, entry.offset, head.length)).equals(head))
    throw new Altered(`the head of ${name} is not as it was written`)
  const from = entry.offset + head.length
  let [sum, size] = [0, 0]
  for await (const bytes of unpacked(file, entry, from)) {
    sum = crc32(bytes, sum)
    size += bytes.length
    yield bytes
  }
  const end = isStreamed(entry) ? partEnd(entry) : Buffer.alloc(0)
  const isAsSaid = sum === entry.crc && size === entry.size
  if (!isAsSaid || !(await read(file, from + entry.packedSize, end.length)).equals(end))
    throw new Altered(`${name} is not what was put in`)
}

async function* unpacked(
  file: FileHandle,
  { name, how, packedSize }: Entry,
  from: number,
): AsyncGenerator<Buffer> {
  if (how.method === 0) {
    yield* packed(file, from, packedSize)
    return
  }
  // What goes wrong on the way is met by whoever reads what comes out.
  const inflater = pipeline(
    Readable.from(packed(file, from, packedSize)),
    createInflateRaw(),
    () => undefined,
  )
  try {
    for await (const bytes of inflater) yield bytes as Buffer
  } catch (error) {
    throw new Altered(`${name} does not unpack`, { cause: error })
  } finally {
    inflater.destroy()
  }
  if (inflater.bytesWritten !== packedSize) throw new Altered(`something stands behind ${name}`)
}

async function* packed(file: FileHandle, from: number, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < length; at += READ_BYTES)
    yield read(file, from + at, Math.min(READ_BYTES, length - at))
}

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, at)
  if (bytesRead !== length) throw new Altered('it ends before its end')
  return bytes
}
