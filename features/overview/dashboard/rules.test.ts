import assert from 'node:assert/strict'
import test from 'node:test'
import {
  CHART_DAYS,
  comingDays,
  comparison,
  concerns,
  DUTY_KEYS,
  monthsCompared,
  pastDays,
  promiseText,
  renewalRate,
  running,
  sinceLastMonth,
  waitedText,
} from './rules.ts'

const COMPARED: [today: number, yesterday: number, ReturnType<typeof comparison>][] = [
  [5, 2, { trend: 'up', by: 3 }],
  [2, 5, { trend: 'down', by: 3 }],
  [4, 4, { trend: 'same', by: 0 }],
  [0, 0, { trend: 'same', by: 0 }],
]
for (const [today, yesterday, expected] of COMPARED)
  test(`${today} today against ${yesterday} yesterday is ${expected.trend} by ${expected.by}`, () => {
    assert.deepEqual(comparison(today, yesterday), expected)
  })

test('the charts reach over months: 30 days until today, 30 from today on, each once', () => {
  const [past, coming] = [pastDays('2028-03-01'), comingDays('2028-02-20')]
  assert.deepEqual([past[0], past.at(-2), past.at(-1)], ['2028-02-01', '2028-02-29', '2028-03-01'])
  assert.deepEqual([coming[0], coming.at(-1)], ['2028-02-20', '2028-03-20'])
  assert.deepEqual([new Set(past).size, new Set(coming).size], [CHART_DAYS, CHART_DAYS])
})

const MONTHS: [today: string, now: [string, number], before: [string, number]][] = [
  ['2026-03-01', ['2026-03-01', 1], ['2026-02-01', 1]],
  ['2026-03-15', ['2026-03-15', 15], ['2026-02-15', 15]],
  ['2026-03-31', ['2026-03-31', 31], ['2026-02-28', 28]],
  ['2026-01-31', ['2026-01-31', 31], ['2025-12-31', 31]],
]
for (const [today, now, before] of MONTHS)
  test(`on ${today} the month is compared until ${before[0]}`, () => {
    const compared = monthsCompared(today)
    assert.deepEqual([compared.now.at(-1), compared.now.length], now)
    assert.deepEqual([compared.before.at(-1), compared.before.length], before)
  })

const SINCE: [now: number, before: number, trend: string, text: string][] = [
  [150, 100, 'up', '比上月同期多 50%'],
  [100, 150, 'down', '比上月同期少 33.3%'],
  [7, 7, 'same', '与上月同期持平'],
  [7, 0, 'up', '上月同期为 0'],
  [-50, -100, 'up', '比上月同期多 50%'],
]
for (const [now, before, trend, text] of SINCE)
  test(`${now} after ${before} is told as ${text}`, () => {
    assert.deepEqual(sinceLastMonth(now, before), { trend, text })
  })

test('days add up to a line, and a rate is of what ended', () => {
  assert.deepEqual(running([1, 0, 5]), [1, 1, 6])
  assert.deepEqual([renewalRate(2, 3), renewalRate(0, 4), renewalRate(0, 0)], [667, 0, null])
})

test('what waits concerns partners or staff, and only who may open its list', () => {
  const of = (isVendorStaff: boolean, holds: (permission: string) => boolean) =>
    DUTY_KEYS.filter(key => concerns(key, { isVendorStaff, holds }))
  assert.deepEqual(
    of(false, () => false),
    [],
  )
  assert.deepEqual(
    of(false, held => held === 'renewals.desk'),
    ['expiring'],
  )
  assert.ok(!of(true, () => true).includes('expiring'))
  assert.ok(!of(false, () => true).includes('consultations'))
  assert.ok(of(true, held => held === 'settlement.approve').includes('approve'))
})

const WAITED: [since: string, text: string][] = [
  ['2026-03-10T11:30:00Z', '不到 1 小时'],
  ['2026-03-10T09:00:00Z', '3 小时'],
  ['2026-03-09T12:00:00Z', '1 天'],
  ['2026-02-10T12:00:00Z', '28 天'],
]
for (const [since, text] of WAITED)
  test(`what waits since ${since} waits ${text} at noon of March 10`, () => {
    assert.equal(waitedText(since, new Date('2026-03-10T12:00:00Z')), text)
  })

test('beside how long somebody waits stands what was promised, and that it is past', () => {
  const told = (now: string) => promiseText('2026-03-10T02:00:00Z', 24, new Date(now))
  assert.deepEqual(told('2026-03-11T02:00:00Z'), { text: '最久 1 天 · 承诺 24 小时', isPast: false })
  assert.deepEqual(told('2026-03-11T02:00:01Z'), { text: '最久 1 天，超过 24 小时', isPast: true })
})
