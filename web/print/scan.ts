// Reads codes back from the very bitmap that is printed.

import { pictureOf, type Read } from '#kit/print/scanned.ts'
import type { Bitmap } from '#kit/print/scene.ts'

/** Fetched where something is scanned, from our own origin. */
async function loadReader() {
  const [{ prepareZXingModule, readBarcodes }, { default: wasm }] = await Promise.all([
    import('zxing-wasm/reader'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ])
  prepareZXingModule({ overrides: { locateFile: () => wasm } })
  return readBarcodes
}
let reader: ReturnType<typeof loadReader> | null = null

/** Every code that is found. */
export async function scanBitmap(bitmap: Bitmap): Promise<Read[]> {
  reader ??= loadReader()
  const readBarcodes = await reader.catch((failure: unknown) => {
    reader = null
    throw failure
  })
  const { data, width, height } = pictureOf(bitmap)
  const found = await readBarcodes(new ImageData(data, width, height), { maxNumberOfSymbols: 255 })
  return found.map(({ format, text }) => ({ format, text }))
}
