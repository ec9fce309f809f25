// Independent readers of what is printed: three of codes, one of PDF, one of ZPL.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { init } from '@embedpdf/pdfium'
import { scanRGBABuffer } from '@undecaf/zbar-wasm'
import jsqr from 'jsqr'
import sharp from 'sharp'
import { ready } from 'zpl-renderer-js'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { type Picture, pictureOf, type Read, symbologyRead } from '#kit/print/scanned.ts'
import { type Bitmap, type Box, bytesAcross } from '#kit/print/scene.ts'
import { type Dots, dotsOfUm, mmOfUm, type Um } from '#kit/print/units.ts'

const wasmOf = async (specifier: string) => {
  const bytes = await readFile(fileURLToPath(import.meta.resolve(specifier)))
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
}

let prepared: Promise<void> | null = null

/** By zxing, as the page does it. */
export async function readByZxing(picture: Picture): Promise<Read[]> {
  prepared ??= wasmOf('zxing-wasm/reader/zxing_reader.wasm').then(wasmBinary => {
    prepareZXingModule({ overrides: { wasmBinary } })
  })
  await prepared
  const found = await readBarcodes(picture as never, { maxNumberOfSymbols: 255 })
  return found.map(({ format, text }) => ({ format, text }))
}

export async function readByZbar({ data, width, height }: Picture): Promise<Read[]> {
  const found = await scanRGBABuffer(data.buffer, width, height)
  return found.map(symbol => ({ format: symbol.typeName.replace('ZBAR_', ''), text: symbol.decode('utf-8') }))
}

/** QR codes alone. */
export function readByJsQr({ data, width, height }: Picture): Read[] {
  // Its own types say that the module is what it exports.
  const read = jsqr as unknown as typeof jsqr.default
  const found = read(data, width, height)
  return found ? [{ format: 'QRCode', text: found.data }] : []
}

/** As "symbology text", in order. */
export const asWords = (reads: readonly Read[]): string[] =>
  reads.map(({ format, text }) => `${symbologyRead(format)} ${text}`).sort()

/** Dots of any drawing, by how much of one is covered: `solid` where half is, `faint` where three tenths are. */
export type Dotted = { solid: Bitmap; faint: Bitmap }
const SOLID = 127
const FAINT = 178

/** Dots of any drawing: what is half covered is black. */
export const bitmapOfPicture = async (encoded: Uint8Array, density?: number): Promise<Bitmap> =>
  (await dottedOfPicture(encoded, density)).solid

