// What is on the paper, laid out: all that print and all that preview draw from this one.
import type { Um } from './units.ts'

export type Box = { left: Um; top: Um; width: Um; height: Um }

/** One line of text; characters follow each other by their advances, without kerning. */
export type TextMark = {
  kind: 'text'
  item: string | null
  text: string
  left: Um
  baseline: Um
  /** The em. */
  size: Um
  bold: boolean
  underline: boolean
  /** What the characters take. */
  width: Um
}

export type Symbology = 'ean13' | 'ean8' | 'code128' | 'qrcode'

/** The dark modules of a code. */
export type BarsMark = {
  kind: 'bars'
  item: string | null
  symbology: Symbology
  /** What a scanner answers. */
  content: string
  /** One module. */
  module: Um
  box: Box
  /** White that must stay free, beyond the box: at the sides, and above and below. */
  quiet: { side: Um; end: Um }
  rects: readonly Box[]
}

/** A filled path: SVG data of M, L, Q, C and Z, absolute, in units of `unit` micrometres from left and top. */
export type ShapeMark = {
  kind: 'shape'
  item: string | null
  box: Box
  path: string
  /** Micrometres of one unit of the path. */
  unit: number
}

/** A picture of dots, as a logo: stretched over the box. */
export type BitmapMark = { kind: 'bitmap'; item: string | null; box: Box; bitmap: Bitmap }

export type Mark = TextMark | BarsMark | ShapeMark | BitmapMark

export type Scene = { width: Um; height: Um; marks: readonly Mark[] }

/** One bit a dot, 1 is black; rows of whole bytes, the first dot is the highest bit. */
export type Bitmap = { width: number; height: number; rows: Uint8Array }

export const bytesAcross = (width: number): number => (width + 7) >> 3

/** A filled rectangle, as a rule between blocks. */
export function rectangle(item: string | null, box: Box): ShapeMark {
  const { width, height } = box
  return { kind: 'shape', item, box, unit: 1, path: `M0 0L${width} 0L${width} ${height}L0 ${height}Z` }
}
