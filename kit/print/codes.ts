// The modules of barcodes and QR codes, for every printer and the screen alike; the only file that knows bwip-js.
import type { Symbology } from './scene.ts'

/** Dark modules, in modules from left and top; `height` is 1 for bars. */
export type Code = {
  symbology: Symbology
  /** What a scanner answers. */
  content: string
  width: number
  height: number
  rects: readonly { left: number; top: number; width: number; height: number }[]
  /** Modules of white it needs: at the sides, and above and below. */
  quiet: { side: number; end: number }
}

/** EAN-13 or EAN-8 for digits whose check digit is right, else Code 128; null for nothing and for what bars cannot hold. */
export function barcodeOf(_text: string): Code | null {
  throw new Error('not yet')
}

/** Unicode by ECI 26; addresses are percent-encoded. Null for nothing, or for more than a QR code holds. */
export function qrOf(_text: string): Code | null {
  throw new Error('not yet')
}
