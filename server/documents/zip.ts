// A zip archive as a stream (PKWARE APPNOTE 6.3), for parts below 4 GiB each; the archive may grow beyond. So only
// its directory ever needs the 64-bit fields: Excel offers to repair workbooks that announce them anywhere else.
import { once } from 'node:events'
import { constants, crc32, createDeflateRaw } from 'node:zlib'

/**
 * Pieces of one part follow each other under the same name; a piece's bytes are done with once the next is asked for. `whole`: all of a part
 * at once, kept as it is; it is made when everything before it has been handed on.
 */
export type ZipPiece = { name: string; bytes: Buffer } | { name: string; whole: () => Buffer }

/** `how`: bit flags, method and time as its head says them. */
export type Entry = {
  name: string
  offset: number
  crc: number
  size: number
  packedSize: number
  how: { flags: number; method: number; time: number }
}

const PART_BYTES = 0xffff_fffe
const STREAMED = 8
const DEFLATED = 8
const MIDNIGHT_1980 = 0x0021_0000
const PACKED = { flags: STREAMED, method: DEFLATED, time: MIDNIGHT_1980 } as const
/** Names beyond ASCII say that they are UTF-8. */
const UTF8 = 0x0800
const PLAIN = /^[\x20-\x7e]*$/
/** More have an end of another form. */
const NARROW_ENTRIES = 0xffff

const howOf = (name: string, isWhole: boolean): Entry['how'] => ({
  ...(isWhole ? { ...PACKED, flags: 0, method: 0 } : PACKED),
  ...(!PLAIN.test(name) && { flags: UTF8 | (isWhole ? 0 : STREAMED) }),
})

/** From this position in the archive the 64-bit fields are used. */
export const ZIP64_FROM_BYTE = 0xffff_ffff

/** `zip64FromByte`: position in the archive from which the 64-bit fields are used. */
export async function* zip(
  pieces: AsyncIterable<ZipPiece>,
  zip64FromByte = ZIP64_FROM_BYTE,
): AsyncGenerator<Buffer> {
  const entries: Entry[] = []
  let offset = 0
  let entry: Entry | undefined
  let packer = startPacker()
  const counted = (bytes: Buffer) => {
    offset += bytes.length
    return bytes
  }
  const finish = async (done: Entry) => {
    const rest = await packer.finish()
    done.packedSize += rest.length
    if (done.size > PART_BYTES || done.packedSize > PART_BYTES)
      throw new RangeError(`${done.name} exceeds 4 GiB`)
    return counted(Buffer.concat([rest, partEnd(done)]))
  }
  try {
    for await (const piece of pieces) {
      const { name } = piece
      if (entry && entry.name !== name) {
        yield await finish(entry)
        entry = undefined
        packer = startPacker()
      }
      if ('whole' in piece) {
        const bytes = piece.whole()
        const { length } = bytes
        const how = howOf(name, true)
        const whole: Entry = { name, offset, crc: crc32(bytes), size: length, packedSize: length, how }
        entries.push(whole)
        yield counted(partHead(whole))
        yield counted(bytes)
        continue
      }
      const { bytes } = piece
      if (!entry) {
        entry = { name, offset, crc: 0, size: 0, packedSize: 0, how: howOf(name, false) }
        entries.push(entry)
        yield counted(partHead(entry))
      }
      const packed = await packer.pack(bytes)
      entry.crc = crc32(bytes, entry.crc)
      entry.size += bytes.length
      entry.packedSize += packed.length
      if (packed.length > 0) yield counted(packed)
    }
    if (entry) yield await finish(entry)
    yield directory(entries, offset, zip64FromByte)
  } finally {
    packer.close()
  }
}

