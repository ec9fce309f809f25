import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DayPreset, rangesOf } from './day-presets.ts'

const said = (presets: DayPreset[], today: string) =>
  rangesOf(presets, today).map(({ label, from, to }) => `${label} ${from} ${to}`)

test('the past: calendar ranges up to today, then those of the documents, today only once', () => {
  assert.deepEqual(
    said(
      [
        [1, 'day'],
        [7, 'day'],
        [3, 'month'],
      ],
      '2026-03-31',
    ),
    [
      '今天 2026-03-31 2026-03-31',
      '昨天 2026-03-30 2026-03-30',
      '本周 2026-03-30 2026-03-31',
      '本月 2026-03-01 2026-03-31',
      '上月 2026-02-01 2026-02-28',
      '近 7 天 2026-03-25 2026-03-31',
      '近 3 个月 2025-12-31 2026-03-31',
    ],
  )
})

test('what is to come: from today on, also over the end of a year', () => {
  assert.deepEqual(said([[-7, 'day']], '2026-12-27'), [
    '今天 2026-12-27 2026-12-27',
    '明天 2026-12-28 2026-12-28',
    '本周 2026-12-27 2026-12-27',
    '本月 2026-12-27 2026-12-31',
    '下月 2027-01-01 2027-01-31',
    '7 天内 2026-12-27 2027-01-02',
  ])
})

test('since a day under a name of its own, up to today', () => {
  const ranges = said([{ label: '已过期', since: '2017-01-01' }, [-7, 'day']], '2026-12-27')
  assert.deepEqual(ranges.slice(-2), ['已过期 2017-01-01 2026-12-27', '7 天内 2026-12-27 2027-01-02'])
})

test('a week ends on Sunday', () => {
  assert.equal(said([], '2026-03-29')[2], '本周 2026-03-23 2026-03-29')
})
