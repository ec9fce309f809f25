import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isBlack } from '../raster.ts'
import { dithered, isBlank } from './dither.ts'

const flat = (width: number, height: number, grey: number) => ({
  ...{ width, height },
  greys: new Uint8Array(width * height).fill(grey),
})
const darkOf = (bitmap: ReturnType<typeof dithered>) => {
  let dark = 0
  for (let y = 0; y < bitmap.height; y++)
    for (let x = 0; x < bitmap.width; x++) if (isBlack(bitmap, x, y)) dark++
  return dark
}

test('a grey has as many dots as it is dark, within a hundredth', () => {
  for (const grey of [0, 32, 64, 128, 191, 224, 255]) {
    const dark = darkOf(dithered(flat(120, 120, grey))) / 120 ** 2
    assert.ok(Math.abs(dark - (1 - grey / 255)) < 0.01, `${grey}: ${dark}`)
  }
})

test('what is black or white already stays as it is, and nothing beyond its last column is dark', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.boolean(), { minLength: 40, maxLength: 400 }),
      (width, dots) => {
        const height = Math.floor(dots.length / width)
        const greys = Uint8Array.from(dots.slice(0, width * height), isDark => (isDark ? 0 : 255))
        const bitmap = dithered({ width, height, greys })
        for (let at = 0; at < width * height; at++)
          assert.equal(isBlack(bitmap, at % width, Math.floor(at / width)), dots[at])
        assert.equal(darkOf({ ...bitmap, width: ((width + 7) >> 3) * 8 }), darkOf(bitmap))
      },
    ),
  )
})

test('white alone is blank', () => {
  assert.ok(isBlank(dithered(flat(17, 3, 255))))
  assert.ok(!isBlank(dithered(flat(17, 3, 200))))
})
