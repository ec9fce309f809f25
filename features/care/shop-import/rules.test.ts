import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { headKey } from '#kit/words/heads.ts'
import {
  IMPORT_STATES,
  type ImportState,
  percentOf,
  refuseRollBack,
  refuseStart,
  refuseStep,
  refuseUpload,
} from './rules.ts'
import { readDay, readTerm } from './server-check.ts'

describe('what is refused', () => {
  const staff = { isVendorStaff: true }
  const partner = { isVendorStaff: false }
  const uploads = [
    [{ mode: 'charge', agentId: null, reason: '' }, partner, null],
    [{ mode: 'charge', agentId: 7, reason: '' }, staff, 'MODE_WRONG'],
    [{ mode: 'takeover', agentId: 7, reason: '迁移' }, partner, 'MODE_WRONG'],
    [{ mode: 'takeover', agentId: null, reason: '迁移' }, staff, 'AGENT_REQUIRED'],
    [{ mode: 'takeover', agentId: 7, reason: ' ' }, staff, 'REASON_REQUIRED'],
    [{ mode: 'takeover', agentId: 7, reason: '长'.repeat(51) }, staff, 'REASON_TOO_LONG'],
    [{ mode: 'takeover', agentId: 7, reason: '迁移' }, staff, null],
  ] as const
  for (const [upload, actor, expected] of uploads)
    test(`an upload: ${expected}`, () => assert.equal(refuseUpload(upload, actor), expected))
  const fine = { faulty: 0, undecided: 0, fine: 1 }
  const starts = [
    [fine, null],
    [{ ...fine, faulty: 1 }, 'ROWS_FAULTY'],
    [{ ...fine, undecided: 1 }, 'ROWS_DUPLICATE'],
    [{ ...fine, fine: 0 }, 'NOTHING_TO_IMPORT'],
  ] as const
  for (const [counts, expected] of starts)
    test(`a start: ${expected}`, () => assert.equal(refuseStart(counts), expected))
  const done = {
    state: 'done',
    mode: 'charge',
    created: 2,
    startedAt: '2026-11-01T00:00:00.000Z',
    totalCents: 500,
  } as const
  const by = { ...partner, approvalCents: null }
  const rollBacks = [
    [done, by, '2026-11-16T00:00:00.000Z', null],
    [done, by, '2026-11-16T00:00:00.001Z', 'ROLL_BACK_LATE'],
    [{ ...done, state: 'draft' }, by, '2026-11-02T00:00:00.000Z', 'STEP_NOT_NOW'],
    [{ ...done, created: 0 }, by, '2026-11-02T00:00:00.000Z', 'NOTHING_TO_ROLL_BACK'],
    [{ ...done, mode: 'takeover' }, by, '2026-11-02T00:00:00.000Z', 'TAKEOVER_STAFF'],
    [done, { ...partner, approvalCents: 499 }, '2026-11-02T00:00:00.000Z', 'ROLL_BACK_STAFF'],
    [done, { ...partner, approvalCents: 500 }, '2026-11-02T00:00:00.000Z', null],
    [done, { ...staff, approvalCents: 0 }, '2026-11-02T00:00:00.000Z', null],
  ] as const
  for (const [of, who, now, expected] of rollBacks)
    test(`a roll-back: ${expected}`, () => assert.equal(refuseRollBack(of, who, { now, days: 15 }), expected))
  test('only what waits is dropped, only what runs is stopped', () => {
    const allowed = (step: 'drop' | 'stop') =>
      (Object.keys(IMPORT_STATES) as ImportState[]).filter(state => refuseStep(state, step) === null)
    assert.deepEqual([allowed('drop'), allowed('stop')], [['draft'], ['running']])
  })
  test('100 percent is said of all alone', () => {
    assert.deepEqual([percentOf(999, 1_000), percentOf(1_000, 1_000), percentOf(0, 0)], [99, 100, 100])
  })
})

describe('what people write', () => {
  const days = [
    ['2024-1-5', '2024-01-05'],
    ['2024/01/05 12:30', '2024-01-05'],
    ['2024年1月5日', '2024-01-05'],
    ['2024.1.5', '2024-01-05'],
    ['20240105', '2024-01-05'],
    ['45296', '2024-01-05'],
    ['45296.5', '2024-01-05'],
    ['2024-02-30', null],
    ['13800', null],
    ['明天', null],
    ['', null],
  ] as const
  for (const [text, expected] of days) test(`the day ${text}`, () => assert.equal(readDay(text), expected))
  const terms = [
    ['1年', { term: 'year', periods: 1 }],
    ['两年', { term: 'year', periods: 2 }],
    ['3', { term: 'year', periods: 3 }],
    ['按年', { term: 'year', periods: 1 }],
    ['6个月', { term: 'month', periods: 6 }],
    ['永久', { term: 'lifetime', periods: 1 }],
    ['半年', null],
    ['很久', null],
    ['', null],
  ] as const
  for (const [text, expected] of terms)
    test(`the term ${text}`, () =>
      assert.deepEqual(
        readTerm(text, () => undefined),
        expected,
      ))
  test('heads are compared without blanks, marks and what stands in brackets', () => {
    assert.equal(headKey(' 手机号（必填）* '), headKey('手机号:'))
  })
})
