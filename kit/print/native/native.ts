// A label as words to the printer: its own letters and codes where it has them, pieces of the picture where it has not.
import type { Glyphs } from '../glyphs.ts'
import { rasterOf } from '../raster.ts'
import { type BarsMark, type Bitmap, type Box, bytesAcross, type Mark, type Scene } from '../scene.ts'
import { type Dots, dotsOfUm } from '../units.ts'

/** In dots. */
export type Place = { left: number; top: number; width: number; height: number }
/** Of the picture; its left edge lies on a whole byte. */
export type Piece = Place & { bitmap: Bitmap }
export type Spoken = {
  pieces: readonly Piece[]
  /** One command each, in the order of the marks. */
  commands: readonly Uint8Array[]
}

export type Sheet = { width: number; height: number; dots: Dots }
/** The commands that stand for a mark; null: the printer cannot do it as it is drawn. `beside` are all marks of the label. */
export type Speaks = (mark: Mark, sheet: Sheet, beside: readonly Mark[]) => Uint8Array[] | null

export const placeOf = ({ left, top, width, height }: Box, dots: Dots): Place => ({
  ...{ left: dotsOfUm(left, dots), top: dotsOfUm(top, dots) },
  width: dotsOfUm(left + width, dots) - dotsOfUm(left, dots),
  height: dotsOfUm(top + height, dots) - dotsOfUm(top, dots),
})

export const isWithin = ({ left, top, width, height }: Place, sheet: Sheet): boolean =>
  left >= 0 && top >= 0 && left + width <= sheet.width && top + height <= sheet.height

export function spokenOf(scene: Scene, glyphs: Glyphs, dots: Dots, speaks: Speaks): Spoken {
  const sheet = { width: dotsOfUm(scene.width, dots), height: dotsOfUm(scene.height, dots), dots }
  const commands: Uint8Array[] = []
  const drawn: Mark[] = []
  for (const mark of scene.marks) {
    const said = speaks(mark, sheet, scene.marks)
    if (said) commands.push(...said)
    else drawn.push(mark)
  }
  return { commands, pieces: piecesOf(scene, drawn, glyphs, dots) }
}

/** Where they lie on or in each other they are one, so that none wipes out what another has drawn. */
function piecesOf(scene: Scene, marks: readonly Mark[], glyphs: Glyphs, dots: Dots): Piece[] {
  const places = marks.flatMap(mark => {
    const place = inkOf(rasterOf({ ...scene, marks: [mark] }, glyphs, dots))
    return place ? [place] : []
  })
  if (places.length === 0) return []
  const whole = rasterOf({ ...scene, marks }, glyphs, dots)
  return apart(places).map(place => ({ ...place, bitmap: cut(whole, place) }))
}

/** Around what is black, from whole byte to whole byte; null where nothing is. */
function inkOf(bitmap: Bitmap): Place | null {
  const across = bytesAcross(bitmap.width)
  let [left, right, top, bottom] = [across, -1, -1, -1]
  for (let at = 0; at < bitmap.rows.length; at++) {
    if (bitmap.rows[at] === 0) continue
    const [x, y] = [at % across, Math.floor(at / across)]
    if (top < 0) top = y
    bottom = y
    left = Math.min(left, x)
    right = Math.max(right, x)
  }
  return top < 0 ? null : { left: left * 8, top, width: (right - left + 1) * 8, height: bottom - top + 1 }
}

export const meets = (one: Place, other: Place): boolean =>
  one.left < other.left + other.width &&
  other.left < one.left + one.width &&
  one.top < other.top + other.height &&
  other.top < one.top + one.height

function apart(places: readonly Place[]): Place[] {
  const rest: Place[] = []
  for (const place of places) {
    let grown = place
    for (let met = rest.findIndex(one => meets(one, grown)); met >= 0; ) {
      grown = around(rest.splice(met, 1)[0] as Place, grown)
      met = rest.findIndex(one => meets(one, grown))
    }
    rest.push(grown)
  }
  return rest
}

function around(one: Place, other: Place): Place {
  const [left, top] = [Math.min(one.left, other.left), Math.min(one.top, other.top)]
  const right = Math.max(one.left + one.width, other.left + other.width)
  const bottom = Math.max(one.top + one.height, other.top + other.height)
  return { left, top, width: right - left, height: bottom - top }
}

function cut(from: Bitmap, { left, top, width, height }: Place): Bitmap {
  const [across, wide] = [bytesAcross(from.width), width / 8]
  const rows = new Uint8Array(wide * height)
  for (let y = 0; y < height; y++) {
    const at = (top + y) * across + left / 8
    rows.set(from.rows.subarray(at, at + wide), y * wide)
  }
  return { width, height, rows }
}

/** A filled box, as an underline or a rule; null for another shape. */
export const boxOf = (mark: Mark): Box | null =>
  mark.kind === 'shape' && mark.unit === 1 && RECTANGLE.test(mark.path) ? mark.box : null

const RECTANGLE = /^M0 0L(\d+) 0L\1 (\d+)L0 \2Z$/

export const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/** The bars of a mark's own code: what stands under them stands in their middle. */
export const barsAbove = (mark: Mark, marks: readonly Mark[]): BarsMark | undefined =>
  marks.find((one): one is BarsMark => one.kind === 'bars' && one.item !== null && one.item === mark.item)

/** Bytes that a QR code of correction M holds, by its version. */
const QR_BYTES = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213]

/** Whether every printer makes the code as large as it is drawn: it is no larger than plain bytes ask for. Unicode needs a mark that few know. */
export function isPlainQr({ content, box, module }: BarsMark): boolean {
  const version = (Math.round(box.width / module) - 17) / 4
  const most = QR_BYTES[version - 1] ?? 0
  return isAscii(content) && content.length <= most
}
