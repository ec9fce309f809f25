// One layout through every way of printing, and how far apart their dots are.
import { deflateSync } from 'node:zlib'
import type { Glyphs } from '#kit/print/glyphs.ts'
import { sceneOf } from '#kit/print/label-scene.ts'
import { labelCharacters } from '#kit/print/label-text.ts'
import { isBlack, rasterOf } from '#kit/print/raster.ts'
import type { Bitmap, Scene } from '#kit/print/scene.ts'
import { svgOf } from '#kit/print/svg.ts'
import { tsplOf } from '#kit/print/tspl.ts'
import type { Dots } from '#kit/print/units.ts'
import { zplOf } from '#kit/print/zpl.ts'
import { glyphsOf } from '#server/print/fonts.ts'
import { pdfOf } from '#server/print/pdf.ts'
import type { Layout } from './layouts.ts'
import { type Dotted, dottedOfPicture, type PdfPage, readPdf, readTspl, renderZpl } from './readers.ts'

export type Made = { scene: Scene; glyphs: Glyphs; bitmap: Bitmap }

export async function madeOf({ label, data }: Layout, dots: Dots): Promise<Made> {
  const glyphs = await glyphsOf(labelCharacters(label, data))
  const scene = sceneOf(label, data, { dots, glyphs })
  return { scene, glyphs, bitmap: rasterOf(scene, glyphs, dots) }
}

/** The same layouts as other ways draw them, by way. The PDF is one of many pages. */
export async function drawnOf(made: readonly Made[], dots: Dots): Promise<Record<string, Dotted>[]> {
  const pages = await readPdf(await pdfOf(made), dots)
  return Promise.all(
    made.map(async ({ scene, glyphs, bitmap }, at) => {
      const page = pages[at] as PdfPage
      const job = { width: scene.width, height: scene.height, dots, copies: 1 }
      const zpl = await zplOf(bitmap, job, async rows => deflateSync(rows))
      return {
        pdf: { solid: page.bitmap, faint: page.faint },
        svg: await dottedOfPicture(inDots(svgOf(scene, glyphs), scene, dots)),
        zpl: exact(await renderZpl(zpl, job)),
        tspl: exact(readTspl(tsplOf(bitmap, job)).bitmap),
      }
    }),
  )
}

/** The renderer takes points for its pixels: a dot is to be one. */
const inDots = (svg: string, { width, height }: Scene, dots: Dots): Buffer =>
  Buffer.from(
    svg.replace(
      / width="[^"]+" height="[^"]+"/,
      ` width="${(width * dots) / 1_000}" height="${(height * dots) / 1_000}"`,
    ),
  )

const exact = (bitmap: Bitmap): Dotted => ({ solid: bitmap, faint: bitmap })

/**
 * Black dots of the raster with no dot of the other way, faint ones too, within one dot; and solid ones of that way without a black one
 * of the raster. What covers two fifths of a dot, more or less, is black or not by the way that it is reckoned.
 */
export function apart(raster: Bitmap, { solid, faint }: Dotted): number {
  return strays(raster, faint) + strays(solid, raster)
}

function strays(of: Bitmap, near: Bitmap): number {
  let count = 0
  for (let y = 0; y < of.height; y++)
    for (let x = 0; x < of.width; x++) if (isBlack(of, x, y) && !hasNear(near, x, y)) count++
  return count
}

function hasNear(bitmap: Bitmap, x: number, y: number): boolean {
  // The dot beside it may lie beyond the paper.
  if (x === 0 || y === 0 || x >= bitmap.width - 1 || y >= bitmap.height - 1) return true
  for (let down = y - 1; down <= y + 1; down++)
    for (let across = x - 1; across <= x + 1; across++) if (isBlack(bitmap, across, down)) return true
  return false
}
