import assert from 'node:assert/strict'
import test from 'node:test'
import { CHART_DAYS, comingDays, comparison, pastDays } from './rules.ts'

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
