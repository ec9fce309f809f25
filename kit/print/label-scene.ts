// A label with data, laid out to the dot.
import { barcodeOf, type Code, qrOf } from './codes.ts'
import { textWidth } from './glyphs.ts'
import type { Label, LabelData, LabelItem } from './label.ts'
import { contentOf, textOf } from './label-text.ts'
import type { BarsMark, Box, Mark, Scene, ShapeMark } from './scene.ts'
import { cutTo, LINE, type Press, shrunkTo, textMark, wrapped } from './text-marks.ts'
import { dotsOfUm, snapped, type Um, umOfDots, umOfPoints } from './units.ts'
import { WASHING, WASHING_SIDE, washingPath } from './washing.ts'

/** An item laid out, with what its faults are judged by. */
export type Laid = {
  marks: Mark[]
  /** Text that is not all there. */
  isCut: boolean
  /** What the code should hold; null: no code is wanted. */
  content: string | null
}

/** Items at or below the lower edge are dropped on save (D3 §5). */
export const isBelow = (item: LabelItem, label: Label): boolean => item.top >= label.height

export const itemsKept = (label: Label): LabelItem[] => label.items.filter(item => !isBelow(item, label))

/** The background is never in it, nor items at or below the lower edge. */
export const sceneOf = (label: Label, data: LabelData, press: Press): Scene => ({
  width: label.width,
  height: label.height,
  marks: itemsKept(label).flatMap(item => layItem(item, label, data, press).marks),
})

export function layItem(item: LabelItem, label: Label, data: LabelData, press: Press): Laid {
  if (item.kind === 7) return layQr(item, data, press)
  if (item.kind === 12 && item.washingDisplay !== 3) return layWashing(item, label, press)
  if (item.kind === 4 && item.codeDisplay !== 3) return layBarcode(item, data, press)
  return layText(item, textOf(item, data), label, press)
}

const isBold = ({ fontStyle }: LabelItem) => fontStyle === 1 || fontStyle === 5
const isUnderlined = ({ fontStyle }: LabelItem) => fontStyle === 4 || fontStyle === 5

/** Where an item's text has to end. */
const roomOf = (item: LabelItem, label: Label): Um => Math.max(0, item.width ?? label.width - item.left)

function layText(item: LabelItem, text: string, label: Label, press: Press): Laid {
  const bold = isBold(item)
  const room = roomOf(item, label)
  const points =
    item.fit === 'shrink' ? shrunkTo(text, item.fontSize, room, press.glyphs, bold) : item.fontSize
  const size = umOfPoints(points)
  const widthOf = (part: string) => textWidth(press.glyphs, part, bold, size)
  const whole = text ? [text] : []
  const lines =
    item.fit === 'wrap'
      ? wrapped(text, room, widthOf)
      : item.fit === 'cut'
        ? whole.map(line => cutTo(line, room, widthOf))
        : whole
  const { id, left } = item
  const marks = lines.map((line, at) => {
    const top = item.top + Math.round(at * LINE * size)
    return textMark({ item: id, text: line, left, top, size, bold, underlined: isUnderlined(item) }, press)
  })
  return { marks, isCut: item.fit === 'cut' && lines[0] !== whole[0], content: null }
}

/** Millimetres of one module (D3 §9: 230 and 345 points of the screen for 95 modules). */
export const MODULE_MM = { 1: 0.25, 2: 0.375 } as const

/** Between the bars and their digits. */
const DIGITS_BELOW: Um = 300

function layBarcode(item: LabelItem, data: LabelData, press: Press): Laid {
  const content = contentOf(item, data)
  const code = barcodeOf(content)
  if (!code) return { marks: [], isCut: false, content }
  const module = Math.max(1, Math.floor(MODULE_MM[item.barWidth] * press.dots))
  const height = Math.max(1, dotsOfUm(item.barHeight, press.dots))
  const bars = barsMark(item, code, { left: item.left, top: item.top, module, height }, press)
  const marks: Mark[] = [bars]
  if (item.codeDisplay === 1) {
    const size = umOfPoints(item.fontSize)
    const width = textWidth(press.glyphs, code.content, isBold(item), size)
    const left = bars.box.left + Math.round((bars.box.width - width) / 2)
    const top = bars.box.top + bars.box.height + DIGITS_BELOW
    const text = { item: item.id, text: code.content, left, top, size }
    marks.push(textMark({ ...text, bold: isBold(item), underlined: isUnderlined(item) }, press))
  }
  return { marks, isCut: false, content }
}

