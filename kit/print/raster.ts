// A scene as dots: the very bitmap a printer is sent.
import { type Glyphs, glyphOf } from './glyphs.ts'
import { type Contour, contoursOf } from './path.ts'
import { type Bitmap, type Box, bytesAcross, type Mark, type Scene, type TextMark } from './scene.ts'
import { type Dots, dotsOfUm } from './units.ts'

/** The same dots in Node and in every browser: only exact operations on numbers. */
export function rasterOf(scene: Scene, glyphs: Glyphs, dots: Dots): Bitmap {
  const [width, height] = [dotsOfUm(scene.width, dots), dotsOfUm(scene.height, dots)]
  const bitmap = { width, height, rows: new Uint8Array(bytesAcross(width) * height) }
  for (const mark of scene.marks) drawMark(bitmap, mark, glyphs, dots)
  return bitmap
}

export const isBlack = ({ width, rows }: Bitmap, x: number, y: number): boolean =>
  ((rows[y * bytesAcross(width) + (x >> 3)] as number) & (0x80 >> (x & 7))) !== 0

function drawMark(bitmap: Bitmap, mark: Mark, glyphs: Glyphs, dots: Dots): void {
  if (mark.kind === 'text') drawText(bitmap, mark, glyphs, dots)
  else if (mark.kind === 'bars') for (const rect of mark.rects) fillBox(bitmap, rect, dots)
  else if (mark.kind === 'bitmap') drawBitmap(bitmap, mark.box, mark.bitmap, dots)
  else {
    const { left, top } = mark.box
    const perDot = dots / 1_000
    fill(bitmap, contoursOf(mark.path, mark.unit * perDot, left * perDot, top * perDot))
  }
}

function drawText(bitmap: Bitmap, mark: TextMark, glyphs: Glyphs, dots: Dots): void {
  const perDot = dots / 1_000
  const unit = (mark.size / 1_000) * perDot
  const top = mark.baseline * perDot
  let advance = 0
  for (const character of mark.text) {
    const glyph = glyphOf(glyphs, character, mark.bold)
    fill(bitmap, contoursOf(glyph.outline, unit, mark.left * perDot + advance * unit, top))
    advance += glyph.advance
  }
  if (mark.underline) fillBox(bitmap, mark.underline, dots)
}

function fillBox(bitmap: Bitmap, box: Box, dots: Dots): void {
  const [left, right] = [dotsOfUm(box.left, dots), dotsOfUm(box.left + box.width, dots)]
  const [top, bottom] = [dotsOfUm(box.top, dots), dotsOfUm(box.top + box.height, dots)]
  for (let y = Math.max(0, top); y < Math.min(bottom, bitmap.height); y++)
    for (let x = Math.max(0, left); x < Math.min(right, bitmap.width); x++) blacken(bitmap, x, y)
}

function drawBitmap(bitmap: Bitmap, box: Box, picture: Bitmap, dots: Dots): void {
  const [left, top] = [dotsOfUm(box.left, dots), dotsOfUm(box.top, dots)]
  const [wide, high] = [dotsOfUm(box.width, dots), dotsOfUm(box.height, dots)]
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const from = [Math.floor((x * picture.width) / wide), Math.floor((y * picture.height) / high)] as const
      const [atX, atY] = [left + x, top + y]
      const isInside = atX >= 0 && atY >= 0 && atX < bitmap.width && atY < bitmap.height
      if (isInside && isBlack(picture, ...from)) blacken(bitmap, atX, atY)
    }
}

function blacken({ width, rows }: Bitmap, x: number, y: number): void {
  const at = y * bytesAcross(width) + (x >> 3)
  rows[at] = (rows[at] as number) | (0x80 >> (x & 7))
}

/** Lines looked along in each row of dots. */
const LINES = 4
/** The share of a dot that makes it black: below a half, so that thin strokes stay whole. */
const ENOUGH = 0.4

type Edge = { x0: number; y0: number; x1: number; y1: number; winding: 1 | -1 }

/** Fills what the contours wind around: across exactly, down by LINES a dot. */
function fill(bitmap: Bitmap, contours: readonly Contour[]): void {
  const edges = contours.flatMap(edgesOf)
  const [left, right] = spanOf(edges, bitmap.width, edge => [edge.x0, edge.x1])
  const [top, bottom] = spanOf(edges, bitmap.height, edge => [edge.y0, edge.y1])
  if (left > right) return
  const cover = new Float64Array(right - left + 1)
  for (let y = top; y <= bottom; y++) {
    const near = edges.filter(edge => edge.y0 < y + 1 && edge.y1 > y)
    if (near.length === 0) continue
    cover.fill(0)
    for (let line = 0; line < LINES; line++) coverLine(cover, near, left, y + (line + 0.5) / LINES)
    for (let x = left; x <= right; x++)
      if ((cover[x - left] as number) >= ENOUGH * LINES) blacken(bitmap, x, y)
  }
}

/** The first and the last dot that edges reach, of those there are. */
function spanOf(
  edges: readonly Edge[],
  count: number,
  ends: (edge: Edge) => [number, number],
): [first: number, last: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const edge of edges)
    for (const end of ends(edge)) {
      least = Math.min(least, end)
      most = Math.max(most, end)
    }
  return [Math.max(0, Math.floor(least)), Math.min(count - 1, Math.floor(most))]
}

function edgesOf(contour: Contour): Edge[] {
  const edges: Edge[] = []
  for (let at = 0; at < contour.length; at += 2) {
    const [x0, y0] = [contour[at] as number, contour[at + 1] as number]
    const next = (at + 2) % contour.length
    const [x1, y1] = [contour[next] as number, contour[next + 1] as number]
    if (y0 < y1) edges.push({ x0, y0, x1, y1, winding: 1 })
    else if (y0 > y1) edges.push({ x0: x1, y0: y1, x1: x0, y1: y0, winding: -1 })
  }
  return edges
}

function coverLine(cover: Float64Array, edges: readonly Edge[], left: number, y: number): void {
  const crossings: { x: number; winding: number }[] = []
  for (const { x0, y0, x1, y1, winding } of edges)
    if (y0 <= y && y < y1) crossings.push({ x: x0 + ((y - y0) * (x1 - x0)) / (y1 - y0) - left, winding })
  crossings.sort((one, other) => one.x - other.x)
  let winding = 0
  for (const [at, crossing] of crossings.entries()) {
    winding += crossing.winding
    const next = crossings[at + 1]
    if (winding !== 0 && next) coverSpan(cover, crossing.x, next.x)
  }
}

function coverSpan(cover: Float64Array, from: number, to: number): void {
  const [left, right] = [Math.max(0, from), Math.min(cover.length, to)]
  for (let x = Math.floor(left); x < right; x++) {
    const part = Math.min(x + 1, right) - Math.max(x, left)
    cover[x] = (cover[x] as number) + part
  }
}
