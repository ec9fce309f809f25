import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { ROOT } from '#scripts/checks.ts'
import { FAULTS } from './faults.ts'
import { placeOf, sourcesOf } from './place.ts'

const sources = sourcesOf(ROOT)

for (const fault of FAULTS)
  test(`${fault.name} can be put where it belongs`, () => {
    const { text } = placeOf(fault, ROOT, sources)
    assert.notEqual(
      text.replace(fault.from, () => fault.to),
      text,
    )
  })

test('a fault without a place is told', () => {
  const empty = mkdtempSync(join(tmpdir(), 'partner-office-no-sources-'))
  try {
    assert.throws(
      () => placeOf({ name: 'a fault', file: 'kit/time.ts', from: 'x' }, empty),
      /a fault: kit\/time\.ts/,
    )
  } finally {
    rmSync(empty, { recursive: true })
  }
})

test('no two faults are called alike', () => {
  assert.equal(new Set(FAULTS.map(({ name }) => name)).size, FAULTS.length)
})
