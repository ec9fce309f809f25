// Scenes as pages of a PDF: text stays text, in the font of the preview.
import type { Scene } from '#kit/print/scene.ts'

/** A page of each scene, of its very size. */
export async function pdfOf(_pages: readonly { scene: Scene }[]): Promise<Buffer> {
  throw new Error('not yet')
}
