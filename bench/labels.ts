// A batch of 1,000 labels: laid out, drawn as dots and written for printers of both languages, and laid on sheets as a PDF, each against the
// same bytes of what was drawn before. npm run bench -- labels [labels].
import { SYSTEM_LABELS } from '#features/print/labels/reference.ts'
import { gridOf, labelsOnSheet, SHEET_SETUP, sheetScene, sheetsNeeded } from '#kit/print/batch/sheet.ts'
import { sceneOf } from '#kit/print/label-scene.ts'
import { labelCharacters } from '#kit/print/label-text.ts'
import { rasterOf } from '#kit/print/raster.ts'
import { SAMPLES } from '#kit/print/samples.ts'
import type { Bitmap, Scene } from '#kit/print/scene.ts'
import { type LabelJob, tsplOf } from '#kit/print/tspl.ts'
import { streamDeflate, zplOf } from '#kit/print/zpl.ts'
import { glyphsOf } from '#server/print/fonts.ts'
import { pdfOf } from '#server/print/pdf.ts'
import { wanted } from './office.ts'

const LABELS = 1_000
const DOTS = 8
const SHEET_DOTS = 24
/** A batch is printed while its labels are drawn: no printer of labels prints as many in a second. */
const PER_SECOND_LEAST = 20

export async function measureLabels(): Promise<void> {
  const count = wanted(LABELS)
  const [{ label } = fail()] = SYSTEM_LABELS
  // A label in a batch has data of its own: none is drawn for another.
  const rows = Array.from({ length: count }, (_, nth) => ({
    ...SAMPLES.typical,
    title: `${SAMPLES.typical.title ?? ''} ${nth}`,
    barcode: ean13(690_123_400_000 + nth),
  }))
  const glyphs = await glyphsOf(labelCharacters(label, ...rows))
  const job: LabelJob = { width: label.width, height: label.height, copies: 1, dots: DOTS }
  const draw = (data: (typeof rows)[number]) =>
    rasterOf(sceneOf(label, data, { dots: DOTS, glyphs }), glyphs, DOTS)
  const languages: [string, (bitmap: Bitmap) => Promise<Uint8Array> | Uint8Array][] = [
    ['TSPL', bitmap => tsplOf(bitmap, job)],
    ['ZPL', bitmap => zplOf(bitmap, job, streamDeflate)],
  ]
  const bitmaps = rows.map(draw)
  for (const [language, bytesOf] of languages) {
    const whole = await took(async () => {
      for (const data of rows) await bytesOf(draw(data))
    })
    const alone = await took(async () => {
      for (const bitmap of bitmaps) await bytesOf(bitmap)
    })
    const perSecond = (count * 1_000) / whole
    say(`${count} labels in ${language}`, whole, alone, `, ${perSecond.toFixed(0)} labels/s`)
    if (perSecond < PER_SECOND_LEAST) process.exitCode = 1
  }
  const scenesOf = () => rows.map(data => sceneOf(label, data, { dots: SHEET_DOTS, glyphs }))
  const scenes = scenesOf()
  const whole = await took(() => pdfOf(sheetsOf(label, scenesOf())))
  const alone = await took(() => pdfOf(sheetsOf(label, scenes)))
  say(`${count} labels on sheets`, whole, alone, '')
}

function sheetsOf(label: { width: number; height: number }, scenes: readonly Scene[]) {
  const grid = gridOf(label, SHEET_SETUP)
  return Array.from({ length: sheetsNeeded(grid.cells, scenes.length, 0) }, (_, sheet) => {
    const on = labelsOnSheet(grid.cells, scenes.length, 0, sheet)
    return { scene: sheetScene(grid, on.start, scenes.slice(on.from, on.to)) }
  })
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

function say(name: string, ms: number, floorMs: number, more: string): void {
  const told = `${ms.toFixed(0)} ms, of what is drawn already ${floorMs.toFixed(0)} ms, ratio ${(floorMs / ms).toFixed(2)}`
  process.stdout.write(`${name}: ${told}${more}\n`)
}

/** With its check digit: others are drawn as no code. */
function ean13(digits: number): string {
  const sum = [...String(digits)].reduce((all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

function fail(): never {
  throw new Error('there is no label to begin with')
}
