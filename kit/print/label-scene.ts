// A label with data, laid out to the dot.
import type { Glyphs } from './glyphs.ts'
import type { Label, LabelData } from './label.ts'
import type { Scene } from './scene.ts'
import type { Dots } from './units.ts'

export type Press = { dots: Dots; glyphs: Glyphs }

/** The characters this label shows with these data (to ask glyphs for). */
export function labelCharacters(_label: Label, ..._data: readonly LabelData[]): string[] {
  throw new Error('not yet')
}

/** The background is never in it, nor items at or below the lower edge. */
export function sceneOf(_label: Label, _data: LabelData, _press: Press): Scene {
  throw new Error('not yet')
}
