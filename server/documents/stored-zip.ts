// A zip archive of whole files as they are, as a stream (PKWARE APPNOTE 6.3): for pictures, which no packing makes smaller. Each head
// says size and checksum, so that readers who never reach the directory read it too. One file is held at a time.
import { crc32 } from 'node:zlib'
import { formatInstant } from '#kit/time.ts'
import { directory, type Entry, ZIP64_FROM_BYTE } from './zip.ts'

/** `name` may hold any character; it is unique, and leads nowhere else. */
export type StoredFile = { name: string; bytes: Buffer; modifiedAt: Date }

const UTF8 = 0x0800
const STORED = 0
/** What a head has before its name. */
const HEAD = 30
/** More have an end of another form. */
const FILES_MAX = 0xfffe

export async function* storedZip(
  files: AsyncIterable<StoredFile>,
  zip64FromByte = ZIP64_FROM_BYTE,
): AsyncGenerator<Buffer> {
  const entries: Entry[] = []
  let offset = 0
  for await (const { name, bytes, modifiedAt } of files) {
    if (/[/\\\0]/.test(name)) throw new Error(`${name} is no plain name of a file`)
    if (entries.length === FILES_MAX) throw new RangeError(`more than ${FILES_MAX} files`)
    const size = bytes.length
    const how = { flags: UTF8, method: STORED, time: timeOf(modifiedAt) }
    const entry: Entry = { name, offset, crc: crc32(bytes), size, packedSize: size, how }
    entries.push(entry)
    const head = headOf(entry)
    offset += head.length + size
    yield head
    yield bytes
  }
  yield directory(entries, offset, zip64FromByte)
}

function headOf({ name, crc, size, how }: Entry): Buffer {
  const bytes = Buffer.from(name)
  const head = Buffer.alloc(HEAD)
  head.writeUInt32LE(0x0403_4b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(how.flags, 6)
  head.writeUInt16LE(how.method, 8)
  head.writeUInt32LE(how.time, 10)
  head.writeUInt32LE(crc, 14)
  head.writeUInt32LE(size, 18)
  head.writeUInt32LE(size, 22)
  head.writeUInt16LE(bytes.length, 26)
  return Buffer.concat([head, bytes])
}

/** Of Shanghai, in steps of two seconds from 1980 on, as archives keep it. */
function timeOf(at: Date): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (
    formatInstant(at).match(/\d+/g) ?? []
  ).map(Number)
  const date = (Math.max(0, year - 1980) << 9) | (month << 5) | day
  return ((date << 16) | (hour << 11) | (minute << 5) | (second >> 1)) >>> 0
}