function layQr(item: LabelItem, data: LabelData, press: Press): Laid {
  const content = contentOf(item, data)
  const code = qrOf(content)
  if (!code) return { marks: [], isCut: false, content }
  const side = dotsOfUm(item.qrSize, press.dots)
  const module = Math.max(1, Math.floor(side / code.width))
  // What the modules leave of the square is shared out around them.
  const spare = umOfDots(Math.max(0, (side - module * code.width) >> 1), press.dots)
  const at = { left: item.left + spare, top: item.top + spare, module, height: module }
  return { marks: [barsMark(item, code, at, press)], isCut: false, content }
}

/** In dots: the module, and the height of one row. */
type CodeAt = { left: Um; top: Um; module: number; height: number }

function barsMark(item: LabelItem, code: Code, at: CodeAt, { dots }: Press): BarsMark {
  const [left, top] = [dotsOfUm(at.left, dots), dotsOfUm(at.top, dots)]
  /** Edges are rounded, not widths: so they meet. */
  const box = (x: number, y: number, width: number, height: number): Box => {
    const [boxLeft, boxTop] = [umOfDots(left + x, dots), umOfDots(top + y, dots)]
    const [right, bottom] = [umOfDots(left + x + width, dots), umOfDots(top + y + height, dots)]
    return { left: boxLeft, top: boxTop, width: right - boxLeft, height: bottom - boxTop }
  }
  const inUm = (modules: number) => umOfDots(modules * at.module, dots)
  return {
    kind: 'bars',
    item: item.id,
    symbology: code.symbology,
    content: code.content,
    module: umOfDots(at.module, dots),
    box: box(0, 0, code.width * at.module, code.height * at.height),
    quiet: { left: inUm(code.quiet.left), right: inUm(code.quiet.right), end: inUm(code.quiet.end) },
    rects: code.rects.map(rect =>
      box(
        ...([rect.left * at.module, rect.top * at.height] as const),
        ...([rect.width * at.module, rect.height * at.height] as const),
      ),
    ),
  }
}

/** Between icons, and between an icon and its words. */
const ICON_GAP: Um = 500

/** Icons in a row, with words under them if asked; what does not fit goes on below. */
function layWashing(item: LabelItem, label: Label, press: Press): Laid {
  const side = Math.max(umOfDots(1, press.dots), snapped(item.iconSize, press.dots))
  const size = umOfPoints(item.fontSize)
  const bold = isBold(item)
  const hasWords = item.washingDisplay === 1
  const room = roomOf(item, label)
  const down = side + ICON_GAP + (hasWords ? Math.round(LINE * size) : 0)
  const marks: Mark[] = []
  let [left, top] = [0, item.top]
  for (const key of item.washing) {
    const words = WASHING[key]
    const wide = hasWords ? textWidth(press.glyphs, words, bold, size) : 0
    const cell = Math.max(side, wide)
    if (left > 0 && left + cell > room) {
      left = 0
      top += down
    }
    const middle = item.left + left + Math.round(cell / 2)
    marks.push(icon(item, washingPath(key), middle - (side >> 1), top, side, press))
    if (hasWords) {
      const at = { left: middle - (wide >> 1), top: top + side + (ICON_GAP >> 1), size, bold }
      marks.push(textMark({ item: item.id, text: words, underlined: isUnderlined(item), ...at }, press))
    }
    left += cell + ICON_GAP
  }
  return { marks, isCut: false, content: null }
}

function icon(item: LabelItem, path: string, left: Um, top: Um, side: Um, { dots }: Press): ShapeMark {
  const box = { left: snapped(left, dots), top: snapped(top, dots), width: side, height: side }
  return { kind: 'shape', item: item.id, box, path, unit: side / WASHING_SIDE }
}
