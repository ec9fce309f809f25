// ZPL II: the label is sent as a picture, in hexadecimal or compressed.
import { type Bitmap, bytesAcross } from './scene.ts'
import { ascii, checkCopies, type LabelJob } from './tspl.ts'

/** zlib's format (RFC 1950); absent: hexadecimal, about ten times as long. */
export type Deflate = (bytes: Uint8Array) => Promise<Uint8Array>

/** 1 is black. */
export async function zplOf(bitmap: Bitmap, job: LabelJob, deflate?: Deflate): Promise<Uint8Array> {
  checkCopies(job.copies)
  const { width, height, rows } = bitmap
  const data = deflate ? z64(await deflate(rows)) : hexadecimal(rows)
  return ascii(
    [
      `^XA^PW${width}^LL${height}^LH0,0^FO0,0`,
      `^GFA,${rows.length},${rows.length},${bytesAcross(width)},${data}^FS`,
      `^PQ${job.copies}^XZ`,
      '',
    ].join('\n'),
  )
}

/** By the browser's and Node's own compressor; absent where there is none. */
export const streamDeflate: Deflate | undefined =
  typeof CompressionStream === 'undefined'
    ? undefined
    : async bytes => {
        const stream = new Blob([bytes as Uint8Array<ArrayBuffer>])
          .stream()
          .pipeThrough(new CompressionStream('deflate'))
        return new Uint8Array(await new Response(stream).arrayBuffer())
      }

const hexadecimal = (bytes: Uint8Array): string => {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text.toUpperCase()
}

/** Base64 of the compressed bytes, with a check sum of the text. */
function z64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  const text = btoa(binary)
  return `:Z64:${text}:${crc16(text)}`
}

/** CCITT, from 0, the highest bit first. */
export function crc16(text: string): string {
  let sum = 0
  for (let at = 0; at < text.length; at++) {
    sum ^= text.charCodeAt(at) << 8
    for (let bit = 0; bit < 8; bit++) sum = (sum & 0x8000 ? (sum << 1) ^ 0x1021 : sum << 1) & 0xffff
  }
  return sum.toString(16).padStart(4, '0').toUpperCase()
}
