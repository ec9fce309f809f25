import assert from 'node:assert/strict'
import test from 'node:test'
import {
  type ExportState,
  percentOf,
  refuseCancel,
  refuseFetch,
  refuseStart,
  UNFINISHED_MAX,
} from './rules.ts'

test('an account has at most three unfinished exports', () => {
  assert.equal(refuseStart(0), null)
  assert.equal(refuseStart(UNFINISHED_MAX - 1), null)
  assert.equal(refuseStart(UNFINISHED_MAX), 'TOO_MANY')
  assert.equal(UNFINISHED_MAX, 3)
})

test('what waits or runs can be cancelled, what has ended cannot', () => {
  const expected: Record<ExportState, string | null> = {
    queued: null,
    running: null,
    done: 'ENDED',
    failed: 'ENDED',
    cancelled: 'ENDED',
  }
  for (const [state, refusal] of Object.entries(expected))
    assert.equal(refuseCancel(state as ExportState), refusal, state)
})

test('a file can be fetched from its end until it expires', () => {
  const cases: [ExportState, number | null, string | null][] = [
    ['queued', null, 'NOT_READY'],
    ['running', null, 'NOT_READY'],
    ['failed', null, 'FILE_GONE'],
    ['cancelled', null, 'FILE_GONE'],
    ['done', 1_001, null],
    ['done', 1_000, 'FILE_GONE'],
    ['done', null, 'FILE_GONE'],
  ]
  for (const [state, expiresAt, refusal] of cases)
    assert.equal(refuseFetch(state, expiresAt, 1_000), refusal, `${state} ${expiresAt}`)
})

test('percent never says 100 before the end, and nothing where nobody counted', () => {
  const running = (rowsWritten: number, rowsExpected: number | null) =>
    percentOf({ state: 'running', rowsWritten, rowsExpected })
  assert.equal(running(0, 200), 0)
  assert.equal(running(50, 200), 25)
  assert.equal(running(200, 200), 99)
  assert.equal(running(300, 200), 99)
  assert.equal(running(0, 0), 99)
  assert.equal(running(50, null), null)
  assert.equal(percentOf({ state: 'done', rowsWritten: 5, rowsExpected: null }), 100)
})
