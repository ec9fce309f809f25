// Finds codes in a thread of its own: the page itself may run no WebAssembly, this file's own policy lets it (app/pages.ts).
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { pictureOf, type Read } from '#kit/print/scanned.ts'
import type { Bitmap } from '#kit/print/scene.ts'

export type ScanAsked = { id: number; bitmap: Bitmap }
export type ScanAnswer = { id: number; reads: Read[] } | { id: number; failed: string }

prepareZXingModule({ overrides: { locateFile: () => wasm } })

async function scan({ id, bitmap }: ScanAsked): Promise<ScanAnswer> {
  try {
    const { data, width, height } = pictureOf(bitmap)
    const found = await readBarcodes(new ImageData(data, width, height), { maxNumberOfSymbols: 255 })
    return { id, reads: found.map(({ format, text }) => ({ format, text })) }
  } catch (failure) {
    return { id, failed: String(failure) }
  }
}

addEventListener('message', async ({ data }: MessageEvent<ScanAsked>) => postMessage(await scan(data)))
