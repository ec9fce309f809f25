import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import {
  type AccountChangeStep,
  isGivenUp,
  isMaskOf,
  refuseAtAcquirer,
  refuseAtService,
  refuseChange,
  refuseHolder,
  refuseKind,
  refusePaper,
  secondsToNext,
} from './rules.ts'

const NOW = new Date('2026-11-29T12:00:00Z')

test('an account is changed where payments are open, one at a time, five a day', () => {
  const whole = { refusal: null, isOpen: false, today: 4, mostADay: 5 }
  assert.equal(refuseChange(whole), null)
  assert.equal(refuseChange({ ...whole, refusal: 'NOT_FINISHED', isOpen: true }), 'NOT_FINISHED')
  assert.equal(refuseChange({ ...whole, isOpen: true }), 'CHANGE_UNDER_WAY')
  assert.equal(refuseChange({ ...whole, today: 5 }), 'TOO_MANY_TODAY')
  assert.equal(refuseAtService(true, true), null)
  assert.equal(refuseAtService(false, true), 'NOT_FINISHED')
  assert.equal(refuseAtService(true, false), 'NO_SERVICE')
})

test('at an acquirer it is changed once the shop is taken on there, where its protocol is spoken', () => {
  const whole = { isOpened: true, isActive: true, isConnected: true }
  assert.equal(refuseAtAcquirer(whole), null)
  assert.equal(refuseAtAcquirer({ ...whole, isOpened: false }), 'NOT_OPENED')
  assert.equal(refuseAtAcquirer({ ...whole, isActive: false }), 'NOT_OPENED')
  assert.equal(refuseAtAcquirer({ ...whole, isConnected: false }), 'NOT_CONNECTED')
  assert.equal(refuseChange({ refusal: null, isOpen: false, today: 99, mostADay: null }), null)
})

test('an account is of whom the shop is known to be', () => {
  assert.equal(refuseHolder('corporate', { holder: '老张面馆', hasIdNumber: false }), null)
  assert.equal(refuseHolder('private', { holder: '张三', hasIdNumber: true }), null)
  assert.equal(refuseHolder('corporate', { holder: '', hasIdNumber: true }), 'HOLDER_UNKNOWN')
  assert.equal(refuseHolder('private', { holder: '张三', hasIdNumber: false }), 'ID_NUMBER_UNKNOWN')
})

test('a paper proves the new account, and not the one before', () => {
  assert.equal(refusePaper({ id: 3, isPdf: false }, [1, 2]), null)
  assert.equal(refusePaper({ id: 2, isPdf: false }, [1, 2]), 'PAPER_OLD')
  assert.equal(refusePaper({ id: 3, isPdf: true }, []), 'PAPER_PDF')
  assert.equal(refusePaper(null, []), 'PAPER_REQUIRED')
})

test('an account of a kind that the shop may not have is refused', () => {
  assert.equal(refuseKind(['corporate'], 'private'), 'ACCOUNT_KIND_WRONG')
  assert.equal(refuseKind(['corporate', 'private'], 'private'), null)
})

test('a number is known again by how it begins and ends', () => {
  assert.ok(isMaskOf('755912*****8901', '755912345678901'))
  assert.ok(!isMaskOf('755912*****8901', '755912345678902'))
  assert.ok(!isMaskOf('655912*****8901', '755912345678901'))
  assert.ok(!isMaskOf('', '755912345678901'))
})

describe('the service is asked', () => {
  const cases: [state: AccountChangeStep, tries: number, changedAt: string, seconds: number | null][] = [
    ['waiting', 1, '2026-11-29T12:00:00Z', 10],
    ['waiting', 20, '2026-11-29T12:00:00Z', 600],
    ['unclear', 1, '2026-11-29T12:00:00Z', 300],
    ['auditing', 1, '2026-11-29T11:01:00Z', 300],
    ['auditing', 9, '2026-11-29T10:59:00Z', 3_600],
    ['done', 1, '2026-11-29T12:00:00Z', null],
    ['refused', 1, '2026-11-29T12:00:00Z', null],
  ]
  for (const [state, tries, changedAt, seconds] of cases)
    test(`${state} since ${changedAt} after ${tries} tries: in ${seconds} s`, () => {
      assert.equal(secondsToNext({ state, tries, changedAt }, NOW), seconds)
    })
})

test('what nobody has confirmed for a day is given up', () => {
  assert.ok(!isGivenUp('2026-11-28T12:00:01Z', NOW))
  assert.ok(isGivenUp('2026-11-28T12:00:00Z', NOW))
})
