import assert from 'node:assert/strict'
import test from 'node:test'
import { makePace } from './pace.ts'

test('calls that come at once take turns, and one that comes late waits for nothing', async () => {
  let at = 0
  const waited: number[] = []
  const turn = makePace({
    perSecond: 10,
    now: () => at,
    pause: async ms => {
      waited.push(ms)
    },
  })
  await Promise.all([turn(), turn(), turn()])
  assert.deepEqual(waited, [100, 200])
  at = 1000
  await turn()
  assert.deepEqual(waited, [100, 200])
})
