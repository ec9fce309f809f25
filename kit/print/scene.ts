// What is on the paper, laid out: all that print and all that preview draw from this one.
import { FACE } from './glyphs.ts'
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
  /** Of whole dots, under the characters. */
  underline: Box | null
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
  /** White that must stay free beyond the box; `end` is above and below. */
  quiet: { left: Um; right: Um; end: Um }
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

export function markBox(mark: Mark): Box {
  if (mark.kind !== 'text') return mark.box
  const ascent = Math.round((mark.size * FACE.ascent) / 1_000)
  return { left: mark.left, top: mark.baseline - ascent, width: mark.width, height: mark.size }
}

/** The modules of a code with the white that must stay free around them. */
export const quietZone = ({ box, quiet }: Pick<BarsMark, 'box' | 'quiet'>): Box => ({
  left: box.left - quiet.left,
  top: box.top - quiet.end,
  width: box.width + quiet.left + quiet.right,
  height: box.height + 2 * quiet.end,
})

/** The box around boxes; null around none. */
export function around(boxes: readonly Box[]): Box | null {
  const [first, ...rest] = boxes
  if (!first) return null
  let { left, top } = first
  let [right, bottom] = [left + first.width, top + first.height]
  for (const box of rest) {
    left = Math.min(left, box.left)
    top = Math.min(top, box.top)
    right = Math.max(right, box.left + box.width)
    bottom = Math.max(bottom, box.top + box.height)
  }
  return { left, top, width: right - left, height: bottom - top }
}

/** Where an item's ink is; null where it has none. */
export const itemBox = (scene: Scene, item: string): Box | null =>
  around(scene.marks.filter(mark => mark.item === item).map(markBox))
