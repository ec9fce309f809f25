import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { calibrated } from '../calibrated.ts'
import { NO_GLYPHS } from '../glyphs.ts'
import { isBlack, rasterOf } from '../raster.ts'
import type { BarsMark, Box, Scene, TextMark } from '../scene.ts'
import { type Calibration, PRINT_LANGUAGE_KEYS, UNCALIBRATED } from './bridge.ts'
import { SHEET, sheetFor, sheetScene } from './bridge-sheet.ts'

/** The first and last black dot across and down. */
function inkOf(calibration: Calibration): { left: number; right: number; top: number; bottom: number } {
  const bitmap = rasterOf(calibrated(sheetScene(), calibration), NO_GLYPHS, calibration.dots)
  const xs: number[] = []
  const ys: number[] = []
  for (let y = 0; y < bitmap.height; y += 1)
    for (let x = 0; x < bitmap.width; x += 1)
      if (isBlack(bitmap, x, y)) {
        xs.push(x)
        ys.push(y)
      }
  const least = (all: number[]) => all.reduce((a, b) => Math.min(a, b))
  const most = (all: number[]) => all.reduce((a, b) => Math.max(a, b)) + 1
  return { left: least(xs), right: most(xs), top: least(ys), bottom: most(ys) }
}

describe('the sheet that a printer is measured by', () => {
  test('has its rulers where it says, at every resolution', () => {
    for (const dots of [8, 12, 24] as const)
      assert.deepEqual(inkOf({ ...UNCALIBRATED, dots }), {
        ...{ left: 5 * dots, right: 45 * dots },
        ...{ top: 5 * dots, bottom: 25 * dots },
      })
  })

  test('is moved and grown as the printer is calibrated', () => {
    const ink = inkOf({ dots: 8, offsetX: 500, offsetY: -250, scaleX: 10_250, scaleY: 9_500 })
    // 5 mm x 1.025 + 0.5 and 45 mm x 1.025 + 0.5; 5 mm x 0.95 - 0.25 and 25 mm x 0.95 - 0.25.
    assert.deepEqual(ink, { left: 45, right: 373, top: 36, bottom: 188 })
  })

  test('is there in every language', async () => {
    const heads = { tspl: 'SIZE 60 mm,40 mm', zpl: '^XA^PW480^LL320', escpos: '\x1b@\x1dv0', pdf: '%PDF-1.4' }
    for (const language of PRINT_LANGUAGE_KEYS) {
      const bytes = Buffer.from(await sheetFor(language, UNCALIBRATED))
      assert.ok(bytes.toString('latin1').startsWith(heads[language]), language)
    }
    const pdf = Buffer.from(await sheetFor('pdf', UNCALIBRATED)).toString('latin1')
    assert.match(pdf, /MediaBox \[0 0 170\.0787 113\.3858\]/)
    const start = Number(/startxref\n(\d+)/.exec(pdf)?.[1])
    assert.ok(pdf.slice(start).startsWith('xref'))
  })
})

test('calibrated, a text is grown and a code is moved alone', () => {
  const box: Box = { left: 10_000, top: 10_000, width: 20_000, height: 5_000 }
  const text: TextMark = {
    ...{ kind: 'text', item: null, text: '价', left: 10_000, baseline: 10_000 },
    ...{ size: 3_000, bold: false, underline: null, width: 3_000 },
  }
  const bars: BarsMark = {
    ...{ kind: 'bars', item: null, symbology: 'code128', content: 'A', module: 250, box },
    ...{ quiet: { left: 2_500, right: 2_500, end: 0 }, rects: [{ ...box, width: 250 }] },
  }
  const scene: Scene = { width: SHEET.width, height: SHEET.height, marks: [text, bars] }
  const sent = calibrated(scene, { dots: 8, offsetX: 100, offsetY: 0, scaleX: 11_000, scaleY: 11_000 })
  assert.deepEqual(sent.marks, [
    { ...text, left: 11_100, baseline: 11_000, size: 3_300, width: 3_300 },
    {
      ...bars,
      box: { ...box, left: 11_100, top: 11_000 },
      rects: [{ left: 11_100, top: 11_000, width: 250, height: 5_000 }],
    },
  ])
  assert.equal(calibrated(scene, UNCALIBRATED), scene)
})
