import assert from 'node:assert/strict'
import test from 'node:test'
import {
  AT_WORK,
  backupEnd,
  CLEARING_STATES,
  CLEARING_STEPS,
  type ClearingState,
  type ClearingStep,
  isAtWork,
  isRunning,
  needsSecond,
  refuseDecider,
  refuseDecision,
  refuseName,
  refuseReason,
  refuseRestore,
  refuseStep,
  refuseTable,
  runningText,
  secondsUntilAgain,
} from './rules.ts'

const STATES = Object.keys(CLEARING_STATES) as ClearingState[]
const POSSIBLE: Record<ClearingState, ClearingStep[]> = {
  waiting: ['approve', 'reject', 'cancel'],
  asked: ['cancel', 'backUp', 'hold', 'fail'],
  backingUp: ['cancel', 'hold', 'keep', 'fail'],
  backedUp: ['cancel', 'empty'],
  emptying: ['again', 'finish', 'fail'],
  emptied: ['restore', 'expire'],
  restoring: ['bringBack', 'leave', 'expire'],
  restored: [],
  failed: [],
  refused: [],
  cancelled: [],
  expired: [],
}

for (const state of STATES)
  test(`a clearing that is ${state} can take ${POSSIBLE[state].join(', ') || 'no step'}`, () => {
    const possible = (Object.keys(CLEARING_STEPS) as ClearingStep[]).filter(
      step => refuseStep(state, step) === null,
    )
    assert.deepEqual(possible.toSorted(), POSSIBLE[state].toSorted())
  })

test('nothing leads to being emptied but a backup that was kept', () => {
  const leadTo = (to: ClearingState) =>
    Object.values(CLEARING_STEPS).flatMap(step => (step.to === to ? step.from : []))
  assert.deepEqual(leadTo('emptying'), ['backedUp'])
  assert.deepEqual(leadTo('backedUp'), ['backingUp'])
})

test('what begins to be emptied cannot be taken back', () => {
  assert.equal(refuseStep('emptying', 'cancel'), 'STEP_NOT_NOW')
})

test('another of the same table waits for what waits and what is at work', () => {
  assert.deepEqual(STATES.filter(isRunning), ['waiting', ...AT_WORK])
  assert.deepEqual(STATES.filter(isAtWork), [...AT_WORK])
})

const REASONS: [text: string, ofReason: string | null, ofDecision: string | null][] = [
  ['', 'REASON_REQUIRED', 'DECISION_REQUIRED'],
  [' ', 'REASON_REQUIRED', 'DECISION_REQUIRED'],
  ['客户要求', null, null],
  ['长'.repeat(50), null, null],
  ['长'.repeat(51), 'REASON_TOO_LONG', 'DECISION_TOO_LONG'],
]
for (const [text, ofReason, ofDecision] of REASONS)
  test(`a reason of ${[...text].length} characters (${text.slice(0, 4)})`, () => {
    assert.equal(refuseReason(text), ofReason)
    assert.equal(refuseDecision(text), ofDecision)
  })

const NAMES: [typed: string, isRight: boolean][] = [
  ['深圳老张面馆', true],
  ['深圳老张面馆 ', false],
  ['老张面馆', false],
  ['', false],
]
for (const [typed, isRight] of NAMES)
  test(`the typed name “${typed}”`, () => {
    assert.equal(refuseName(typed, '深圳老张面馆'), isRight ? null : 'NAME_WRONG')
  })

test('a table that is busy or has no rows cannot be emptied', () => {
  assert.equal(refuseTable({ rows: 3, isBusy: false }), null)
  assert.equal(refuseTable({ rows: 0, isBusy: false }), 'TABLE_EMPTY')
  assert.equal(refuseTable({ rows: 3, isBusy: true }), 'RUNNING_ALREADY')
})

const SECONDS: [rows: number, decidedBy: number | null, needed: boolean][] = [
  [1_000, null, false],
  [1_001, null, true],
  [1_001, 7, false],
]
for (const [rows, decidedBy, needed] of SECONDS)
  test(`${rows} rows, decided by ${decidedBy}: a second person ${needed ? 'is' : 'is not'} needed`, () => {
    assert.equal(needsSecond(rows, 1_000, decidedBy), needed)
  })

test('who asked does not decide, and nobody decides twice', () => {
  assert.equal(refuseDecider({ state: 'waiting', askedBy: 7 }, 8), null)
  assert.equal(refuseDecider({ state: 'waiting', askedBy: 7 }, 7), 'OWN_REQUEST')
  assert.equal(refuseDecider({ state: 'asked', askedBy: 7 }, 8), 'STEP_NOT_NOW')
})

const DAY_MS = 86_400_000
const AT = '2026-03-01T00:00:00.000Z'
const after = (days: number) => new Date(Date.parse(AT) + days * DAY_MS).toISOString()

test('a backup ends after 30 days, or when the service keeps it no more', () => {
  assert.equal(backupEnd(AT, after(40)), after(30))
  assert.equal(backupEnd(AT, after(20)), after(20))
})

const RESTORES: [state: ClearingState, expiresAt: string | null, refusal: string | null][] = [
  ['emptied', after(1), null],
  ['emptied', AT, 'BACKUP_EXPIRED'],
  ['expired', null, 'BACKUP_EXPIRED'],
  ['restoring', after(1), 'STEP_NOT_NOW'],
  ['restored', after(1), 'STEP_NOT_NOW'],
  ['failed', null, 'STEP_NOT_NOW'],
]
for (const [state, expiresAt, refusal] of RESTORES)
  test(`what is ${state} until ${expiresAt}: restoring is ${refusal ?? 'possible'}`, () => {
    assert.equal(refuseRestore({ state, expiresAt }, AT), refusal)
  })

test('a silent service is asked again ever later, and every five minutes in the end', () => {
  assert.deepEqual([0, 1, 3, 20].map(secondsUntilAgain), [2, 4, 16, 300])
})

test('whoever comes second is told who was first', () => {
  const text = runningText({ byName: '李四', state: 'waiting', since: '2026-03-01 08:00:00' })
  assert.match(text, /李四.*2026-03-01 08:00:00.*待第二人审批/)
})
