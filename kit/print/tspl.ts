// TSPL: the language of many desktop label printers; the label is sent as a picture.
import type { Bitmap } from './scene.ts'
import type { Dots, Um } from './units.ts'

export type LabelJob = { width: Um; height: Um; dots: Dots; copies: number; gap?: Um }

export function tsplOf(_bitmap: Bitmap, _job: LabelJob): Uint8Array {
  throw new Error('not yet')
}
