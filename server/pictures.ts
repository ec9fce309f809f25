// Turns bytes that somebody sent into a picture of our own making. Nothing of what came in is kept but its pixels.
import { type PictureRefusal, pictureRefusalText } from '#kit/picture.ts'
import { Refusal } from './refuse.ts'
import { drawingRoom } from './rooms.ts'

export type Picture = { mime: 'image/webp'; bytes: Buffer; width: number; height: number }

/** Bytes that may come in; pixels of a side that are kept, where they are fewer than usual; the agent whose turn it is, where one is known. */
export type PictureLimits = { maxBytes: number; side?: number | undefined; agentId?: number }

/** Whoever sends pictures without an agent. */
const NOBODY = 'nobody'
const STORED_MAX_BYTES = 500 * 1024
/** A megabyte of PNG can unfold into gigabytes; photos of phones stay below this. */
const PIXELS_MAX = 36_000_000
const ENCODE_WITHIN_S = 10
/** Tried in turn until the result is small enough; the last is small for any pixels. */
const ATTEMPTS = [
  { side: 1_600, quality: 82 },
  { side: 1_600, quality: 65 },
  { side: 1_280, quality: 60 },
  { side: 960, quality: 45 },
  { side: 640, quality: 40 },
] as const

const JPEG_QUALITY = 88

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const JPEG = Buffer.from('ffd8ff', 'hex')

/**
 * The picture as WebP of at most 500 KB and 1,600 px a side (or `side`), upright, without metadata. Refuses what is no still JPEG or
 * PNG by its own bytes, is damaged, or has too many pixels. Written in the agent's turn, so that many take neither all memory nor all
 * processors.
 */
export function encodePicture(bytes: Buffer, limits: PictureLimits): Promise<Picture> {
  return drawingRoom.run(limits.agentId ?? NOBODY, async () => {
    await refuseUnfit(bytes, limits.maxBytes)
    // The library tells a damaged picture by errors of many texts.
    const picture = await encode(bytes, limits.side).catch(() => refusePictureFor('PICTURE_BROKEN'))
    return picture ?? refusePictureFor('PICTURE_DIMENSIONS')
  })
}

/** A picture of ours for papers, whose library reads no WebP. */
export async function asPng(bytes: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(bytes).png().toBuffer()
}

/** A picture of ours for programs that open no WebP; smaller than as PNG. */
export async function asJpeg(bytes: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(bytes).flatten({ background: '#fff' }).jpeg({ quality: JPEG_QUALITY }).toBuffer()
}

/** Sides of a picture that is larger than somebody else takes, one after another until it is not. */
const SIDES = [2_400, 1_800, 1_200] as const

/** The picture itself where it is a JPEG or PNG of at most so many bytes; else as a JPEG, smaller if need be. Null: it cannot be made to fit. */
export async function jpegWithin(bytes: Buffer, most: number): Promise<Buffer | null> {
  const { default: sharp } = await import('sharp')
  const { format } = await sharp(bytes).metadata()
  if (bytes.length <= most && (format === 'jpeg' || format === 'png')) return bytes
  for (const side of SIDES) {
    const smaller = await sharp(bytes)
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .jpeg({ quality: JPEG_QUALITY })
      .toBuffer()
    if (smaller.length <= most) return smaller
  }
  return null
}

/** A picture of ours in greys on white, within a box and never larger than it is. */
export async function greysOf(bytes: Buffer, box: { width: number; height: number }) {
  const { default: sharp } = await import('sharp')
  const { data, info } = await sharp(bytes)
    .flatten({ background: '#fff' })
    .resize({ ...box, fit: 'inside', withoutEnlargement: true })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, greys: new Uint8Array(data) }
}

async function refuseUnfit(bytes: Buffer, maxBytes: number): Promise<void> {
  if (bytes.length === 0) refusePictureFor('PICTURE_BROKEN')
  if (bytes.length > maxBytes) refusePictureFor('PICTURE_TOO_LARGE', maxBytes)
  const format = formatOf(bytes)
  if (format === null || (format === 'png' && isAnimatedPng(bytes))) refusePictureFor('PICTURE_FORMAT')
  const { default: sharp } = await import('sharp')
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => refusePictureFor('PICTURE_BROKEN'))
  if (header.format !== format) refusePictureFor('PICTURE_FORMAT')
  if (header.width * header.height > PIXELS_MAX) refusePictureFor('PICTURE_DIMENSIONS')
}

async function encode(bytes: Buffer, sideMax = Number.POSITIVE_INFINITY): Promise<Picture | null> {
  const { default: sharp } = await import('sharp')
  for (const { side, quality } of ATTEMPTS) {
    const { data, info } = await sharp(bytes, {
      limitInputPixels: PIXELS_MAX,
      failOn: 'error',
      sequentialRead: true,
    })
      .autoOrient()
      .resize({
        width: Math.min(side, sideMax),
        height: Math.min(side, sideMax),
        fit: 'inside',
        withoutEnlargement: true,
      })
      .webp({ quality })
      .timeout({ seconds: ENCODE_WITHIN_S })
      .toBuffer({ resolveWithObject: true })
    if (data.length <= STORED_MAX_BYTES)
      return { mime: 'image/webp', bytes: data, width: info.width, height: info.height }
  }
  return null
}

function refusePictureFor(code: PictureRefusal, maxBytes = 0): never {
  throw new Refusal(code, pictureRefusalText(code, maxBytes))
}

function formatOf(bytes: Buffer): 'png' | 'jpeg' | null {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'png'
  return bytes.subarray(0, JPEG.length).equals(JPEG) ? 'jpeg' : null
}

/** Whether a PNG announces an animation before its pixels begin. */
function isAnimatedPng(bytes: Buffer): boolean {
  let at = PNG.length
  while (at + 8 <= bytes.length) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'acTL') return true
    if (type === 'IDAT') return false
    at += bytes.readUInt32BE(at) + 12
  }
  return false
}
