// A scene as SVG in true millimetres, with text as outlines.
import type { Glyphs } from './glyphs.ts'
import type { Scene } from './scene.ts'

/** A whole svg element; `<g data-item>` around each mark. */
export function svgOf(_scene: Scene, _glyphs: Glyphs): string {
  throw new Error('not yet')
}
