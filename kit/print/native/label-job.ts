// One label as the printer on the desk is to be sent it: in its language, as dots or in words.
import type { Speech } from '../bridge/bridge.ts'
import type { Glyphs } from '../glyphs.ts'
import { rasterOf } from '../raster.ts'
import type { Scene } from '../scene.ts'
import { type LabelJob, tsplOf } from '../tspl.ts'
import { streamDeflate, zplOf } from '../zpl.ts'
import { tsplNative } from './tspl-native.ts'
import { zplNative } from './zpl-native.ts'

/** The scene is calibrated already. */
export async function labelJobBytes(
  language: 'tspl' | 'zpl',
  scene: Scene,
  glyphs: Glyphs,
  job: LabelJob,
  { mode, font }: Speech,
): Promise<Uint8Array> {
  if (mode === 'raster') {
    const bitmap = rasterOf(scene, glyphs, job.dots)
    return language === 'zpl' ? zplOf(bitmap, job, streamDeflate) : tsplOf(bitmap, job)
  }
  return language === 'zpl'
    ? zplNative(scene, glyphs, job, { deflate: streamDeflate, chineseFont: font })
    : tsplNative(scene, glyphs, job)
}
