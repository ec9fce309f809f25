import assert from 'node:assert/strict'
import test from 'node:test'
import { segmentsOf } from './segments.ts'

const SIGNATURE = '收银无忧'
/** A text that makes `units` UTF-16 units together with its signature. */
const textOf = (units: number) => '字'.repeat(units - `【${SIGNATURE}】`.length)

test('seventy units are one segment, and beyond that each holds sixty-seven', () => {
  for (const [units, segments] of [
    [7, 1],
    [70, 1],
    [71, 2],
    [134, 2],
    [135, 3],
    [160, 3],
    [201, 3],
    [202, 4],
    [500, 8],
  ] as const)
    assert.equal(segmentsOf(SIGNATURE, textOf(units)), segments, `${units} units`)
})

test('an emoji counts as two units, and the brackets of the signature count too', () => {
  assert.equal(segmentsOf(SIGNATURE, `${textOf(68)}🎉`), 1)
  assert.equal(segmentsOf(SIGNATURE, `${textOf(69)}🎉`), 2)
  assert.equal(segmentsOf('', '字'.repeat(68)), 1)
  assert.equal(segmentsOf('', '字'.repeat(69)), 2)
})
