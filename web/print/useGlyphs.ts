// The outlines a page needs, asked of the server once for each character.
import type { Glyphs } from '#kit/print/glyphs.ts'

/** Glyphs that hold these characters, in both weights; null until they are here. */
export function useGlyphs(_characters: readonly string[]): Glyphs | null {
  throw new Error('not yet')
}
