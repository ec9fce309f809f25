// Pictures that people upload: what is accepted and what is said otherwise, the same for page and server.

export const PICTURE_TYPES = ['image/jpeg', 'image/png'] as const
/** As the documents' message promises (decisions.md); what is kept is smaller, since it is written anew. */
export const PICTURE_MAX_BYTES = 1024 * 1024

export const PICTURE_REFUSALS = {
  PICTURE_TOO_LARGE: '图片大小不能超过1MB',
  PICTURE_FORMAT: '图片格式须为jpg、jpeg或png',
  PICTURE_DIMENSIONS: '图片尺寸过大，请缩小后重新上传',
  PICTURE_BROKEN: '上传图片失败!',
} as const
export type PictureRefusal = keyof typeof PICTURE_REFUSALS

/** Why a file is not even worth sending, or null. */
export function refusePicture(
  file: { type: string; size: number },
  maxBytes = PICTURE_MAX_BYTES,
): PictureRefusal | null {
  if (!(PICTURE_TYPES as readonly string[]).includes(file.type)) return 'PICTURE_FORMAT'
  if (file.size > maxBytes) return 'PICTURE_TOO_LARGE'
  return file.size === 0 ? 'PICTURE_BROKEN' : null
}

/** In words, with the limit that was broken. */
export function pictureRefusalText(refusal: PictureRefusal, maxBytes = PICTURE_MAX_BYTES): string {
  return PICTURE_REFUSALS[refusal].replace('1MB', sizeText(maxBytes))
}

export function sizeText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes / 1024}KB` : `${bytes / 1024 / 1024}MB`
}

/** The address of a picture that is kept. */
export function pictureAddress(id: string): string {
  return `/api/files/${id}`
}
