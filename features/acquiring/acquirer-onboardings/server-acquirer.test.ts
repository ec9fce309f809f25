// An acquirer is one record: another one is added in a process of its own (`docs/CHANGING.md`).
import assert from 'node:assert/strict'
import test from 'node:test'
import { runOnItsOwn } from '#test/own-process.ts'

test('a fourth acquirer, which one record makes, works from the beginning to the hand-over', () => {
  const { status, said } = runOnItsOwn('fourth-acquirer.ts')
  assert.equal(status, 0, said)
  assert.match(said, /pass 1\b/)
})
