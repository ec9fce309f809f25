import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { afterPatience, comesTrue, patience, patient, until } from './patience.ts'

const given = process.env.TEST_PATIENCE
const give = (value: string | undefined) => {
  if (value === undefined) delete process.env.TEST_PATIENCE
  else process.env.TEST_PATIENCE = value
}
beforeEach(() => give(undefined))
afterEach(() => give(given))

test('who waits waits once to six times as long, or as is said', () => {
  assert.ok(patience() >= 1 && patience() <= 6)
  give('3')
  assert.deepEqual([patience(), patient(100)], [3, 300])
  give('0')
  assert.ok(patience() >= 1)
})

test('what comes is waited for no longer than it takes', async () => {
  let looks = 0
  assert.equal(await comesTrue(() => ++looks === 3, 600_000), true)
  assert.equal(looks, 3)
})

test('what does not come is given up, in words', async () => {
  assert.equal(await comesTrue(async () => false, 1), false)
  await assert.rejects(
    until(() => false, 'no letter came', 1),
    /no letter came/,
  )
})

test('what is waited for with an alarm calls it off', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  give('2')
  let alarms = 0
  const callOff = afterPatience(100, () => alarms++)
  callOff()
  t.mock.timers.tick(10_000)
  assert.equal(alarms, 0)
})
