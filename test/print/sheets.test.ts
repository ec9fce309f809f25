// Labels on A4, as a reader of PDF and a scanner see them: the size of the paper, each code in its place, lines to cut by.
import assert from 'node:assert/strict'
import test from 'node:test'
import { SYSTEM_LABELS } from '#features/print/labels/reference.ts'
import {
  cellBox,
  cutMarks,
  gridOf,
  labelsOnSheet,
  SHEET_SETUP,
  sheetScene,
  sheetsNeeded,
} from '#kit/print/batch/sheet.ts'
import { sceneOf } from '#kit/print/label-scene.ts'
import { labelCharacters } from '#kit/print/label-text.ts'
import { SAMPLES } from '#kit/print/samples.ts'
import { pictureOf } from '#kit/print/scanned.ts'
import { umOfMm } from '#kit/print/units.ts'
import { glyphsOf } from '#server/print/fonts.ts'
import { pdfOf } from '#server/print/pdf.ts'
import { cutOut, readByZxing, readPdf } from './readers.ts'

test('labels begin in the place that was chosen, go on on the next sheet, and are scanned there', async () => {
  const label = SYSTEM_LABELS.find(({ name }) => name === '商品价签 80×40')?.label
  assert.ok(label)
  const setup = { ...SHEET_SETUP, landscape: true }
  const grid = gridOf(label, setup)
  assert.deepEqual([grid.across, grid.down], [3, 4])
  const glyphs = await glyphsOf(labelCharacters(label, SAMPLES.typical))
  const codes = ['6901234567892', '96385074', '6935364021115']
  const scenes = codes.map(barcode => sceneOf(label, { ...SAMPLES.typical, barcode }, { dots: 24, glyphs }))
  const start = 10
  const pages = Array.from({ length: sheetsNeeded(grid.cells, codes.length, start) }, (_, sheet) => {
    const on = labelsOnSheet(grid.cells, codes.length, start, sheet)
    return { scene: sheetScene(grid, on.start, scenes.slice(on.from, on.to)) }
  })
  const read = await readPdf(await pdfOf(pages), 8)
  assert.deepEqual(
    read.map(({ widthMm, heightMm }) => [widthMm.toFixed(2), heightMm.toFixed(2)]),
    Array.from({ length: 2 }, () => ['297.00', '210.00']),
  )
  const codesIn = async (page: number, cell: number) => {
    const bitmap = read[page]?.bitmap
    assert.ok(bitmap)
    return (await readByZxing(pictureOf(cutOut(bitmap, cellBox(grid, cell), 8)))).map(({ text }) => text)
  }
  assert.deepEqual(
    [
      await codesIn(0, 9),
      await codesIn(0, 10),
      await codesIn(0, 11),
      await codesIn(1, 0),
      await codesIn(1, 1),
    ],
    [[], ['6901234567892'], ['96385074'], ['6935364021115'], []],
  )
  // A line to cut by is thinner than a dot: around it, something is drawn.
  const [line] = cutMarks(grid)
  assert.ok(line && read[0])
  const around = { left: line.left - umOfMm(0.5), top: line.top, width: umOfMm(1), height: line.height }
  assert.ok(cutOut(read[0].faint, around, 8).rows.some(byte => byte !== 0))
})
