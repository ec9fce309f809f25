// Made-up labels look the same however they are printed: within one dot (PRINT_LAYOUTS: how many, else 5, and 25 in the long lane).
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Dots } from '#kit/print/units.ts'
import { times } from '../lane.ts'
import { apart, drawnOf, madeOf } from './alike.ts'
import { randomLayout } from './layouts.ts'

const COUNT = Number(process.env.PRINT_LAYOUTS ?? times(5, 25))
/** Pages of one PDF. */
const PART = 25

for (const dots of [8, 12] as const)
  test(`at ${dots} dots a millimetre PDF, SVG, ZPL and TSPL are the raster within one dot`, async t => {
    t.diagnostic(`${COUNT} layouts`)
    for (let from = 1; from <= COUNT; from += PART)
      await compare(from, Math.min(COUNT, from + PART - 1), dots)
  })

async function compare(from: number, to: number, dots: Dots): Promise<void> {
  const seeds = Array.from({ length: to - from + 1 }, (_, at) => from + at)
  const made = await Promise.all(seeds.map(seed => madeOf(randomLayout(seed), dots)))
  for (const [at, drawn] of (await drawnOf(made, dots)).entries())
    for (const [way, dotted] of Object.entries(drawn))
      assert.equal(apart(made[at]?.bitmap ?? dotted.solid, dotted), 0, `layout ${seeds[at]} by ${way}`)
}

test('the same layout is the same dots each time', async () => {
  const [one, other] = [await madeOf(randomLayout(5), 8), await madeOf(randomLayout(5), 8)]
  assert.deepEqual(one.bitmap, other.bitmap)
})
