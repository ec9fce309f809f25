// What a reader of codes is shown of a bitmap, and whether it found what the scene holds.
import { isBlack } from './raster.ts'
import type { Bitmap, Scene, Symbology } from './scene.ts'

export type Read = { format: string; text: string }

export type Picture = { data: Uint8ClampedArray<ArrayBuffer>; width: number; height: number }

/** Pixels of a dot: readers miss what is one pixel wide. Bitmaps of fine printers have several dots where it matters. */
const enlargedBy = ({ width }: Bitmap): number => (width > 1_000 ? 1 : 2)
/** White around it, in dots: as the backing paper of a label. */
const MARGIN = 8

/** Red, green, blue and cover of each pixel. */
export function pictureOf(bitmap: Bitmap): Picture {
  const by = enlargedBy(bitmap)
  const [width, height] = [(bitmap.width + 2 * MARGIN) * by, (bitmap.height + 2 * MARGIN) * by]
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  const pixels = new Uint32Array(data.buffer)
  for (let y = 0; y < bitmap.height; y++)
    for (let x = 0; x < bitmap.width; x++) {
      if (!isBlack(bitmap, x, y)) continue
      for (let down = 0; down < by; down++) {
        const at = ((y + MARGIN) * by + down) * width + (x + MARGIN) * by
        pixels.fill(BLACK, at, at + by)
      }
    }
  return { data, width, height }
}

/** Whatever the order of bytes: it is used as its own bytes. */
const BLACK = new Uint32Array(new Uint8Array([0, 0, 0, 255]).buffer)[0] as number

/** By zxing's names, without their marks. */
const FORMATS: Record<string, Symbology> = {
  ean13: 'ean13',
  ean8: 'ean8',
  code128: 'code128',
  qrcode: 'qrcode',
  qrcodemodel2: 'qrcode',
}

export const symbologyRead = (format: string): Symbology | null =>
  FORMATS[format.toLowerCase().replace(/[^a-z0-9]/g, '')] ?? null

/** Items of the scene whose code was not read back as it is. */
export const unreadItems = (scene: Scene, reads: readonly Read[]): string[] =>
  scene.marks.flatMap(mark => {
    if (mark.kind !== 'bars' || mark.item === null) return []
    const isRead = reads.some(
      ({ format, text }) => symbologyRead(format) === mark.symbology && text === mark.content,
    )
    return isRead ? [] : [mark.item]
  })
