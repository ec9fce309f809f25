// TSPL: the language of many desktop label printers; the label is sent as a picture.
import { type Bitmap, bytesAcross } from './scene.ts'
import { type Dots, mmOfUm, type Um, umOfMm } from './units.ts'

export type LabelJob = {
  width: Um
  height: Um
  dots: Dots
  /** Whole, 1 to 9,999. */
  copies: number
  /** Between labels; 2 mm where nothing is said. */
  gap?: Um
}

export const COPIES_MOST = 9_999
const GAP = umOfMm(2)

export function checkCopies(copies: number): void {
  if (!Number.isInteger(copies) || copies < 1 || copies > COPIES_MOST)
    throw new RangeError(`copies are 1 to ${COPIES_MOST}, not ${copies}`)
}

/** The label as a picture. */
export function tsplOf(bitmap: Bitmap, job: LabelJob): Uint8Array {
  const { before, after } = tsplAround(job)
  return joined([before, tsplBitmap(bitmap, 0, 0), ascii('\r\n'), after])
}

/** What stands before and after that which is on the label. */
export function tsplAround(job: LabelJob): { before: Uint8Array; after: Uint8Array } {
  checkCopies(job.copies)
  const before = [
    `SIZE ${mmOfUm(job.width)} mm,${mmOfUm(job.height)} mm`,
    `GAP ${mmOfUm(job.gap ?? GAP)} mm,0 mm`,
    'DIRECTION 0,0',
    'REFERENCE 0,0',
    'CLS',
    '',
  ].join('\r\n')
  return { before: ascii(before), after: ascii(`PRINT 1,${job.copies}\r\n`) }
}

/** Whole bytes across; 0 is black, so what is past the edge is 1. */
export const tsplBitmap = ({ width, height, rows }: Bitmap, left: number, top: number): Uint8Array =>
  joined([ascii(`BITMAP ${left},${top},${bytesAcross(width)},${height},0,`), rows.map(byte => ~byte & 0xff)])

export const ascii = (text: string): Uint8Array => new TextEncoder().encode(text)

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
