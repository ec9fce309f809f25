// A mark of who looks, tiled over a paper's pixels: what is photographed from a screen says whose screen it was.
import { fileURLToPath } from 'node:url'

/** Of the shorter side of a paper: small enough to be read through, large enough to survive a photograph. */
const SIZE_SHARE = 0.03
const SIZE_LEAST = 13
const SLANT = -24
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 }
const GAP = 24

const FONT = fileURLToPath(
  new URL('../fonts/NotoSansHans-Medium.otf', import.meta.resolve('@embedpdf/fonts-sc')),
)

/** The picture as PNG with `text` all over it. */
export async function marked(bytes: Buffer, text: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const picture = sharp(bytes)
  const { width = 0, height = 0 } = await picture.metadata()
  const size = Math.max(SIZE_LEAST, Math.round(Math.min(width, height) * SIZE_SHARE))
  const line = await sharp({
    text: {
      // Light below dark: one of the two stands out on any paper.
      text: `<span foreground="#101010" alpha="36%">${escaped(text)}</span>`,
      font: `Noto Sans S Chinese Medium ${size}`,
      fontfile: FONT,
      rgba: true,
      dpi: 72,
    },
  })
    .extend({ top: GAP, bottom: GAP, left: GAP, right: GAP, background: CLEAR })
    .png()
    .toBuffer()
  const slanted = await sharp(line)
    .rotate(SLANT, { background: CLEAR })
    .png()
    .toBuffer({ resolveWithObject: true })
  // A tile may not be larger than what it is laid on.
  const tile = await sharp(slanted.data)
    .extract({
      left: 0,
      top: 0,
      width: Math.min(width, slanted.info.width),
      height: Math.min(height, slanted.info.height),
    })
    .png()
    .toBuffer()
  return picture
    .composite([{ input: tile, tile: true }])
    .png()
    .toBuffer()
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string) => text.replace(/[&<>]/g, sign => ENTITIES[sign] ?? sign)
