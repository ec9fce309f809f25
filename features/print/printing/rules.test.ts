import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Calibration, UNCALIBRATED } from '#kit/print/bridge/bridge.ts'
import { brokenIn, calibrationOf, correctionOf, draftOf, type Measured, wordsOf } from './rules.ts'

const of = (change: Partial<Calibration>): Calibration => ({ ...UNCALIBRATED, ...change })
const measured = (change: Partial<Measured>): Measured => ({
  left: '5',
  top: '5',
  across: '40',
  down: '20',
  ...change,
})

describe('a calibration', () => {
  test('comes back from its draft as it was', () => {
    const all = of({ dots: 12, offsetX: -1_250, offsetY: 20_000, scaleX: 10_020, scaleY: 9_990 })
    assert.deepEqual(calibrationOf(draftOf(all)), all)
    assert.deepEqual(brokenIn(draftOf(all)), [])
  })

  test('is refused field by field', () => {
    for (const [change, expected] of [
      [{ offsetX: '20.01' }, ['offsetX']],
      [{ offsetY: '1.234' }, ['offsetY']],
      [{ offsetX: '', scaleX: '89.99' }, ['offsetX', 'scaleX']],
      [{ scaleY: '110.01' }, ['scaleY']],
      [{ scaleY: 'x' }, ['scaleY']],
    ] as const)
      assert.deepEqual(
        brokenIn({ ...draftOf(UNCALIBRATED), ...change }).map(({ field }) => field),
        expected,
      )
  })

  test('follows from what was measured', () => {
    const cases: [Calibration, Partial<Measured>, Partial<Calibration> | null][] = [
      [UNCALIBRATED, {}, {}],
      [UNCALIBRATED, { left: '5.5', top: '4.8' }, { offsetX: -500, offsetY: 200 }],
      [of({ offsetX: 300 }), { left: '5.2' }, { offsetX: 100 }],
      // 1 % too short: the line at 5 mm is moved by growing alone.
      [UNCALIBRATED, { across: '39.6', left: '4.95' }, { scaleX: 10_101, offsetX: 0 }],
      [UNCALIBRATED, { down: '20.2', top: '5.05' }, { scaleY: 9_901, offsetY: 0 }],
      [UNCALIBRATED, { across: '10' }, { scaleX: 11_000, offsetX: -500 }],
      [UNCALIBRATED, { left: 'x' }, null],
      [UNCALIBRATED, { across: '0' }, null],
    ]
    for (const [current, change, expected] of cases)
      assert.deepEqual(correctionOf(current, measured(change)), expected && { ...current, ...expected })
  })

  test('is said in words', () => {
    assert.equal(wordsOf(UNCALIBRATED), '')
    assert.equal(
      wordsOf(of({ offsetX: 500, offsetY: -200, scaleX: 10_020 })),
      '右移 0.5 毫米，上移 0.2 毫米，横向 100.2%',
    )
  })
})
