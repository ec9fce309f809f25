import assert from 'node:assert/strict'
import test from 'node:test'
import {
  exportNo,
  isUnfinished,
  LIMITS,
  percentOf,
  refuseFetch,
  refuseReason,
  refuseRetry,
  refuseStart,
} from './rules.ts'

test('a reason is asked for, of a length that is read', () => {
  assert.equal(refuseReason(' '), 'REASON_REQUIRED')
  assert.equal(refuseReason('离'.repeat(LIMITS.reason)), null)
  assert.equal(refuseReason('离'.repeat(LIMITS.reason + 1)), 'REASON_TOO_LONG')
})

test('of one agency one is made at a time, and of the vendor none', () => {
  assert.equal(refuseStart({ isVendor: false }, 0), null)
  assert.equal(refuseStart({ isVendor: false }, 1), 'EXPORTING_ALREADY')
  assert.equal(refuseStart({ isVendor: true }, 0), 'AGENCY_VENDOR')
})

test('what failed can be tried again, and nothing else', () => {
  assert.equal(refuseRetry('failed'), null)
  for (const state of ['queued', 'making', 'done', 'deleted'] as const)
    assert.equal(refuseRetry(state), 'NOT_FAILED', state)
})

test('a file is there from its end to the end of its time', () => {
  assert.equal(refuseFetch('queued', null, 5), 'NOT_READY')
  assert.equal(refuseFetch('failed', null, 5), 'NOT_READY')
  assert.equal(refuseFetch('done', 6, 5), null)
  assert.equal(refuseFetch('done', 5, 5), 'FILE_GONE')
  assert.equal(refuseFetch('deleted', 6, 5), 'FILE_GONE')
})

test('progress stays below its end until it is there', () => {
  const row = { rowsWritten: 50, rowsExpected: 40 }
  assert.equal(percentOf({ ...row, state: 'making' }), 99)
  assert.equal(percentOf({ ...row, state: 'queued', rowsExpected: null }), null)
  assert.equal(percentOf({ rowsWritten: 0, rowsExpected: 0, state: 'making' }), 0)
  assert.equal(percentOf({ ...row, state: 'done' }), 100)
  assert.equal(isUnfinished('making'), true)
  assert.equal(isUnfinished('failed'), false)
})

test('a number says the day, and no two are alike', () => {
  assert.equal(exportNo(7, '2026-11-30'), 'SJ20261130000007')
})