export async function dottedOfPicture(encoded: Uint8Array, density = 72): Promise<Dotted> {
  const { data, info } = await sharp(encoded, { density })
    .flatten({ background: '#fff' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return dottedOfGrey(data, info.width, info.height, info.channels)
}

function dottedOfGrey(grey: Uint8Array, width: number, height: number, step: number): Dotted {
  const of = (most: number) => bitmapOfGrey(grey, width, height, step, most)
  return { solid: of(SOLID), faint: of(FAINT) }
}

function bitmapOfGrey(grey: Uint8Array, width: number, height: number, step: number, most: number): Bitmap {
  const across = bytesAcross(width)
  const rows = new Uint8Array(across * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if ((grey[(y * width + x) * step] as number) <= most) {
        const at = y * across + (x >> 3)
        rows[at] = (rows[at] as number) | (0x80 >> (x & 7))
      }
  return { width, height, rows }
}

let zebra: ReturnType<typeof readyZebra> | null = null
const readyZebra = async () => (await ready).api

/** The label as a Zebra printer draws it. */
export async function renderZpl(
  zpl: Uint8Array,
  job: { width: Um; height: Um; dots: Dots },
): Promise<Bitmap> {
  zebra ??= readyZebra()
  const api = await zebra
  const text = new TextDecoder().decode(zpl)
  const png = await api.zplToBase64Async(text, mmOfUm(job.width), mmOfUm(job.height), job.dots)
  return bitmapOfPicture(Buffer.from(png, 'base64'))
}

/** The picture of a TSPL job, taken out of its bytes: 0 is black. */
export function readTspl(bytes: Uint8Array): { bitmap: Bitmap; words: string } {
  const text = Buffer.from(bytes).toString('latin1')
  const found = /BITMAP 0,0,(\d+),(\d+),0,/.exec(text)
  if (!found) throw new Error('no BITMAP')
  const [across, height] = [Number(found[1]), Number(found[2])]
  const from = found.index + found[0].length
  const rows = bytes.slice(from, from + across * height).map(byte => ~byte & 0xff)
  const words = text.slice(0, from) + text.slice(from + across * height)
  return { bitmap: { width: across * 8, height, rows }, words }
}

const openPdfium = async () => {
  const folder = dirname(createRequire(import.meta.url).resolve('@embedpdf/pdfium'))
  const bytes = await readFile(join(folder, 'pdfium.wasm'))
  const pdfium = await init({ wasmBinary: new Uint8Array(bytes).buffer })
  pdfium.PDFiumExt_Init()
  return pdfium
}
let pdfium: ReturnType<typeof openPdfium> | null = null

export type PdfPage = { widthMm: number; heightMm: number; text: string; bitmap: Bitmap; faint: Bitmap }

/** PDFium moves letters to whole pixels: a dot is several of them across and down. */
const FINE = 4

function reduced(fine: Uint8Array, stride: number, width: number, height: number): Uint8Array {
  const [across, down] = [width / FINE, height / FINE]
  const grey = new Uint8Array(across * down)
  const sums = new Uint16Array(across)
  for (let row = 0; row < down; row++) {
    sums.fill(0)
    for (let y = row * FINE; y < (row + 1) * FINE; y++)
      for (let dot = 0, at = y * stride; dot < across; dot++) {
        let sum = sums[dot] as number
        for (const end = at + FINE; at < end; at++) sum += fine[at] as number
        sums[dot] = sum
      }
    for (let dot = 0; dot < across; dot++) grey[row * across + dot] = (sums[dot] as number) / (FINE * FINE)
  }
  return grey
}

const GREY = 1
const ANTI_ALIASED = 0
const MM_BY_POINT = 25.4 / 72

/** Every page: its size, its text, and its dots. */
export async function readPdf(pdf: Uint8Array, dots: Dots): Promise<PdfPage[]> {
  pdfium ??= openPdfium()
  const lib = await pdfium
  const memory = lib.pdfium
  const at = memory.wasmExports.malloc(pdf.length)
  memory.HEAPU8.set(pdf, at)
  const doc = lib.FPDF_LoadMemDocument(at, pdf.length, '')
  const pages: PdfPage[] = []
  for (let index = 0; index < lib.FPDF_GetPageCount(doc); index++) {
    const page = lib.FPDF_LoadPage(doc, index)
    const [widthMm, heightMm] = [
      lib.FPDF_GetPageWidthF(page) * MM_BY_POINT,
      lib.FPDF_GetPageHeightF(page) * MM_BY_POINT,
    ]
    const [width, height] = [Math.round(widthMm * dots) * FINE, Math.round(heightMm * dots) * FINE]
    const surface = lib.FPDFBitmap_CreateEx(width, height, GREY, 0, width)
    lib.FPDFBitmap_FillRect(surface, 0, 0, width, height, 0xffffffff)
    lib.FPDF_RenderPageBitmap(surface, page, 0, 0, width, height, 0, ANTI_ALIASED)
    const pixels = lib.FPDFBitmap_GetBuffer(surface)
    const stride = lib.FPDFBitmap_GetStride(surface)
    const grey = reduced(memory.HEAPU8.subarray(pixels, pixels + stride * height), stride, width, height)
    const { solid, faint } = dottedOfGrey(grey, width / FINE, height / FINE, 1)
    pages.push({ widthMm, heightMm, text: textOfPage(lib, page), bitmap: solid, faint })
    lib.FPDFBitmap_Destroy(surface)
    lib.FPDF_ClosePage(page)
  }
  lib.FPDF_CloseDocument(doc)
  memory.wasmExports.free(at)
  return pages
}

function textOfPage(lib: Awaited<ReturnType<typeof openPdfium>>, page: number): string {
  const text = lib.FPDFText_LoadPage(page)
  const count = lib.FPDFText_CountChars(text)
  const at = lib.pdfium.wasmExports.malloc((count + 1) * 2)
  lib.FPDFText_GetText(text, 0, count, at)
  const bytes = lib.pdfium.HEAPU8.slice(at, at + count * 2)
  lib.pdfium.wasmExports.free(at)
  lib.FPDFText_ClosePage(text)
  return new TextDecoder('utf-16le').decode(bytes)
}

/** Whole pictures of a bitmap, to read codes in. */
export const shown = (bitmap: Bitmap): Picture => pictureOf(bitmap)

/** A part of a bitmap that has `dots` by the millimetre. */
export function cutOut({ width, rows }: Bitmap, box: Box, dots: Dots): Bitmap {
  const dot = (um: Um) => dotsOfUm(um, dots)
  const [left, top, wide, high] = [dot(box.left), dot(box.top), dot(box.width), dot(box.height)]
  const [across, own] = [bytesAcross(width), bytesAcross(wide)]
  const cut = new Uint8Array(own * high)
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const isDark = (rows[(top + y) * across + ((left + x) >> 3)] ?? 0) & (0x80 >> ((left + x) & 7))
      if (isDark) cut[y * own + (x >> 3)] = (cut[y * own + (x >> 3)] ?? 0) | (0x80 >> (x & 7))
    }
  return { width: wide, height: high, rows: cut }
}
