// Pictures that people upload: what is accepted and what is said otherwise, the same for page and server.

import { type Setting, setting } from './declare/settings.ts'

export const PICTURE_TYPES = ['image/jpeg', 'image/png'] as const
/** As the documents' message promises (decisions.md); what is kept is smaller, since it is written anew. */
export const PICTURE_KB = setting({
  key: 'picture-kb',
  group: '上传',
  label: '图片大小',
  unit: 'KB',
  initial: 1_024,
  min: 100,
  max: 8_192,
  hint: '上传的图片最大多少；保存时会压缩到 500KB 以内',
})

export const bytesOf = (kb: number) => kb * 1_024
/** What no setting lets pass. */
export const mostOf = ({ max }: Setting) => bytesOf(max)

export const PICTURE_REFUSALS = {
  PICTURE_TOO_LARGE: '图片过大，请缩小后重新上传',
  PICTURE_FORMAT: '图片格式须为jpg、jpeg或png',
  PICTURE_DIMENSIONS: '图片尺寸过大，请缩小后重新上传',
  PICTURE_BROKEN: '上传图片失败!',
} as const
export type PictureRefusal = keyof typeof PICTURE_REFUSALS

/** Why a file is not even worth sending, or null. */
export function refusePicture(file: { type: string; size: number }, maxBytes: number): PictureRefusal | null {
  if (!(PICTURE_TYPES as readonly string[]).includes(file.type)) return 'PICTURE_FORMAT'
  if (file.size > maxBytes) return 'PICTURE_TOO_LARGE'
  return file.size === 0 ? 'PICTURE_BROKEN' : null
}

/** In words, with the limit that was broken. */
export function pictureRefusalText(refusal: PictureRefusal, maxBytes: number): string {
  return refusal === 'PICTURE_TOO_LARGE' ? `图片大小不能超过${sizeText(maxBytes)}` : PICTURE_REFUSALS[refusal]
}

export function sizeText(bytes: number): string {
  const mb = bytes / 1024 / 1024
  return Number.isInteger(mb) ? `${mb}MB` : `${Math.round(bytes / 1024)}KB`
}

/** The address of a picture that is kept. */
export function pictureAddress(id: string): string {
  return `/api/files/${id}`
}
