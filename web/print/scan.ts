// Reads codes back from the very bitmap that is printed.
import type { Bitmap } from '#kit/print/scene.ts'

export type Read = { format: string; text: string }

/** Every code that is found. */
export async function scanBitmap(_bitmap: Bitmap): Promise<Read[]> {
  throw new Error('not yet')
}
