// ZPL in the printer's own words: ^A0 for Latin and digits, a Chinese font where the printer has one, ^BE, ^BC, ^BQ and ^GB; what it
// cannot do is a ^GFA before them.
import { unprintable } from '../escpos-gb18030.ts'
import type { Glyphs } from '../glyphs.ts'
import type { BarsMark, Mark, Scene, TextMark } from '../scene.ts'
import { ascii, joined, type LabelJob } from '../tspl.ts'
import { dotsOfUm } from '../units.ts'
import { type Deflate, ZPL_FONT, zplAround, zplBitmap } from '../zpl.ts'
import {
  barsAbove,
  boxOf,
  isAscii,
  isPlainQr,
  isWithin,
  type Place,
  placeOf,
  type Sheet,
  spokenOf,
} from './native.ts'

export type ZplFonts = {
  deflate?: Deflate | undefined
  /** As the printer names it: E:SIMSUN.TTF. Without it Chinese is drawn. */
  chineseFont?: string | null
}

export async function zplNative(
  scene: Scene,
  glyphs: Glyphs,
  job: LabelJob,
  { deflate, chineseFont = null }: ZplFonts = {},
): Promise<Uint8Array> {
  if (chineseFont !== null && !ZPL_FONT.test(chineseFont)) throw new RangeError(`no font ${chineseFont}`)
  const { pieces, commands } = spokenOf(scene, glyphs, job.dots, (mark, sheet, beside) =>
    speaks(mark, sheet, beside, chineseFont),
  )
  const drawn = await Promise.all(
    pieces.map(({ left, top, bitmap }) => zplBitmap(bitmap, { left, top }, deflate)),
  )
  const sheet = { width: dotsOfUm(scene.width, job.dots), height: dotsOfUm(scene.height, job.dots) }
  const { before, after } = zplAround(sheet, job)
  return joined([
    ascii(`${before}^CI28\n`),
    ...drawn.map(one => ascii(`${one}\n`)),
    ...commands,
    ascii(after),
  ])
}

function speaks(
  mark: Mark,
  sheet: Sheet,
  beside: readonly Mark[],
  chineseFont: string | null,
): Uint8Array[] | null {
  if (mark.kind === 'text') return textCommands(mark, sheet, beside, chineseFont)
  if (mark.kind === 'bars') return codeCommand(mark, sheet)
  const box = boxOf(mark)
  if (!box) return null
  const place = placeOf(box, sheet.dots)
  return isWithin(place, sheet) ? [line(`^FO${place.left},${place.top}${filled(place)}`)] : null
}

const line = (text: string) => ascii(`${text}^FS\n`)
const filled = ({ width, height }: Place) => `^GB${width},${height},${Math.min(width, height)}`

const SIZES = { least: 10, most: 1_500 } as const

function textCommands(
  mark: TextMark,
  sheet: Sheet,
  beside: readonly Mark[],
  chineseFont: string | null,
): Uint8Array[] | null {
  const size = dotsOfUm(mark.size, sheet.dots)
  const isLatin = isAscii(mark.text)
  const canSay = isLatin || (chineseFont !== null && unprintable(mark.text).length === 0)
  const [left, baseline] = [dotsOfUm(mark.left, sheet.dots), dotsOfUm(mark.baseline, sheet.dots)]
  const width = dotsOfUm(mark.width, sheet.dots)
  const below = Math.ceil(size / 4)
  const place = { left, top: baseline - size, width, height: size + below }
  if (!canSay || size < SIZES.least || size > SIZES.most || !isWithin(place, sheet)) return null
  const font = isLatin
    ? `^A0N,${size},${latinWidth(mark.text, size, width)}`
    : `^A@N,${size},${size},${chineseFont}`
  const centred = barsAbove(mark, beside) ? `^FB${width},1,0,C` : ''
  const under = mark.underline && placeOf(mark.underline, sheet.dots)
  if (under && !isWithin(under, sheet)) return null
  return [
    line(`^FT${left},${baseline}${font}${centred}^FH_^FD${escaped(mark.text)}`),
    ...(under ? [line(`^FO${under.left},${under.top}${filled(under)}`)] : []),
  ]
}

/** Of the em, how much wider its hyphen is than ours; all other letters are about as wide or narrower. */
const HYPHEN_WIDER = 0.46

/** As wide as high, or less where it would be wider than ours. */
function latinWidth(text: string, size: number, room: number): number {
  const hyphens = text.split('-').length - 1
  return Math.max(1, Math.floor((size * room) / (room + hyphens * HYPHEN_WIDER * size)))
}

/** What begins a command, and in blocks of text a backslash, as its number. */
const escaped = (text: string): string =>
  text.replace(/[\^~_\\]/g, sign => `_${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** ^BE draws the outer and middle bars longer than the others. */
const GUARD_DOTS = 10
/** ^BQ prints so many dots below where it is told to. */
const QR_BELOW_DOTS = 10

function codeCommand(mark: BarsMark, sheet: Sheet): Uint8Array[] | null {
  const { symbology, content } = mark
  const { left, top, height, ...rest } = placeOf(mark.box, sheet.dots)
  const module = dotsOfUm(mark.module, sheet.dots)
  if (module > 10 || !isWithin({ left, top, height, ...rest }, sheet)) return null
  if (symbology === 'qrcode') {
    if (top < QR_BELOW_DOTS || !isPlainQr(mark)) return null
    return [line(`^FO${left},${top - QR_BELOW_DOTS}^BQN,2,${module}^FH_^FDMA,${escaped(content)}`)]
  }
  const at = `^FO${left},${top}^BY${module}`
  // The printer finds the check digit itself.
  if (symbology === 'ean13')
    return height > GUARD_DOTS
      ? [line(`${at}^BEN,${height - GUARD_DOTS},N,N^FD${content.slice(0, -1)}`)]
      : null
  // > begins words of its own, and EAN-8 nobody could read back.
  if (symbology === 'ean8' || content.includes('>')) return null
  return [line(`${at}^BCN,${height},N,N,N,A^FH_^FD${escaped(content)}`)]
}
