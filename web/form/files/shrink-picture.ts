// Makes a photo small enough to be sent, where it is taken.
import { busyWhile } from '../../client/ready.ts'

/** Pixels of the longer side, and the quality of the JPEG. */
export type Shrinking = { side: number; quality: number }

/** A photo as a JPEG of at most so many bytes, tried in turn; null where the browser cannot read it as a picture, or none is small enough. */
export function shrunkPicture(
  file: Blob,
  attempts: readonly Shrinking[],
  maxBytes: number,
): Promise<Blob | null> {
  return busyWhile(shrink(file, attempts, maxBytes))
}

async function shrink(file: Blob, attempts: readonly Shrinking[], maxBytes: number): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (!bitmap) return null
  for (const attempt of attempts) {
    const blob = await drawn(bitmap, attempt)
    if (blob && blob.size <= maxBytes) return blob
  }
  return null
}

function drawn(bitmap: ImageBitmap, { side, quality }: Shrinking): Promise<Blob | null> {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return new Promise(resolve => canvas.toBlob(resolve, 'image/jpeg', quality))
}
