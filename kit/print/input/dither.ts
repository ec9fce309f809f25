// A picture of greys as dots: the error of each goes to its neighbours, so that what is half dark has half its dots.
import { type Bitmap, bytesAcross } from '../scene.ts'

export type Greys = {
  width: number
  height: number /** A byte a pixel, row by row; 0 is black. */
  greys: Uint8Array
}

/** Errors of Floyd and Steinberg, in sixteenths, to the right, and below from left to right. */
const SHARES = [
  [1, 0, 7],
  [-1, 1, 3],
  [0, 1, 5],
  [1, 1, 1],
] as const

/** The same dots in Node and in every browser: only whole numbers. What is black or white stays so. */
export function dithered({ width, height, greys }: Greys): Bitmap {
  const rows = new Uint8Array(bytesAcross(width) * height)
  // Sixteenths, so that nothing is lost by rounding.
  const left = Int32Array.from(greys, grey => grey * 16)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const value = left[y * width + x] as number
      const isDark = value < 128 * 16
      if (isDark) {
        const at = y * bytesAcross(width) + (x >> 3)
        rows[at] = (rows[at] as number) | (0x80 >> (x & 7))
      }
      const error = Math.trunc((value - (isDark ? 0 : 255 * 16)) / 16)
      for (const [dx, dy, share] of SHARES) {
        const [toX, toY] = [x + dx, y + dy]
        if (toX < 0 || toX >= width || toY >= height) continue
        const to = toY * width + toX
        left[to] = (left[to] as number) + error * share
      }
    }
  return { width, height, rows }
}

/** Whether nothing of it would be printed. */
export const isBlank = ({ rows }: Bitmap): boolean => rows.every(byte => byte === 0)
