// The templates that an office begins with: no faults with any data, and every code is read back as it was meant.
import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import { faultsOf } from '#kit/print/faults.ts'
import { sceneOf } from '#kit/print/label-scene.ts'
import { labelCharacters } from '#kit/print/label-text.ts'
import { rasterOf } from '#kit/print/raster.ts'
import { SAMPLES, type SampleKey } from '#kit/print/samples.ts'
import { pictureOf } from '#kit/print/scanned.ts'
import { glyphsOf } from '#server/print/fonts.ts'
import { readByZxing } from '#test/print/readers.ts'
import { LabelContent } from './contract.ts'
import { SYSTEM_LABELS } from './reference.ts'

for (const { name, label } of SYSTEM_LABELS)
  describe(name, async () => {
    const glyphs = await glyphsOf(labelCharacters(label, ...Object.values(SAMPLES)))
    test('is what the operation takes', () => {
      assert.deepEqual(LabelContent.parse(label), label)
    })
    for (const dots of [8, 12] as const)
      for (const key of Object.keys(SAMPLES) as SampleKey[])
        test(`has no fault and scans with ${key} data at ${dots} dots a millimetre`, async () => {
          const press = { dots, glyphs }
          assert.deepEqual(faultsOf(label, SAMPLES[key], press), [])
          const scene = sceneOf(label, SAMPLES[key], press)
          const wanted = scene.marks.flatMap(mark => (mark.kind === 'bars' ? [mark.content] : []))
          const read = await readByZxing(pictureOf(rasterOf(scene, glyphs, dots)))
          assert.deepEqual(read.map(({ text }) => text).toSorted(), wanted.toSorted())
        })
  })
