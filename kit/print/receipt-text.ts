// Owns how text is measured and wrapped by cells: a Chinese character takes two, a Latin one takes one. Never breaks a number that fits a line.

/** Two cells: Chinese and what is as wide, by their code. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2010, 0x2027],
  [0x2030, 0x205e],
  [0x2103, 0x2103],
  [0x2116, 0x2116],
  [0x2150, 0x22ff],
  [0x2460, 0x27bf],
  [0x2e80, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7ff],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f000, 0x1faff],
  [0x20000, 0x3ffff],
]

/** Signs and letters of two bytes that GB18030 printers draw as wide as a Chinese character: those of pinyin are among them. */
const WIDE_LATIN = new Set(
  [...'¤§¨°±·×÷àáèéêìíòóùúüāēěīńňōūǎǐǒǔǖǘǚǜǹɑɡˇˉˊˋ˙ḿ€℅℉℡⌒'].map(character => character.codePointAt(0)),
)

export function isWide(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  if (WIDE_LATIN.has(code)) return true
  if (code < 0x1100) return code >= 0x370 && code < 0x500
  return WIDE.some(([from, to]) => code >= from && code <= to)
}

export function cellsOf(text: string): number {
  let cells = 0
  for (const character of text) cells += isWide(character) ? 2 : 1
  return cells
}

/** A number with its sign, currency, unit of hundreds and percent, and a run of letters and digits: these stay whole. */
const PIECE = /\s+|[-+]?[¥￥]?[\p{Script=Latin}\d][\p{Script=Latin}\d.,:%/_-]*|./gsu

/** Characters that a printer or a page must not be sent. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is taken away.
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** What printers have no letter for, as they can say it. */
const TWINS: Readonly<Record<string, string>> = {
  '¥': '￥',
  '•': '·',
  '½': '1/2',
  '¼': '1/4',
  '¾': '3/4',
  '¹': '1',
  '²': '2',
  '³': '3',
  '™': 'TM',
  '®': '(R)',
  '©': '(C)',
}
const TWINNED = new RegExp(`[${Object.keys(TWINS).join('')}]`, 'g')
const BLANKS = /[\u00a0\u2000-\u200a\u202f\u205f]/g

export const plainText = (text: string): string =>
  text
    .replace(/\p{L}\p{M}+/gu, letter => letter.normalize('NFC'))
    .replace(CONTROLS, ' ')
    .replace(BLANKS, ' ')
    .replace(/\p{M}/gu, '')
    .replace(TWINNED, sign => TWINS[sign] ?? sign)

/** Lines of at most so many cells. A piece longer than a line is the one that is broken. */
export function wrapped(text: string, cells: number): string[] {
  return plainText(text)
    .split('\n')
    .flatMap(line => wrappedLine(line, cells))
}

function wrappedLine(text: string, cells: number): string[] {
  const lines: string[] = []
  let line = ''
  const next = () => {
    lines.push(line.trimEnd())
    line = ''
  }
  for (const piece of text.match(PIECE) ?? []) {
    const size = cellsOf(piece)
    if (piece.trim() === '') {
      if (line !== '' && cellsOf(line) + size <= cells) line += piece.replace(/\s/g, ' ')
      continue
    }
    if (cellsOf(line) + size <= cells) {
      line += piece
      continue
    }
    if (line !== '') next()
    for (const character of size <= cells ? [piece] : piece) {
      if (cellsOf(line) + cellsOf(character) > cells) next()
      line += character
    }
  }
  if (line.trim() !== '' || lines.length === 0) lines.push(line.trimEnd())
  return lines
}

/** The longest piece that must stay whole. */
export function longestPiece(text: string): number {
  return Math.max(0, ...(plainText(text).match(PIECE) ?? []).map(piece => cellsOf(piece.trim())))
}

export const padEnd = (text: string, cells: number): string =>
  text + ' '.repeat(Math.max(0, cells - cellsOf(text)))
export const padStart = (text: string, cells: number): string =>
  ' '.repeat(Math.max(0, cells - cellsOf(text))) + text

/** A name at the left edge and an amount at the right one; on lines of their own where they do not fit beside each other. */
export function between(left: string, right: string, cells: number): string[] {
  const names = wrapped(left, cells)
  if (right === '') return names
  const values = wrapped(right, cells)
  const [value = '', ...more] = values
  const last = names.at(-1) ?? ''
  const fits = cellsOf(last) + 1 + cellsOf(value) <= cells
  const first = fits ? [...names.slice(0, -1), last + padStart(value, cells - cellsOf(last))] : names
  return [...first, ...(fits ? more : values).map(line => padStart(line, cells))]
}