/** One deflater for a whole part: setting one up costs more than packing a piece. */
function startPacker() {
  const deflater = createDeflateRaw({ level: constants.Z_BEST_SPEED, chunkSize: 32 * 1024 })
  let packed: Buffer[] = []
  deflater.on('data', (bytes: Buffer) => packed.push(bytes))
  const take = () => {
    const bytes = Buffer.concat(packed)
    packed = []
    return bytes
  }
  return {
    async pack(bytes: Buffer): Promise<Buffer> {
      await new Promise<void>((resolve, reject) => {
        deflater.once('error', reject)
        deflater.write(bytes, error => {
          // A failed write is also emitted as an error, later: its listener has to stay.
          if (error) return reject(error)
          deflater.off('error', reject)
          resolve()
        })
      })
      return take()
    },
    async finish(): Promise<Buffer> {
      deflater.end()
      await once(deflater, 'end')
      return take()
    },
    close: () => deflater.destroy(),
  }
}

/** Of a part that comes in pieces sizes and checksum are not known yet: they follow it. */
export function partHead({ name, crc, size, packedSize, how }: Entry): Buffer {
  const bytes = Buffer.from(name)
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x0403_4b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(how.flags, 6)
  head.writeUInt16LE(how.method, 8)
  head.writeUInt32LE(how.time, 10)
  if ((how.flags & STREAMED) === 0) {
    head.writeUInt32LE(crc, 14)
    head.writeUInt32LE(packedSize, 18)
    head.writeUInt32LE(size, 22)
  }
  head.writeUInt16LE(bytes.length, 26)
  return Buffer.concat([head, bytes])
}

export function partEnd(entry: Entry): Buffer {
  const descriptor = Buffer.alloc(16)
  descriptor.writeUInt32LE(0x0807_4b50, 0)
  descriptor.writeUInt32LE(entry.crc, 4)
  descriptor.writeUInt32LE(entry.packedSize, 8)
  descriptor.writeUInt32LE(entry.size, 12)
  return descriptor
}

/** What ends an archive: its parts, and where each begins. */
export function directory(entries: readonly Entry[], offset: number, zip64FromByte: number): Buffer {
  const list = Buffer.concat(entries.map(entry => directoryEntry(entry, entry.offset >= zip64FromByte)))
  const wide = offset >= zip64FromByte || entries.length >= NARROW_ENTRIES
  const count = Math.min(entries.length, NARROW_ENTRIES)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(wide ? 0xffff_ffff : offset, 16)
  return Buffer.concat(wide ? [list, wideEnd(entries.length, list.length, offset), end] : [list, end])
}

function directoryEntry(entry: Entry, wide: boolean): Buffer {
  const head = Buffer.alloc(46)
  const name = Buffer.from(entry.name)
  const version = wide ? 45 : 20
  head.writeUInt32LE(0x0201_4b50, 0)
  head.writeUInt16LE(version, 4)
  head.writeUInt16LE(version, 6)
  head.writeUInt16LE(entry.how.flags, 8)
  head.writeUInt16LE(entry.how.method, 10)
  head.writeUInt32LE(entry.how.time, 12)
  head.writeUInt32LE(entry.crc, 16)
  head.writeUInt32LE(entry.packedSize, 20)
  head.writeUInt32LE(entry.size, 24)
  head.writeUInt16LE(name.length, 28)
  head.writeUInt16LE(wide ? 12 : 0, 30)
  head.writeUInt32LE(wide ? 0xffff_ffff : entry.offset, 42)
  const extra = Buffer.alloc(wide ? 12 : 0)
  if (wide) {
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(8, 2)
    extra.writeBigUInt64LE(BigInt(entry.offset), 4)
  }
  return Buffer.concat([head, name, extra])
}

/** The 64-bit end of the directory and the pointer to it. */
function wideEnd(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(56 + 20)
  end.writeUInt32LE(0x0606_4b50, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE(45, 12)
  end.writeUInt16LE(45, 14)
  end.writeBigUInt64LE(BigInt(count), 24)
  end.writeBigUInt64LE(BigInt(count), 32)
  end.writeBigUInt64LE(BigInt(length), 40)
  end.writeBigUInt64LE(BigInt(offset), 48)
  end.writeUInt32LE(0x0706_4b50, 56)
  end.writeBigUInt64LE(BigInt(offset + length), 64)
  end.writeUInt32LE(1, 72)
  return end
}
