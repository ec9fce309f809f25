import { busyWhile } from '#web/client/ready.ts'
import { base64Of } from '#web/form/files/base64.ts'
import { LICENCE_LIMITS } from './rules.ts'

/** Tried in turn until the photo is small enough to be sent with the form. */
const ATTEMPTS = [
  { side: LICENCE_LIMITS.side, quality: 0.8 },
  { side: 1_280, quality: 0.7 },
  { side: 1_024, quality: 0.6 },
  { side: 800, quality: 0.5 },
  { side: 640, quality: 0.4 },
] as const

/** A photo as a JPEG that fits one request, in base64; null where the browser cannot read it as a picture. */
export function shrunkPicture(file: File): Promise<string | null> {
  return busyWhile(shrink(file))
}

async function shrink(file: File): Promise<string | null> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (!bitmap) return null
  for (const { side, quality } of ATTEMPTS) {
    const blob = await drawn(bitmap, side, quality)
    if (blob && blob.size <= LICENCE_LIMITS.maxBytes) return base64Of(blob)
  }
  return null
}

function drawn(bitmap: ImageBitmap, side: number, quality: number): Promise<Blob | null> {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return new Promise(resolve => canvas.toBlob(resolve, 'image/jpeg', quality))
}
