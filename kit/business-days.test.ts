import assert from 'node:assert/strict'
import test from 'node:test'
import { businessDaysAfter, type DayKind, isBusinessDay } from './business-days.ts'

/** The first of October 2026 is a Thursday. */
const CALENDAR = new Map<string, DayKind>([
  ...['01', '02', '05', '06', '07'].map(day => [`2026-10-${day}`, 'holiday'] as const),
  ['2026-10-10', 'workday'],
])
const DAYS: [day: string, works: boolean, why: string][] = [
  ['2026-09-30', true, 'a Wednesday'],
  ['2026-10-01', false, 'a holiday'],
  ['2026-10-03', false, 'a Saturday'],
  ['2026-10-08', true, 'the first day after the holidays'],
  ['2026-10-10', true, 'a Saturday that makes up for a holiday'],
  ['2026-10-11', false, 'a Sunday'],
]
for (const [day, works, why] of DAYS)
  test(`${day} is ${works ? '' : 'not '}a business day: ${why}`, () =>
    assert.equal(isBusinessDay(day, CALENDAR), works))

const AFTER: [from: string, count: number, day: string][] = [
  ['2026-09-30', 0, '2026-09-30'],
  ['2026-09-30', 1, '2026-10-08'],
  ['2026-09-30', 2, '2026-10-09'],
  ['2026-09-30', 3, '2026-10-10'],
  ['2026-09-30', 4, '2026-10-12'],
  ['2026-10-03', 1, '2026-10-08'],
  ['2026-11-20', 1, '2026-11-23'],
]
for (const [from, count, day] of AFTER)
  test(`${count} business days after ${from} is ${day}`, () =>
    assert.equal(businessDaysAfter(from, count, CALENDAR), day))
