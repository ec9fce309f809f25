import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { startLoop, untilNext } from './loop.ts'

test('the next look is the next whole step from the start, also where the last one came late or a moment early', () => {
  assert.equal(untilNext(0, 2_000), 2_000)
  assert.equal(untilNext(-500, 2_000), 500)
  assert.equal(untilNext(2_300, 2_000), 1_700)
  assert.equal(untilNext(1_990, 2_000), 2_010)
})

test('loops of one pace look at moments of their own', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const looks: string[] = []
  const loops = ['a', 'b'].map((name, place) =>
    startLoop(
      { everyMs: 1_000, phase: place / 2 },
      async () => {
        looks.push(name)
        return false
      },
      error => assert.fail(String(error)),
    ),
  )
  t.mock.timers.tick(600)
  await settled()
  assert.deepEqual(looks, ['b'])
  t.mock.timers.tick(450)
  await settled()
  assert.deepEqual(looks, ['b', 'a'])
  for (const loop of loops) await loop.stop()
})
