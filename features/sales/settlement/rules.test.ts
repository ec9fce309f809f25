import assert from 'node:assert/strict'
import test from 'node:test'
import {
  comparedPeriods,
  daysOfMonth,
  MONTH_PATTERN,
  monthAfter,
  monthsUntil,
  needsApproval,
  type Period,
  refuseAllocation,
  refuseApprovalAmount,
  refuseDecider,
  refuseDecision,
  refuseReceiver,
  SETTLEMENT_REFUSALS,
  UNDO_REQUEST_STEPS,
} from './rules.ts'

test('an undo waits for a second person only above the amount', () => {
  const cases: [back: number, limit: number | null, waits: boolean][] = [
    [100, null, false],
    [0, 0, false],
    [1, 0, true],
    [39_800, 39_800, false],
    [39_801, 39_800, true],
  ]
  for (const [back, limit, waits] of cases)
    assert.equal(needsApproval(back, limit), waits, `${back} ${limit}`)
})

test('whoever asked cannot decide, nobody decides twice, and nobody after 15 days', () => {
  const pending = { state: 'pending', requestedBy: 7, requestedAt: '2026-03-01T08:00:00.000Z' } as const
  const lastMoment = '2026-03-16T07:59:59.999Z'
  const ended = '2026-03-16T08:00:00.000Z'
  const cases = [
    [{}, 8, lastMoment, null],
    [{}, 7, lastMoment, 'REQUEST_OWN'],
    [{ state: 'approved' }, 8, lastMoment, 'REQUEST_DECIDED'],
    [{ state: 'rejected' }, 7, lastMoment, 'REQUEST_DECIDED'],
    [{}, 8, ended, 'UNDO_REQUEST_EXPIRED'],
    [{}, 7, ended, 'UNDO_REQUEST_EXPIRED'],
    [{ state: 'approved' }, 8, ended, 'REQUEST_DECIDED'],
  ] as const
  for (const [changes, who, now, code] of cases)
    assert.equal(refuseDecider({ ...pending, ...changes }, who, now), code)
  assert.deepEqual(
    Object.values(UNDO_REQUEST_STEPS).map(({ from }) => from),
    [['pending'], ['pending']],
  )
})

test('a rejection needs a reason, an approval may have one', () => {
  const cases = [
    ['reject', '', 'DECISION_REQUIRED'],
    ['reject', '  ', 'DECISION_REQUIRED'],
    ['reject', '金额不符', null],
    ['approve', '', null],
    ['approve', '长'.repeat(50), null],
    ['approve', '长'.repeat(51), 'DECISION_TOO_LONG'],
    ['reject', '𠮷'.repeat(50), null],
  ] as const
  for (const [action, decision, code] of cases) assert.equal(refuseDecision(action, decision), code)
})

test('the amount that asks for approval is none, or from 0 up', () => {
  for (const amount of [null, 0, 1, 100_000_000_000]) assert.equal(refuseApprovalAmount(amount), null)
  for (const amount of [-1, 0.5, Number.NaN, 100_000_000_001, Number.POSITIVE_INFINITY])
    assert.equal(refuseApprovalAmount(amount), 'APPROVAL_AMOUNT')
})

test('tokens go only to an enabled agent of one’s own', () => {
  assert.equal(refuseReceiver({ isChild: true, status: 'active' }), null)
  assert.equal(refuseReceiver({ isChild: true, status: 'suspended' }), null)
  assert.equal(refuseReceiver({ isChild: true, status: 'closed' }), 'ALLOCATE_DISABLED')
  assert.equal(refuseReceiver({ isChild: false, status: 'active' }), 'ALLOCATE_NOT_CHILD')
  assert.equal(SETTLEMENT_REFUSALS.ALLOCATE_AMOUNT, '请输入大于0的数额')
})

test('what is handed down is a whole amount above nothing, with a short remark', () => {
  const cases: [amountCents: number, remark: string, code: string | null][] = [
    [1, '', null],
    [1_000_000_000, '', null],
    [1_000_000_001, '', 'ALLOCATE_TOO_MUCH'],
    [0, '', 'ALLOCATE_AMOUNT'],
    [-5, '', 'ALLOCATE_AMOUNT'],
    [1.5, '', 'ALLOCATE_AMOUNT'],
    [Number.NaN, '', 'ALLOCATE_AMOUNT'],
    [1, '长'.repeat(50), null],
    [1, '长'.repeat(51), 'ALLOCATE_REMARK_TOO_LONG'],
  ]
  for (const [amountCents, remark, code] of cases)
    assert.equal(refuseAllocation({ amountCents, remark }), code, `${amountCents} ${remark.length}`)
})

test('months know their days, their neighbours and the turn of the year', () => {
  assert.deepEqual(daysOfMonth('2026-02'), { first: '2026-02-01', last: '2026-02-28' })
  assert.deepEqual(daysOfMonth('2028-02'), { first: '2028-02-01', last: '2028-02-29' })
  assert.deepEqual(daysOfMonth('2026-12'), { first: '2026-12-01', last: '2026-12-31' })
  assert.equal(monthAfter('2026-12', 1), '2027-01')
  assert.equal(monthAfter('2026-01', -1), '2025-12')
  assert.equal(monthAfter('2026-05', -17), '2024-12')
  assert.deepEqual(monthsUntil('2026-02', 4), ['2025-11', '2025-12', '2026-01', '2026-02'])
  for (const month of ['2026-01', '2099-12']) assert.match(month, MONTH_PATTERN)
  for (const month of ['2026-00', '2026-13', '1999-12', '2026-1', '0000-01'])
    assert.doesNotMatch(month, MONTH_PATTERN)
})

const PERIOD_CASES: [period: Period, month: string, today: string, now: string, before: string][] = [
  ['month', '2026-11', '2026-11-23', '2026-11-01 2026-11-23', '2026-10-01 2026-10-23'],
  ['month', '2026-10', '2026-11-23', '2026-10-01 2026-10-31', '2026-09-01 2026-09-30'],
  ['month', '2026-03', '2026-03-31', '2026-03-01 2026-03-31', '2026-02-01 2026-02-28'],
  ['month', '2026-01', '2026-01-01', '2026-01-01 2026-01-01', '2025-12-01 2025-12-01'],
  ['month', '2027-01', '2026-11-23', '2027-01-01 2027-01-01', '2026-12-01 2026-12-01'],
  ['quarter', '2026-11', '2026-11-23', '2026-10-01 2026-11-23', '2026-07-01 2026-08-23'],
  ['quarter', '2026-05', '2026-11-23', '2026-04-01 2026-06-30', '2026-01-01 2026-03-31'],
  ['year', '2026-02', '2026-11-23', '2026-01-01 2026-11-23', '2025-01-01 2025-11-23'],
  ['year', '2024-02', '2026-11-23', '2024-01-01 2024-12-31', '2023-01-01 2023-12-31'],
  ['year', '2024-02', '2024-02-29', '2024-01-01 2024-02-29', '2023-01-01 2023-02-28'],
]

test('a period is compared with the one before it, and one that has not ended with the same days of it', () => {
  for (const [period, month, today, now, before] of PERIOD_CASES) {
    const found = comparedPeriods(period, month, today)
    assert.equal(`${found.now.from} ${found.now.to}`, now, `${period} ${month} ${today}`)
    assert.equal(`${found.before.from} ${found.before.to}`, before, `${period} ${month} ${today}, before`)
  }
})
