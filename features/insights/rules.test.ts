import assert from 'node:assert/strict'
import test from 'node:test'
import { comparedPeriods, type Period, partsOf, percentText } from './rules.ts'

const PERIOD_CASES: [period: Period, month: string, today: string, now: string, before: string][] = [
  ['month', '2026-11', '2026-11-23', '2026-11-01 2026-11-23', '2026-10-01 2026-10-23'],
  ['month', '2026-10', '2026-11-23', '2026-10-01 2026-10-31', '2026-09-01 2026-09-30'],
  ['month', '2026-03', '2026-03-31', '2026-03-01 2026-03-31', '2026-02-01 2026-02-28'],
  ['month', '2026-01', '2026-01-01', '2026-01-01 2026-01-01', '2025-12-01 2025-12-01'],
  ['month', '2027-01', '2026-11-23', '2027-01-01 2027-01-01', '2026-12-01 2026-12-01'],
  ['quarter', '2026-11', '2026-11-23', '2026-10-01 2026-11-23', '2026-07-01 2026-08-23'],
  ['quarter', '2026-05', '2026-11-23', '2026-04-01 2026-06-30', '2026-01-01 2026-03-31'],
  ['year', '2026-02', '2026-11-23', '2026-01-01 2026-11-23', '2025-01-01 2025-11-23'],
  ['year', '2024-02', '2026-11-23', '2024-01-01 2024-12-31', '2023-01-01 2023-12-31'],
  ['year', '2024-02', '2024-02-29', '2024-01-01 2024-02-29', '2023-01-01 2023-02-28'],
]

test('a period is compared with the one before it, and one that has not ended with the same days of it', () => {
  for (const [period, month, today, now, before] of PERIOD_CASES) {
    const found = comparedPeriods(period, month, today)
    assert.equal(`${found.now.from} ${found.now.to}`, now, `${period} ${month} ${today}`)
    assert.equal(`${found.before.from} ${found.before.to}`, before, `${period} ${month} ${today}, before`)
  }
})

test('a range is whole months and the days of the last', () => {
  const cases: [from: string, to: string, months: string, days: string][] = [
    ['2026-01-01', '2026-12-31', '2026-01-01 2026-12-01', ''],
    ['2026-01-01', '2026-11-23', '2026-01-01 2026-10-01', '2026-11-01 2026-11-23'],
    ['2026-11-01', '2026-11-23', '', '2026-11-01 2026-11-23'],
    ['2026-02-01', '2026-02-28', '2026-02-01 2026-02-01', ''],
  ]
  for (const [from, to, months, days] of cases) {
    const parts = partsOf({ from, to })
    assert.equal(parts.months ? `${parts.months.from} ${parts.months.to}` : '', months, `${from} ${to}`)
    assert.equal(parts.days ? `${parts.days.from} ${parts.days.to}` : '', days, `${from} ${to}`)
  }
})

test('a percentage is told with its sign', () => {
  assert.equal(percentText(1_250), '12.5%')
  assert.equal(percentText(1_250, true), '+12.5%')
  assert.equal(percentText(-1_250, true), '−12.5%')
  assert.equal(percentText(0, true), '0%')
})
