// ESC/POS as the printers of receipts speak it: a receipt as dots (any letter, what the preview shows) or as text (much shorter).
import { gb18030, printed, unprintable } from './escpos-gb18030.ts'
import { PAPERS, type Paper } from './receipt.ts'
import { type Line, lettersOn } from './receipt-lines.ts'
import { cellsOf, isWide, wrapped } from './receipt-text.ts'
import type { Bitmap } from './scene.ts'
import { bytesAcross } from './scene.ts'

const [ESC, FS, GS, LF] = [0x1b, 0x1c, 0x1d, 0x0a]

/** A printer holds so many rows at a time. */
const BAND_ROWS = 240
/** Feeds what was printed beyond the knife, then cuts all but a corner. */
const CUT = [GS, 0x56, 0x42, 0x00]
const RESET = [ESC, 0x40]

const joined = (parts: readonly (readonly number[] | Uint8Array)[]): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

const word = (value: number): number[] => [value & 0xff, value >> 8]

/** Bands of dots, without a gap. */
function bands({ width, height, rows }: Bitmap): (readonly number[] | Uint8Array)[] {
  const across = bytesAcross(width)
  const parts: (readonly number[] | Uint8Array)[] = []
  for (let from = 0; from < height; from += BAND_ROWS) {
    const count = Math.min(BAND_ROWS, height - from)
    parts.push([GS, 0x76, 0x30, 0, ...word(across), ...word(count)])
    parts.push(rows.subarray(from * across, (from + count) * across))
  }
  return parts
}

/** A receipt as dots, its pages without a cut between them. */
export function escposRaster(...pages: readonly Bitmap[]): Uint8Array {
  return joined([RESET, ...pages.flatMap(bands), CUT])
}

export type TextOptions = {
  paper: Paper
  /** Without one the place of a logo stays empty. */
  logos?: ReadonlyMap<string, Bitmap>
}

/** A receipt as text, in the letters of the printer. */
export function escposText(lines: readonly Line[], options: TextOptions): Uint8Array {
  return joined([
    RESET,
    [FS, 0x26, ESC, 0x33, LINE_DOTS],
    ...lines.flatMap(line => lineBytes(line, options)),
    CUT,
  ])
}

/** What of a receipt printers have no letters for: as text it becomes question marks. */
export const lostAsText = (lines: readonly Line[]): string[] => unprintable(lettersOn(lines))

/** Of a line and what is white above it. */
const LINE_DOTS = 30
const align = (value: number): number[] => [ESC, 0x61, value]

type Bytes = (readonly number[] | Uint8Array)[]

function lineBytes(line: Line, options: TextOptions): Bytes {
  const { dots } = PAPERS[options.paper]
  switch (line.kind) {
    case 'text':
      return textBytes(line, dots)
    case 'rule':
      return [align(0), [...'-'.repeat(Math.floor(dots / 12))].map(sign => sign.charCodeAt(0)), [LF]]
    case 'space':
      return spaceBytes(line.dots)
    case 'logo':
      return logoBytes(line, options)
    case 'barcode':
      return barcodeBytes(line.value, dots)
    case 'qr':
      return qrBytes(line.value)
  }
}

function logoBytes({ align: at, picture }: Extract<Line, { kind: 'logo' }>, { logos }: TextOptions): Bytes {
  const logo = logos?.get(picture ?? '')
  return logo ? [align(at), ...bands(logo), align(0)] : []
}

/** ESC J feeds one byte of dots at a time. */
function spaceBytes(dots: number): Bytes {
  const feeds: Bytes = []
  for (let left = dots; left > 0; left -= 255) feeds.push([ESC, 0x4a, Math.min(left, 255)])
  return feeds
}

/** Large letters are twice as high, and twice as wide where the line has room for it. */
function textBytes(line: Extract<Line, { kind: 'text' }>, dots: number): Bytes {
  const isWideToo = line.large && !line.text.includes('  ') && cellsOf(line.text) * 24 <= dots
  const size = line.large ? (isWideToo ? 0x11 : 0x01) : 0
  const chinese = (size & 0x01 ? 0x08 : 0) | (size & 0x10 ? 0x04 : 0)
  const feed = line.large ? LINE_DOTS * 2 : LINE_DOTS
  return [
    [...align(line.align), GS, 0x21, size, FS, 0x21, chinese, ESC, 0x45, line.bold ? 1 : 0, ESC, 0x33, feed],
    gb18030(printed(line.text, isWide)),
    [LF],
  ]
}

const PLAIN = [GS, 0x21, 0, FS, 0x21, 0, ESC, 0x45, 0, ESC, 0x33, LINE_DOTS]

/** GS k 73: Code 128, its sets chosen here; what it says stands below as text. */
function barcodeBytes(value: string, dots: number): Bytes {
  const data = code128(value)
  const said = wrapped(value, Math.floor(dots / 12)).flatMap(text => [gb18030(text), [LF]])
  return [
    [...PLAIN, ...align(1), GS, 0x48, 0, GS, 0x68, 80, GS, 0x77, 2, GS, 0x6b, 73, data.length],
    data,
    [LF],
    ...said,
    align(0),
  ]
}

/** `{C` with two digits a byte for four digits and more, otherwise `{B`; a brace of the text stands twice. */
export function code128(value: string): number[] {
  const bytes: number[] = []
  let set = ''
  const change = (next: 'B' | 'C') => {
    if (set !== next) bytes.push(0x7b, next.charCodeAt(0))
    set = next
  }
  for (const [run] of value.matchAll(/\d{4,}|\D+|\d+/g)) {
    const paired = /^\d{4,}$/.test(run) ? run.length - (run.length % 2) : 0
    if (paired > 0) change('C')
    for (let at = 0; at < paired; at += 2) bytes.push(Number(run.slice(at, at + 2)))
    const rest = run.slice(paired)
    if (rest !== '') change('B')
    for (const sign of rest) bytes.push(...(sign === '{' ? [0x7b, 0x7b] : [sign.charCodeAt(0)]))
  }
  return bytes
}

/** GS ( k: model 2, modules of five dots, correction M, bytes of UTF-8. */
function qrBytes(value: string): Bytes {
  const data = new TextEncoder().encode(value)
  const command = (...bytes: number[]) => [GS, 0x28, 0x6b, ...word(bytes.length), ...bytes]
  return [
    [...PLAIN, ...align(1)],
    command(0x31, 0x41, 0x32, 0x00),
    command(0x31, 0x43, 5),
    command(0x31, 0x45, 0x31),
    [GS, 0x28, 0x6b, ...word(data.length + 3), 0x31, 0x50, 0x30],
    data,
    command(0x31, 0x51, 0x30),
    [LF, ...align(0)],
  ]
}
