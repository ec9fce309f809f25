// What of what people type and paste is a day or a moment, and that nothing else becomes one.
import assert from 'node:assert/strict'
import test from 'node:test'
import { readDay, readMoment } from './days.ts'

const DAYS: [typed: string, day: string | null][] = [
  ['2026-12-01', '2026-12-01'],
  ['2026-12-1', '2026-12-01'],
  ['2026/12/1', '2026-12-01'],
  ['2026.12.01', '2026-12-01'],
  ['2026年12月1日', '2026-12-01'],
  ['２０２６－１２－０１', '2026-12-01'],
  [' 2026-12-01 ', '2026-12-01'],
  ['2026-02-30', null],
  ['2026-13-01', null],
  ['26-12-01', null],
  ['12-01', null],
  ['2026-12-01 09:00', null],
  ['明天', null],
  ['', null],
]
for (const [typed, day] of DAYS)
  test(`"${typed}" is ${day ?? 'no day'}`, () => {
    assert.equal(readDay(typed), day)
  })

const MOMENTS: [typed: string, moment: string | null][] = [
  ['2026-12-01 09:00', '2026-12-01 09:00:00'],
  ['2026-12-01 09:00:30', '2026-12-01 09:00:30'],
  ['2026/12/1 9:00', '2026-12-01 09:00:00'],
  ['2026-12-01T09:00', '2026-12-01 09:00:00'],
  ['2026年12月1日9:05', '2026-12-01 09:05:00'],
  ['2026年12月1日 09：05', '2026-12-01 09:05:00'],
  ['2026-12-01', null],
  ['2026-12-109:00', null],
  ['2026-12-01 24:00', null],
  ['2026-12-01 09:60', null],
  ['2026-12-01T09:00:00Z', null],
  ['2026-12-01 9点', null],
  ['09:00', null],
]
for (const [typed, moment] of MOMENTS)
  test(`"${typed}" is ${moment ?? 'no moment'}`, () => {
    assert.equal(readMoment(typed), moment)
  })
