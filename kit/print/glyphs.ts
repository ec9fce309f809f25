// Outlines of characters, as operation fonts.glyphs gives them: one font for the screen and for every printer.
import type { Um } from './units.ts'

/** Advance and outline in thousandths of the em; the outline is SVG data (M, L, Q, C, Z), y down from the baseline. */
export type Glyph = { advance: number; outline: string }

/** By character. What the font lacks is not in it. */
export type Glyphs = { regular: Readonly<Record<string, Glyph>>; bold: Readonly<Record<string, Glyph>> }

/** Characters of one question: an address that holds them, percent-encoded, has some three thousand. */
export const GLYPHS_MOST = 300

export const NO_GLYPHS: Glyphs = { regular: {}, bold: {} }

/** Of the font, in thousandths of the em. */
export const FACE = { ascent: 880, descent: 120, underlineTop: 100, underlineThick: 50 } as const

/** Stands for a character that the font lacks. */
const MISSING: Glyph = {
  advance: 1_000,
  outline: 'M100 -780L900 -780L900 20L100 20ZM150 -730L150 -30L850 -30L850 -730Z',
}

export const glyphOf = (glyphs: Glyphs, character: string, bold: boolean): Glyph =>
  glyphs[bold ? 'bold' : 'regular'][character] ?? MISSING

type Letters = { text: string; bold: boolean }

/** What the font lacks of some texts, each once: it becomes a box. */
export const lackedOf = (texts: readonly Letters[], glyphs: Glyphs): string[] => [
  ...new Set(
    texts.flatMap(({ text, bold }) =>
      [...text].filter(character => !glyphs[bold ? 'bold' : 'regular'][character]),
    ),
  ),
]

/** The sum of advances of a line. */
export function textWidth(glyphs: Glyphs, text: string, bold: boolean, size: Um): Um {
  let advance = 0
  for (const character of text) advance += glyphOf(glyphs, character, bold).advance
  return Math.round((advance * size) / 1_000)
}

/** Characters of texts, each once. */
export const charactersOf = (texts: Iterable<string>): string[] => [...new Set([...texts].join(''))].sort()
