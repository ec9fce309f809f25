// A channel is one record: test/third-channel.ts adds a third one before the program is loaded, so it has a process of its own.
import assert from 'node:assert/strict'
import test from 'node:test'
import { runOnItsOwn } from '#test/own-process.ts'

test('a third channel, which one record and one client make, works from the cashier to the bill', () => {
  const { status, said } = runOnItsOwn('third-channel.ts')
  assert.equal(status, 0, said)
  assert.match(said, /pass 4\b/)
})
