// ZPL II: the label is sent as a picture, in hexadecimal or compressed.
import { type Bitmap, bytesAcross } from './scene.ts'
import { ascii, checkCopies, type LabelJob } from './tspl.ts'

/** zlib's format (RFC 1950); absent: hexadecimal, about ten times as long. */
export type Deflate = (bytes: Uint8Array) => Promise<Uint8Array>

/** A font as a printer names it: its drive, its file. */
export const ZPL_FONT = /^[A-Z]:[A-Z0-9_]{1,16}\.(TTF|TTE|OTF|FNT)$/

/** The label as a picture. */
export async function zplOf(bitmap: Bitmap, job: LabelJob, deflate?: Deflate): Promise<Uint8Array> {
  const { before, after } = zplAround(bitmap, job)
  return ascii(`${before}\n${await zplBitmap(bitmap, { left: 0, top: 0 }, deflate)}\n${after}`)
}

type Size = Pick<Bitmap, 'width' | 'height'>

/** What stands before and after that which is on the label. */
export function zplAround({ width, height }: Size, job: LabelJob): { before: string; after: string } {
  checkCopies(job.copies)
  return { before: `^XA^PW${width}^LL${height}^LH0,0`, after: `^PQ${job.copies}^XZ\n` }
}

/** 1 is black. */
export async function zplBitmap(
  { width, rows }: Bitmap,
  { left, top }: { left: number; top: number },
  deflate?: Deflate,
): Promise<string> {
  const data = deflate ? z64(await deflate(rows)) : hexadecimal(rows)
  return `^FO${left},${top}^GFA,${rows.length},${rows.length},${bytesAcross(width)},${data}^FS`
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
