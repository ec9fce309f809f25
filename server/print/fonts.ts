// The font of everything printed, with 20,000 Chinese characters: its files for documents, its outlines for pages.
import { readFile } from 'node:fs/promises'
import type { Font, PathCommand } from 'fontkit'
import type { Glyph, Glyphs } from '#kit/print/glyphs.ts'

export const WEIGHTS = { regular: 'Regular', bold: 'Bold' } as const
export type Weight = keyof typeof WEIGHTS

const FOLDER = new URL('../fonts/', import.meta.resolve('@embedpdf/fonts-sc'))

/** The bytes of the font's file. */
export const fontFile = (weight: Weight): Promise<Buffer> =>
  readFile(new URL(`NotoSansHans-${WEIGHTS[weight]}.otf`, FOLDER))

const opened: Partial<Record<Weight, Promise<Font>>> = {}

/** Opened once; some ten megabytes stay in memory for each weight. */
function fontOf(weight: Weight): Promise<Font> {
  opened[weight] ??= openFont(weight)
  return opened[weight]
}

async function openFont(weight: Weight): Promise<Font> {
  const [{ create }, bytes] = await Promise.all([import('fontkit'), fontFile(weight)])
  return create(bytes) as Font
}

const KEPT_MOST = 8_000
/** By weight and character; null for what the font lacks. */
const kept = new Map<string, Glyph | null>()

/** Outlines of characters in both weights; what the font lacks is left out. */
export async function glyphsOf(characters: Iterable<string>): Promise<Glyphs> {
  const wanted = [...new Set(characters)]
  const [regular, bold] = [await fontOf('regular'), await fontOf('bold')]
  return { regular: outlinesOf(wanted, 'regular', regular), bold: outlinesOf(wanted, 'bold', bold) }
}

const outlinesOf = (wanted: readonly string[], weight: Weight, font: Font): Record<string, Glyph> =>
  Object.fromEntries(
    wanted.flatMap(character => {
      const glyph = keptGlyph(character, weight, font)
      return glyph ? [[character, glyph] as const] : []
    }),
  )

function keptGlyph(character: string, weight: Weight, font: Font): Glyph | null {
  const key = `${weight} ${character}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const glyph = drawnGlyph(character.codePointAt(0) ?? 0, font)
  if (kept.size >= KEPT_MOST) kept.delete(kept.keys().next().value as string)
  kept.set(key, glyph)
  return glyph
}

function drawnGlyph(codePoint: number, font: Font): Glyph | null {
  if (!font.hasGlyphForCodePoint(codePoint)) return null
  const { advanceWidth, path } = font.glyphForCodePoint(codePoint)
  return { advance: advanceWidth, outline: path.commands.map(stepOf).join('') }
}

const LETTERS: Record<PathCommand['command'], string> = {
  moveTo: 'M',
  lineTo: 'L',
  quadraticCurveTo: 'Q',
  bezierCurveTo: 'C',
  closePath: 'Z',
}

/** The font counts upwards, pages count downwards. */
const stepOf = ({ command, args }: PathCommand): string =>
  LETTERS[command] + args.map((number, at) => Math.round(at % 2 ? -number : number)).join(' ')
