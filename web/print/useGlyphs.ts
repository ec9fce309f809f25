// The outlines a page needs, asked of the server once for each character.
import { routes } from 'virtual:routes/fonts'
import { useEffect, useSyncExternalStore } from 'react'
import { GLYPHS_MOST, type Glyphs, NO_GLYPHS } from '#kit/print/glyphs.ts'
import { api } from '../client/api.ts'

/** Of features/print/fonts. */
const { glyphs: ask } = api('fonts', routes) as {
  glyphs: (input: { characters: string }) => Promise<Glyphs>
}

let known = NO_GLYPHS
/** Answered, also those that the font lacks. */
const answered = new Set<string>()
const waiting = new Map<string, Promise<void>>()
const listeners = new Set<() => void>()
const AGAIN_MS = 3_000

function tell(): void {
  known = { ...known }
  for (const listener of listeners) listener()
}

async function askFor(characters: readonly string[]): Promise<void> {
  try {
    const { regular, bold } = await ask({ characters: characters.join('') })
    known = { regular: { ...known.regular, ...regular }, bold: { ...known.bold, ...bold } }
    for (const character of characters) answered.add(character)
    tell()
  } catch (failure) {
    setTimeout(tell, AGAIN_MS)
    throw failure
  } finally {
    for (const character of characters) waiting.delete(character)
  }
}

/** Glyphs that hold these characters, in both weights. */
export async function glyphsFor(characters: readonly string[]): Promise<Glyphs> {
  const fresh = characters.filter(character => !answered.has(character) && !waiting.has(character))
  for (let from = 0; from < fresh.length; from += GLYPHS_MOST) {
    const part = fresh.slice(from, from + GLYPHS_MOST)
    const asking = askFor(part)
    for (const character of part) waiting.set(character, asking)
  }
  await Promise.all(new Set(characters.map(character => waiting.get(character))))
  return known
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Null until the first are here; later, what is on its way is a box for a moment. What the font lacks stays one. */
export function useGlyphs(characters: readonly string[]): Glyphs | null {
  const glyphs = useSyncExternalStore(listen, () => known)
  const missing = characters.filter(character => !answered.has(character)).join('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a failed question is put again when the store tells of it
  useEffect(() => {
    if (missing) glyphsFor([...missing]).catch(() => undefined)
  }, [missing, glyphs])
  return missing && glyphs === NO_GLYPHS ? null : glyphs
}
