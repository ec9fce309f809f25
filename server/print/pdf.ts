// Scenes as pages of a PDF: text stays text, in the font of the preview.
import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Scene } from '#kit/print/scene.ts'

const DRAWING = new URL(`./scenes-drawing${extname(import.meta.url)}`, import.meta.url)

/** A page of each scene, of its very size. Drawn in a thread of its own. */
export async function pdfOf(pages: readonly { scene: Scene }[], title = '标签'): Promise<Buffer> {
  if (pages.length === 0) throw new RangeError('a PDF has a page')
  const worker = new Worker(DRAWING, { workerData: { scenes: pages.map(({ scene }) => scene), title } })
  const [bytes] = (await once(worker, 'message')) as [Uint8Array]
  return Buffer.from(bytes)
}
