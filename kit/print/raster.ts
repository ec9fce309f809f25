// A scene as dots: the very bitmap a printer is sent.
import type { Glyphs } from './glyphs.ts'
import type { Bitmap, Scene } from './scene.ts'
import type { Dots } from './units.ts'

/** The same dots in Node and in every browser. */
export function rasterOf(_scene: Scene, _glyphs: Glyphs, _dots: Dots): Bitmap {
  throw new Error('not yet')
}
