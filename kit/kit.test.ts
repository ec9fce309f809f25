import assert from 'node:assert/strict'
import test from 'node:test'
import { nextState } from './declare/machine.ts'
import { discounted, formatCents, parseCents } from './money.ts'
import { addDays, addMonths, dayOfMonth, daysBetween, endOfDay, formatInstant, startOfDay } from './time.ts'
import { isMainlandMobile, maskPhone } from './words/phone.ts'

test('a discount is rounded half up, once, to a whole cent', () => {
  for (const [amount, points, expected] of [
    [29_800, 10_000, 29_800],
    [29_800, 6_550, 19_519],
    [1, 5_000, 1],
    [1, 4_999, 0],
    [3, 5_000, 2],
    [99_999_999_999, 3_333, 33_330_000_000],
  ] as const)
    assert.equal(discounted(amount, points), expected, `${amount} at ${points}`)
})

test('cents are written with grouping and two decimals, and read back', () => {
  for (const [cents, text] of [
    [0, '0.00'],
    [5, '0.05'],
    [123_450, '1,234.50'],
    [-99, '-0.99'],
    [100_000_000, '1,000,000.00'],
  ] as const)
    assert.equal(formatCents(cents), text)
  assert.equal(parseCents('1,234.5'), 123_450)
  assert.equal(parseCents('12'), 1_200)
  for (const wrong of ['', '-1', '1.234', 'abc', '1e5', '.5', '1,5', '12,34.5'])
    assert.equal(parseCents(wrong), null, wrong)
})

test('times are shown in Shanghai and a day there starts at 16:00 UTC', () => {
  assert.equal(formatInstant('2026-11-19T16:00:00Z'), '2026-11-20 00:00:00')
  assert.equal(startOfDay('2026-11-20').toISOString(), '2026-11-19T16:00:00.000Z')
  assert.equal(endOfDay('2026-11-20').toISOString(), '2026-11-20T16:00:00.000Z')
  assert.equal(addDays('2026-02-28', 1), '2026-03-01')
  assert.equal(daysBetween('2026-11-01T00:00:00Z', '2026-11-20T23:59:59Z'), 19)
})

test('adding months keeps the day, or takes the last day of a shorter month', () => {
  for (const [from, months, expected] of [
    ['2026-01-31 10:00:00', 1, '2026-02-28 10:00:00'],
    ['2024-02-29 10:00:00', 12, '2025-02-28 10:00:00'],
    ['2026-11-20 00:30:00', 12, '2027-11-20 00:30:00'],
    ['2026-12-31 23:59:59', 60, '2031-12-31 23:59:59'],
  ] as const) {
    const instant = new Date(`${from.replace(' ', 'T')}+08:00`)
    assert.equal(formatInstant(addMonths(instant, months)), expected)
  }
})

test('months are counted to another day of the month where one is named', () => {
  for (const [from, months, day, expected] of [
    ['2026-02-28 10:00:00', 1, 31, '2026-03-31 10:00:00'],
    ['2026-02-28 10:00:00', 2, 31, '2026-04-30 10:00:00'],
    ['2027-02-28 23:30:00', 12, 29, '2028-02-29 23:30:00'],
    ['2026-03-31 00:30:00', 0, 30, '2026-03-30 00:30:00'],
  ] as const) {
    const instant = new Date(`${from.replace(' ', 'T')}+08:00`)
    assert.equal(formatInstant(addMonths(instant, months, day)), expected)
  }
  assert.equal(dayOfMonth('2026-02-27T16:00:00.000Z'), 28)
})

test('a phone is masked where it is not needed', () => {
  assert.equal(maskPhone('13800005678'), '138****5678')
  assert.equal(maskPhone('12345'), '***45')
  assert.equal(isMainlandMobile('13800005678'), true)
  for (const wrong of ['12800005678', '1380000567', '138000056789', 'a3800005678', ''])
    assert.equal(isMainlandMobile(wrong), false, wrong)
})

test('a state machine allows only the steps of its table', () => {
  const steps = {
    close: { from: ['open'], to: 'shut', by: ['program'] },
    open: { from: ['shut'], to: 'open', by: ['program'] },
  } as const
  assert.equal(nextState(steps, 'open', 'close'), 'shut')
  assert.equal(nextState(steps, 'shut', 'close'), null)
})
