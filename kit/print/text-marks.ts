// Lines of text as marks: on whole dots, with what is longer than its place shrunk, wrapped or cut.
import { FACE, type Glyphs, textWidth } from './glyphs.ts'
import type { TextMark } from './scene.ts'
import { type Dots, snapped, type Um, umOfDots, umOfPoints } from './units.ts'

export type Press = { dots: Dots; glyphs: Glyphs }

export type TextAt = {
  item: string | null
  text: string
  left: Um
  top: Um
  /** The em. */
  size: Um
  bold: boolean
  underlined: boolean
}

/** The next line lies this much of the em below. */
export const LINE = 1.2

/** A line whose em box begins at left and top, moved to the nearest dot. */
export function textMark(at: TextAt, { dots, glyphs }: Press): TextMark {
  const { item, text, size, bold } = at
  const left = snapped(at.left, dots)
  const baseline = snapped(at.top + (size * FACE.ascent) / 1_000, dots)
  const width = textWidth(glyphs, text, bold, size)
  const thick = Math.max(umOfDots(1, dots), snapped((size * FACE.underlineThick) / 1_000, dots))
  const under = snapped(baseline + (size * FACE.underlineTop) / 1_000, dots)
  const underline = at.underlined ? { left, top: under, width: snapped(width, dots), height: thick } : null
  return { kind: 'text', item, text, left, baseline, size, bold, underline, width }
}

/** Control characters and runs of white as single spaces. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()

export const ELLIPSIS = '…'

type Width = (text: string) => Um

/** As much of the text as fits, with an ellipsis if it is not all. */
export function cutTo(text: string, most: Um, width: Width): string {
  if (width(text) <= most) return text
  const characters = [...text]
  while (characters.length > 0 && width(characters.join('') + ELLIPSIS) > most) characters.pop()
  return characters.join('').trimEnd() + ELLIPSIS
}

/** Numbers and Latin words stay whole; every other character may end a line. */
const PIECE = /[A-Za-z0-9.,:%+\-/_]+|./gu

/** Lines that fit; a word that is longer than a line is broken where it must be. */
export function wrapped(text: string, most: Um, width: Width): string[] {
  const lines: string[] = []
  let line = ''
  const end = () => {
    if (line.trim()) lines.push(line.trimEnd())
    line = ''
  }
  for (const piece of text.match(PIECE) ?? []) {
    if (width(line + piece) > most) end()
    if (width(piece) <= most) {
      if (line || piece !== ' ') line += piece
      continue
    }
    for (const character of piece) {
      if (line && width(line + character) > most) end()
      line += character
    }
  }
  end()
  return lines
}

const SHRUNK = { least: 5, step: 0.5 } as const

/** The largest size from `points` down to five at which the text fits, in points. */
export function shrunkTo(text: string, points: number, most: Um, glyphs: Glyphs, bold: boolean): number {
  let size = points
  while (size > SHRUNK.least && textWidth(glyphs, text, bold, umOfPoints(size)) > most)
    size = Math.max(SHRUNK.least, size - SHRUNK.step)
  return size
}
