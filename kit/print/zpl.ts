// ZPL II: the label is sent as a picture, in hexadecimal or compressed.
import type { Bitmap } from './scene.ts'
import type { LabelJob } from './tspl.ts'

/** zlib's format (RFC 1950); absent: hexadecimal, about ten times as long. */
export type Deflate = (bytes: Uint8Array) => Promise<Uint8Array>

export async function zplOf(_bitmap: Bitmap, _job: LabelJob, _deflate?: Deflate): Promise<Uint8Array> {
  throw new Error('not yet')
}
