import assert from 'node:assert/strict'
import test from 'node:test'
import { forecastOf, type Lasting } from './rules.ts'

test('credit lasts as long as the last 30 days used it, and dries up within 7 days', () => {
  const cases: [number, number, Lasting | null][] = [
    [100, 0, null],
    [0, 30, { perDayTenths: 10, daysLeft: 0, driesUp: true }],
    [6, 30, { perDayTenths: 10, daysLeft: 6, driesUp: true }],
    [7, 30, { perDayTenths: 10, daysLeft: 7, driesUp: false }],
    [10, 1, { perDayTenths: 0, daysLeft: 300, driesUp: false }],
    [100, 45, { perDayTenths: 15, daysLeft: 66, driesUp: false }],
  ]
  for (const [balance, used, expected] of cases)
    assert.deepEqual(forecastOf(balance, used), expected, `${balance} of ${used}`)
})
