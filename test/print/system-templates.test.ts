// Every template that comes with the program, in every language of printers, at 203 and 300 dpi, read back by others' readers.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { SYSTEM_LABELS } from '#features/print/labels/reference.ts'
import { RECEIPT_SAMPLES } from '#features/print/receipts/reference.ts'
import { escposRaster } from '#kit/print/escpos.ts'
import { rasterOf } from '#kit/print/raster.ts'
import { around, type Bitmap, bytesAcross, type Scene } from '#kit/print/scene.ts'
import { tsplOf } from '#kit/print/tspl.ts'
import { type Dots, dotsOfUm, mmOfUm } from '#kit/print/units.ts'
import { zplOf } from '#kit/print/zpl.ts'
import { pdfOf } from '#server/print/pdf.ts'
import { sampled } from '../lane.ts'
import { apart } from './alike.ts'
import { joinedRaster, readEscpos } from './escpos-reader.ts'
import { asWords, type PdfPage, readByZxing, readPdf, readTspl, renderZpl, shown } from './readers.ts'
import { codesOn, type Laid, SYSTEM_TEMPLATES, writtenOn } from './system-templates.ts'

const LANGUAGES: Record<string, (bitmap: Bitmap, scene: Scene, dots: Dots) => Promise<Bitmap>> = {
  async ZPL(bitmap, { width, height }, dots) {
    const job = { width, height, dots, copies: 1 }
    return renderZpl(await zplOf(bitmap, job, async rows => deflateSync(rows)), job)
  },
  async TSPL(bitmap, { width, height }, dots) {
    return readTspl(tsplOf(bitmap, { width, height, dots, copies: 1 })).bitmap
  },
  async 'ESC/POS'(bitmap) {
    return joinedRaster(readEscpos(escposRaster(bitmap)))
  },
}
const EXACT_MM = 0.01
/** A4 is for printers of documents: none that understands another language is as wide. Outside readers see it in all. */
const ROLL_MOST = 112_000

/** A label, a receipt for a roll and one for A4 among them; all in the long lane. */
const TRIED = sampled(SYSTEM_TEMPLATES, 4)

/** What is read of the rows that have codes, as a scanner is held over them. */
async function codesIn({ width, rows }: Bitmap, scene: Scene, dots: Dots): Promise<string[]> {
  const boxes = scene.marks.flatMap(mark => (mark.kind === 'bars' ? [mark.box] : []))
  const box = around(boxes)
  if (!box) return []
  const [across, margin] = [bytesAcross(width), 2 * dots]
  const from = Math.max(0, dotsOfUm(box.top, dots) - margin)
  const part = rows.slice(from * across, (dotsOfUm(box.top + box.height, dots) + margin) * across)
  return asWords(await readByZxing(shown({ width, height: part.length / across, rows: part })))
}

test('none is left out', () => {
  const names = SYSTEM_TEMPLATES.map(({ name }) => name)
  for (const { name } of [...SYSTEM_LABELS, ...RECEIPT_SAMPLES])
    assert.ok(
      names.some(one => one === name || one.startsWith(`${name} on `)),
      name,
    )
})

for (const dots of [8, 12] as const)
  describe(`at ${dots} dots a millimetre`, () => {
    const laid = new Map<string, Laid>()
    let pages: PdfPage[]
    before(async () => {
      for (const { name, laidOut } of TRIED) laid.set(name, await laidOut(dots))
      const scenes = [...laid.values()].flatMap(one => one.scenes)
      pages = await readPdf(await pdfOf(scenes.map(scene => ({ scene }))), dots)
      assert.equal(pages.length, scenes.length)
    })

    for (const { name, width } of TRIED)
      test(`${name} is what was drawn, and its codes are read`, async () => {
        const { glyphs, scenes } = laid.get(name) as Laid
        for (const scene of scenes) {
          const page = pages.shift()
          const bitmap = rasterOf(scene, glyphs, dots)
          const codes = codesOn(scene)
          assert.deepEqual(await codesIn(bitmap, scene, dots), codes)
          for (const [language, read] of width > ROLL_MOST ? [] : Object.entries(LANGUAGES)) {
            const back = await read(bitmap, scene, dots)
            // The same dots are the same codes.
            assert.equal(back.height, bitmap.height, language)
            assert.ok(Buffer.from(back.rows).equals(bitmap.rows), `${language} has other dots`)
          }
          assert.ok(page && Math.abs(page.widthMm - mmOfUm(width)) < EXACT_MM)
          assert.ok(Math.abs(page.heightMm - mmOfUm(scene.height)) < EXACT_MM)
          assert.equal(page.text.replaceAll(/\s/g, ''), writtenOn(scene.marks))
          assert.equal(apart(bitmap, { solid: page.bitmap, faint: page.faint }), 0, 'the PDF has other dots')
          assert.deepEqual(await codesIn(page.bitmap, scene, dots), codes, 'of the PDF')
        }
      })
  })
