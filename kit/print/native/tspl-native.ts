// TSPL in the printer's own words: TEXT in its Chinese font, BARCODE, QRCODE, BAR; what it cannot do is a BITMAP before them.
import { gb18030, unprintable } from '../escpos-gb18030.ts'
import { FACE, type Glyphs } from '../glyphs.ts'
import { type BarsMark, type Mark, markBox, type Scene, type TextMark } from '../scene.ts'
import { ascii, joined, type LabelJob, tsplAround, tsplBitmap } from '../tspl.ts'
import { dotsOfUm } from '../units.ts'
import {
  barsAbove,
  boxOf,
  isAscii,
  isPlainQr,
  isWithin,
  meets,
  type Place,
  placeOf,
  type Sheet,
  spokenOf,
} from './native.ts'

type Font = { name: string; width: number; height: number }
/** Chinese of 24 dots, Latin half as wide. */
const CHINESE: Font = { name: 'TSS24.BF2', width: 12, height: 24 }
const LATIN: readonly Font[] = [
  CHINESE,
  { name: '1', width: 8, height: 12 },
  { name: '2', width: 12, height: 20 },
  { name: '3', width: 16, height: 24 },
  { name: '4', width: 24, height: 32 },
  { name: '5', width: 32, height: 48 },
]
/** Enlarged by whole numbers alone. */
const ENLARGED_MOST = 10
/** Of the drawn size: letters a little larger (24 dots for 8 points), and no smaller than three quarters. */
const SIZES = { most: 1.07, least: 0.75 } as const
const BACKSLASH = 0x5c

/** The marks of the scene, in the letters of the printer where they are near enough. */
export function tsplNative(scene: Scene, glyphs: Glyphs, job: LabelJob): Uint8Array {
  const { pieces, commands } = spokenOf(scene, glyphs, job.dots, speaks)
  const { before, after } = tsplAround(job)
  return joined([
    before,
    ...pieces.flatMap(({ left, top, bitmap }) => [tsplBitmap(bitmap, left, top), ascii('\r\n')]),
    ...commands,
    after,
  ])
}

function speaks(mark: Mark, sheet: Sheet, beside: readonly Mark[]): Uint8Array[] | null {
  if (mark.kind === 'text') return textCommands(mark, sheet, beside)
  if (mark.kind === 'bars') return codeCommand(mark, sheet)
  const box = boxOf(mark)
  if (!box) return null
  const place = placeOf(box, sheet.dots)
  return isWithin(place, sheet) ? [bar(place)] : null
}

const bar = ({ left, top, width, height }: Place) => ascii(`BAR ${left},${top},${width},${height}\r\n`)

type Set = { font: Font; enlarged: number; width: number; height: number }

/** The largest letters of the printer that are near our size and not much wider; null: there are none. */
function setIn(fonts: readonly Font[], cells: number, em: number, room: number): Set | null {
  let best: Set | null = null
  for (const font of fonts) {
    const enlarged = Math.min(ENLARGED_MOST, Math.floor((em * SIZES.most) / font.height))
    const [width, height] = [cells * font.width * enlarged, font.height * enlarged]
    const isFine = height >= em * SIZES.least && width <= room * SIZES.most
    if (isFine && (!best || height > best.height)) best = { font, enlarged, width, height }
  }
  return best
}

function textCommands(mark: TextMark, sheet: Sheet, beside: readonly Mark[]): Uint8Array[] | null {
  const bytes = gb18030(mark.text)
  // A second byte that looks like a backslash is one to some printers.
  if (unprintable(mark.text).length > 0 || bytes.includes(BACKSLASH)) return null
  const room = dotsOfUm(mark.width, sheet.dots)
  const em = (mark.size * sheet.dots) / 1_000
  const set = setIn(isAscii(mark.text) ? LATIN : [CHINESE], bytes.length, em, room)
  if (!set) return null
  const { font, enlarged, width, height } = set
  const spare = barsAbove(mark, beside) ? Math.floor((room - width) / 2) : 0
  const left = dotsOfUm(mark.left, sheet.dots) + spare
  const top = dotsOfUm(mark.baseline, sheet.dots) - Math.round((height * FACE.ascent) / 1_000)
  const place = { left, top, width: width + 1, height }
  if (!isWithin(place, sheet) || (width > room && !isFree(place, mark, beside, sheet))) return null
  const line = mark.underline && { ...placeOf(mark.underline, sheet.dots), left, width }
  if (line && !isWithin(line, sheet)) return null
  const text = (x: number) =>
    joined([
      ascii(`TEXT ${x},${top},"${font.name}",0,${enlarged},${enlarged},"`),
      quoted(bytes),
      ascii('"\r\n'),
    ])
  // Bold is printed twice, a dot apart.
  return [text(left), ...(mark.bold ? [text(left + 1)] : []), ...(line ? [bar(line)] : [])]
}

const isFree = (place: Place, mark: Mark, beside: readonly Mark[], { dots }: Sheet): boolean =>
  beside.every(one => one === mark || !meets(placeOf(markBox(one), dots), place))

const QUOTE = 0x22

/** A quote stands as \["]. No byte of a Chinese character is a quote. */
const quoted = (bytes: Uint8Array): Uint8Array =>
  Uint8Array.from([...bytes].flatMap(byte => (byte === QUOTE ? [BACKSLASH, 0x5b, QUOTE, 0x5d] : [byte])))

function codeCommand(mark: BarsMark, sheet: Sheet): Uint8Array[] | null {
  const { symbology, content } = mark
  const place = placeOf(mark.box, sheet.dots)
  const module = dotsOfUm(mark.module, sheet.dots)
  if (!isWithin(place, sheet) || /["\\]/.test(content)) return null
  const at = `${place.left},${place.top}`
  if (symbology === 'qrcode') {
    const isFine = isPlainQr(mark) && module <= 10
    return isFine ? [ascii(`QRCODE ${at},M,${module},A,0,M2,S7,"${content}"\r\n`)] : null
  }
  if (module > 10) return null
  const kind = { ean13: 'EAN13', ean8: 'EAN8', code128: '128' }[symbology]
  // The printer finds the check digit itself.
  const data = symbology === 'code128' ? content : content.slice(0, -1)
  return [ascii(`BARCODE ${at},"${kind}",${place.height},0,0,${module},${module},"${data}"\r\n`)]
}
