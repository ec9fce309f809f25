// The modules of barcodes and QR codes, for every printer and the screen alike; the only file that knows bwip-js.
import { code128, type DrawingContext, ean8, ean13, qrcode, type RenderOptions } from 'bwip-js/generic'
import type { Symbology } from './scene.ts'

/** Dark modules, in modules from left and top; `height` is 1 for bars. */
export type Code = {
  symbology: Symbology
  /** What a scanner answers. */
  content: string
  width: number
  height: number
  rects: readonly Modules[]
  /** Modules of white it needs beyond itself; `end` is above and below. */
  quiet: { left: number; right: number; end: number }
}
type Modules = { left: number; top: number; width: number; height: number }

const QUIET = {
  ean13: { left: 11, right: 7, end: 0 },
  ean8: { left: 7, right: 7, end: 0 },
  code128: { left: 10, right: 10, end: 0 },
  qrcode: { left: 4, right: 4, end: 4 },
} as const satisfies Record<Symbology, Code['quiet']>

const BARCODES = { ean13, ean8, code128 }

/** Of digits without their last, by the rule of GS1. */
export function checkDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((all, digit, at) => all + Number(digit) * (at % 2 ? 1 : 3), 0)
  return (10 - (sum % 10)) % 10
}

/** Thirteen or eight digits: what the last should be, where it is another. */
export function wrongCheckDigit(text: string): number | null {
  if (!/^(\d{13}|\d{8})$/.test(text)) return null
  const right = checkDigit(text.slice(0, -1))
  return right === Number(text.at(-1)) ? null : right
}

/** Bars hold plain ASCII alone. */
export const fitsBars = (text: string): boolean => /^[\x20-\x7e]{1,80}$/.test(text)

function symbologyOf(text: string): 'ean13' | 'ean8' | 'code128' {
  if (!/^(\d{13}|\d{8})$/.test(text) || wrongCheckDigit(text) !== null) return 'code128'
  return text.length === 13 ? 'ean13' : 'ean8'
}

/** EAN-13 or EAN-8 for digits whose check digit is right, else Code 128; null for nothing and for what bars cannot hold. */
export function barcodeOf(text: string): Code | null {
  const content = text.trim()
  if (!fitsBars(content)) return null
  const symbology = symbologyOf(content)
  return remembered(`${symbology} ${content}`, () => {
    const bars = drawnBars(context => BARCODES[symbology](drawing(content), context))
    const width = Math.max(...bars.map(bar => bar.left + bar.width))
    return { symbology, content, width, height: 1, rects: bars, quiet: QUIET[symbology] }
  })
}

const ADDRESS = /^https?:\/\//i

/** Unicode by ECI 26; addresses are percent-encoded. Null for nothing, or for more than a QR code holds. */
export function qrOf(text: string): Code | null {
  const trimmed = text.trim().toWellFormed()
  if (!trimmed) return null
  const content = ADDRESS.test(trimmed) ? trimmed.replace(/[^\x21-\x7e]+/gu, encodeURIComponent) : trimmed
  return remembered(`qrcode ${content}`, () => {
    // Without the ECI mark scanners guess the encoding, and guess Japanese.
    const isAscii = /^[\x20-\x7e]+$/.test(content)
    const options = isAscii
      ? drawing(content)
      : { ...drawing(`^ECI000026${content.replaceAll('^', '^^')}`), parsefnc: true }
    const corrected: RenderOptions & { eclevel: string } = { ...options, eclevel: 'M' }
    const { side, rects } = drawnMatrix(context => qrcode(corrected, context))
    return { symbology: 'qrcode', content, width: side, height: side, rects, quiet: QUIET.qrcode }
  })
}

const KEPT_MOST = 200
const kept = new Map<string, Code | null>()

/** Codes are asked for again at each move of an item. What does not fit its symbology is null. */
function remembered(key: string, make: () => Code): Code | null {
  const known = kept.get(key)
  if (known !== undefined) return known
  if (kept.size >= KEPT_MOST) kept.delete(kept.keys().next().value as string)
  let made: Code | null = null
  try {
    made = make()
  } catch (error) {
    // bwip-js says by its message alone that there is too much for a code.
    if (!/bwipp\.|bwip-js/.test(String(error))) throw error
  }
  kept.set(key, made)
  return made
}

const drawing = (text: string): RenderOptions => ({ bcid: '', text, scale: 1 })

const nothing = () => undefined

/** A surface that draws nothing but what is given. */
const surface = (own: Partial<DrawingContext<void>>): DrawingContext<void> => ({
  scale: (across, down) => [across, down],
  measure: () => ({ width: 0, ascent: 0, descent: 0 }),
  init: nothing,
  line: nothing,
  polygon: nothing,
  hexagon: nothing,
  ellipse: nothing,
  fill: nothing,
  text: nothing,
  end: nothing,
  ...own,
})

function drawnBars(draw: (context: DrawingContext<void>) => void): Modules[] {
  const bars: Modules[] = []
  // A line of an odd width lies half a module left of where it is said to be.
  const line = (middle: number, _y: number, _x1: number, _y1: number, width: number) =>
    bars.push({ left: middle - Math.ceil(width / 2), top: 0, width, height: 1 })
  draw(surface({ line }))
  return bars
}

/** Of a matrix at scale 1. */
const UNITS_BY_MODULE = 2

/** Its dark areas come as polygons, which become runs of modules by the rule of even and odd. */
function drawnMatrix(draw: (context: DrawingContext<void>) => void): { side: number; rects: Modules[] } {
  let side = 0
  const edges: { column: number; from: number; to: number }[] = []
  draw(
    surface({
      init: width => {
        side = width / UNITS_BY_MODULE
      },
      polygon: points => {
        for (const [at, [x, y]] of points.entries()) {
          const [nextX, nextY] = points[(at + 1) % points.length] as [number, number]
          if (x === nextX)
            edges.push({
              column: x / UNITS_BY_MODULE,
              from: Math.min(y, nextY) / UNITS_BY_MODULE,
              to: Math.max(y, nextY) / UNITS_BY_MODULE,
            })
        }
      },
    }),
  )
  const rects: Modules[] = []
  for (let top = 0; top < side; top++) {
    const columns = edges
      .filter(({ from, to }) => from <= top && top < to)
      .map(({ column }) => column)
      .sort((one, other) => one - other)
    for (let at = 0; at + 1 < columns.length; at += 2) {
      const [left, right] = [columns[at] as number, columns[at + 1] as number]
      if (right > left) rects.push({ left, top, width: right - left, height: 1 })
    }
  }
  return { side, rects }
}
