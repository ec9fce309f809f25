// The sheet that a printer is measured by: two rulers whose ends lie where they lie, in every language that printers speak.

import { calibrated } from '../calibrated.ts'
import { NO_GLYPHS } from '../glyphs.ts'
import { rasterOf } from '../raster.ts'
import { type Bitmap, type Box, bytesAcross, type Mark, rectangle, type Scene } from '../scene.ts'
import { ascii, joined, tsplOf } from '../tspl.ts'
import { pointsOfUm, type Um, umOfMm } from '../units.ts'
import { streamDeflate, zplOf } from '../zpl.ts'
import type { Calibration, PrintLanguage } from './bridge.ts'

/** The paper, and from its edges where the rulers begin and how long they are. */
export const SHEET = {
  ...{ width: umOfMm(60), height: umOfMm(40) },
  ...{ left: umOfMm(5), top: umOfMm(5) },
  ...{ across: umOfMm(40), down: umOfMm(20) },
} as const
const LINE = 250
const TICKS = { 10: 3_000, 5: 2_000, 1: 1_200 } as const

/** Digits of three by five dots. */
const DIGITS: Readonly<Record<string, readonly string[]>> = {
  0: ['111', '101', '101', '101', '111'],
  1: ['010', '110', '010', '010', '111'],
  2: ['111', '001', '111', '100', '111'],
  3: ['111', '001', '111', '001', '111'],
  4: ['101', '101', '111', '001', '001'],
}
const DIGIT_DOT = 375

const box = (left: Um, top: Um, width: Um, height: Um): Box => ({ left, top, width, height })
const tickOf = (mm: number) => (mm % 10 === 0 ? TICKS[10] : mm % 5 === 0 ? TICKS[5] : TICKS[1])

function digits(text: string, left: Um, top: Um): Box[] {
  return [...text].flatMap((digit, place) =>
    (DIGITS[digit] ?? []).flatMap((row, y) =>
      [...row].flatMap((dot, x) =>
        dot === '1' ? box(left + (place * 4 + x) * DIGIT_DOT, top + y * DIGIT_DOT, DIGIT_DOT, DIGIT_DOT) : [],
      ),
    ),
  )
}

/** Rulers along the top and the left, their numbers before the lines that they name, so that nothing lies beyond the last. */
export function sheetScene(): Scene {
  const { width, height, left, top, across, down } = SHEET
  const boxes = [box(left, top, across, LINE), box(left, top, LINE, down)]
  for (let mm = 0; mm * 1_000 <= across; mm += 1) {
    // The last line ends where the ruler ends.
    const at = Math.min(left + mm * 1_000, left + across - LINE)
    boxes.push(box(at, top, LINE, tickOf(mm)))
    if (mm > 0 && mm % 10 === 0) boxes.push(...digits(String(mm), at - 3_000, top + TICKS[10]))
  }
  for (let mm = 0; mm * 1_000 <= down; mm += 1) {
    const at = Math.min(top + mm * 1_000, top + down - LINE)
    boxes.push(box(left, at, tickOf(mm), LINE))
    if (mm > 0 && mm % 10 === 0) boxes.push(...digits(String(mm), left + TICKS[10] + 500, at - 2_000))
  }
  return { width, height, marks: boxes.map((one): Mark => rectangle(null, one)) }
}

/** The sheet as the printer is calibrated now. */
export async function sheetFor(language: PrintLanguage, calibration: Calibration): Promise<Uint8Array> {
  const scene = calibrated(sheetScene(), calibration)
  if (language === 'pdf') return pdfOfBoxes(scene)
  const { dots } = calibration
  const bitmap = rasterOf(scene, NO_GLYPHS, dots)
  if (language === 'escpos') return escposOf(bitmap)
  const job = { width: scene.width, height: scene.height, dots, copies: 1 }
  return language === 'tspl' ? tsplOf(bitmap, job) : zplOf(bitmap, job, streamDeflate)
}

/** One picture, fed beyond the knife. */
function escposOf({ width, height, rows }: Bitmap): Uint8Array {
  const word = (value: number) => [value & 0xff, value >> 8]
  const head = [0x1b, 0x40, 0x1d, 0x76, 0x30, 0, ...word(bytesAcross(width)), ...word(height)]
  return joined([Uint8Array.from(head), rows, Uint8Array.from([0x1b, 0x64, 4, 0x1d, 0x56, 0x42, 0])])
}

/** A page of filled boxes: nothing of it needs a font. */
function pdfOfBoxes({ width, height, marks }: Scene): Uint8Array {
  const points = (um: Um) => pointsOfUm(um).toFixed(4)
  const drawn = marks
    .flatMap(mark => (mark.kind === 'text' ? [] : mark.box))
    .map(one => [one.left, height - one.top - one.height, one.width, one.height].map(points).join(' '))
    .map(at => `${at} re f`)
    .join('\n')
  const page = `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${points(width)} ${points(height)}] /Contents 4 0 R /Resources << >>`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< ${page} >>`,
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const table = places.map(place => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  return ascii(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
  )
}
