// The files of a ZIP archive in memory, by its central directory: stored and deflated entries, nothing else (no ZIP64, no encryption).
import { crc32, inflateRawSync } from 'node:zlib'

const END_SIGNATURE = 0x06054b50
const ENTRY_SIGNATURE = 0x02014b50
const FILE_SIGNATURE = 0x04034b50
const END_BYTES = 22
const COMMENT_BYTES_MAX = 0xffff
const UTF8_NAME = 0x800
const ENCRYPTED = 0x1

/**
 * Name and content of each entry. Names without the UTF-8 mark are read as GBK. Throws where the archive is damaged or an entry
 * is larger than `bytesMax`.
 */
export function readZip(archive: Buffer, bytesMax: number): { name: string; content: Buffer }[] {
  const end = endOfArchive(archive)
  const entries = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  const files: { name: string; content: Buffer }[] = []
  for (let entry = 0; entry < entries; entry++) {
    const directoryAt = at
    if (archive.readUInt32LE(at) !== ENTRY_SIGNATURE) throw new Error('a damaged ZIP directory')
    const flags = archive.readUInt16LE(at + 8)
    const method = archive.readUInt16LE(at + 10)
    const packedBytes = archive.readUInt32LE(at + 20)
    const contentBytes = archive.readUInt32LE(at + 24)
    const nameBytes = archive.readUInt16LE(at + 28)
    const fileAt = archive.readUInt32LE(at + 42)
    const rawName = archive.subarray(at + 46, at + 46 + nameBytes)
    at += 46 + nameBytes + archive.readUInt16LE(directoryAt + 30) + archive.readUInt16LE(directoryAt + 32)
    if (flags & ENCRYPTED) throw new Error('an encrypted ZIP entry')
    if (contentBytes > bytesMax) throw new Error(`a ZIP entry of ${contentBytes} bytes`)
    const packed = packedContent(archive, fileAt, packedBytes)
    const content = unpack(packed, method, contentBytes)
    if (crc32(content) !== archive.readUInt32LE(directoryAt + 16))
      throw new Error('a ZIP entry with a wrong checksum')
    files.push({ name: new TextDecoder(flags & UTF8_NAME ? 'utf-8' : 'gbk').decode(rawName), content })
  }
  return files
}

function endOfArchive(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_BYTES - COMMENT_BYTES_MAX)
  for (let at = archive.length - END_BYTES; at >= first; at--)
    if (archive.readUInt32LE(at) === END_SIGNATURE) return at
  throw new Error('no ZIP archive')
}

function packedContent(archive: Buffer, fileAt: number, packedBytes: number): Buffer {
  if (archive.readUInt32LE(fileAt) !== FILE_SIGNATURE) throw new Error('a damaged ZIP entry')
  const start = fileAt + 30 + archive.readUInt16LE(fileAt + 26) + archive.readUInt16LE(fileAt + 28)
  if (start + packedBytes > archive.length) throw new Error('a cut ZIP archive')
  return archive.subarray(start, start + packedBytes)
}

function unpack(packed: Buffer, method: number, contentBytes: number): Buffer {
  if (method !== 0 && method !== 8) throw new Error(`ZIP method ${method}`)
  const content =
    method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, contentBytes) })
  if (content.length !== contentBytes) throw new Error('a ZIP entry of another length than it says')
  return content
}
