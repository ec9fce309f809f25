// A scene on the screen, drawn from what is printed.
import type { Glyphs } from '#kit/print/glyphs.ts'
import type { Scene } from '#kit/print/scene.ts'

export type PreviewProps = { scene: Scene; glyphs: Glyphs; label: string; className?: string }

/** Fills the width it is given; `label` is what is read aloud. */
export function Preview(_props: PreviewProps) {
  return null
}
