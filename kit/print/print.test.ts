// The small pure parts: lengths, outlines, lines of text, check sums.
import assert from 'node:assert/strict'
import test from 'node:test'
import { charactersOf, type Glyphs, glyphOf, lackedOf, textWidth } from './glyphs.ts'
import { contoursOf, movedPath } from './path.ts'
import { rasterOf } from './raster.ts'
import { around, type Bitmap, rectangle, type Scene } from './scene.ts'
import { svgOf } from './svg.ts'
import { cutTo, oneLine, shrunkTo, textMark, wrapped } from './text-marks.ts'
import { dotsOfUm, snapped, umOfDots, umOfMm, umOfPoints } from './units.ts'
import { WASHING_KEYS, washingPath } from './washing.ts'
import { crc16 } from './zpl.ts'

const BLOCK = { advance: 1_000, outline: 'M0 -800L1000 -800L1000 0L0 0Z' }
const GLYPHS: Glyphs = { regular: { 口: BLOCK, a: { ...BLOCK, advance: 500 } }, bold: {} }

test('lengths are whole micrometres, and dots are counted by the millimetre', () => {
  assert.deepEqual([umOfMm(0.1), umOfPoints(9), umOfPoints(72)], [100, 3_175, 25_400])
  for (const dots of [8, 12, 24] as const)
    for (let count = 0; count < 2_000; count += 7) assert.equal(dotsOfUm(umOfDots(count, dots), dots), count)
  assert.deepEqual([snapped(130, 8), snapped(190, 8), dotsOfUm(umOfMm(80), 8)], [125, 250, 640])
})

test('text is as wide as the advances of its characters; what is not there is an em', () => {
  assert.equal(textWidth(GLYPHS, '口aa', false, 3_000), 6_000)
  assert.equal(textWidth(GLYPHS, '口', true, 3_000), 3_000)
  assert.match(glyphOf(GLYPHS, '？', false).outline, /^M/)
  assert.deepEqual(charactersOf(['ba', 'a口']), ['a', 'b', '口'])
})

test('what the font lacks is named once, by the face that it would be drawn in', () => {
  const texts = [
    { text: '口a口★', bold: false },
    { text: '★口', bold: true },
  ]
  assert.deepEqual(lackedOf(texts, GLYPHS), ['★', '口'])
})

test('text is one line of printable characters', () => {
  assert.equal(oneLine(' 一\r\n二\t\u0007三\u2028四 \ud800'), '一 二 三 四 \ufffd')
})

test('lines are cut, wrapped and shrunk by width', () => {
  const width = (text: string) => [...text].length
  assert.equal(cutTo('一二三四', 4, width), '一二三四')
  assert.equal(cutTo('一二三四五', 4, width), '一二三…')
  assert.deepEqual(wrapped('一二39.90元', 6, width), ['一二', '39.90元'])
  assert.deepEqual(wrapped('abc def', 4, width), ['abc', 'def'])
  assert.deepEqual(wrapped('1234567890', 4, width), ['1234', '5678', '90'])
  assert.deepEqual(wrapped('', 4, width), [])
  assert.equal(shrunkTo('口口口口', 9, umOfPoints(24.1), GLYPHS, false), 6)
  assert.equal(shrunkTo('口口口口', 9, 1, GLYPHS, false), 5)
})

test('outlines are moved by whole micrometres, and curves become straight edges', () => {
  assert.equal(movedPath('M0 -100C10 20 30 40 50 60Z', 2, 7, 1_000), 'M7 800C27 1040 67 1080 107 1120Z')
  const [contour] = contoursOf('M0 0Q10 0 10 10Z', 1, 0, 0)
  assert.deepEqual(contour?.slice(-2), [10, 10])
  assert.ok((contour?.length ?? 0) > 6)
})

const blackOf = ({ rows }: Bitmap) =>
  rows.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)

test('a scene becomes dots: text, shapes and pictures, cut off at the edge of the paper', () => {
  const press = { dots: 8, glyphs: GLYPHS } as const
  const at = { item: null, left: 1_000, top: 1_000, size: 1_000, bold: false, underlined: false }
  const scene = (marks: Scene['marks']): Scene => ({ width: 4_000, height: 4_000, marks })
  assert.equal(blackOf(rasterOf(scene([textMark({ ...at, text: '口' }, press)]), GLYPHS, 8)), 8 * 7)
  const box = { left: 3_000, top: 3_000, width: 9_000, height: 500 }
  assert.equal(blackOf(rasterOf(scene([rectangle(null, box)]), GLYPHS, 8)), 8 * 4)
  const bitmap = { width: 2, height: 2, rows: new Uint8Array([0x80, 0x40]) }
  const logo = {
    kind: 'bitmap',
    item: 'a',
    box: { left: 0, top: 0, width: 1_000, height: 1_000 },
    bitmap,
  } as const
  const drawn = rasterOf(scene([logo]), GLYPHS, 8)
  assert.deepEqual(
    [...drawn.rows.subarray(0, 32)],
    [...Array(4).fill([0xf0, 0, 0, 0]), ...Array(4).fill([0x0f, 0, 0, 0])].flat(),
  )
  assert.match(
    svgOf(scene([logo]), GLYPHS),
    /^<svg [^>]*width="4mm" height="4mm" viewBox="0 0 4000 4000">.*data-item="a"/,
  )
})

test('a box lies around others', () => {
  assert.equal(around([]), null)
  assert.deepEqual(
    around([
      { left: 5, top: 1, width: 2, height: 2 },
      { left: -1, top: 4, width: 3, height: 1 },
    ]),
    { left: -1, top: 1, width: 8, height: 4 },
  )
})

test('every icon stays in its square, is filled, and is no other', () => {
  for (const key of WASHING_KEYS) {
    const numbers = contoursOf(washingPath(key), 1, 0, 0).flat()
    assert.ok(
      numbers.every(number => number >= 0 && number <= 1_000),
      key,
    )
  }
})

test('the check sum of compressed ZPL is that of CCITT', () => {
  assert.equal(crc16('123456789'), '31C3')
})
