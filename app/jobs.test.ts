import assert from 'node:assert/strict'
import test from 'node:test'
import { JOBS } from './jobs.ts'

test('people are warned by day in Shanghai, from 09:00 to 20:00', () => {
  const warn = JOBS.find(({ name }) => name === 'warn-accounts')
  const [minute, hours = ''] = (warn?.cron ?? '').split(' ')
  const [first, last] = hours.split('-').map(hour => Number(hour) + 8)
  assert.deepEqual([minute, first, last], ['0', 9, 20])
})
