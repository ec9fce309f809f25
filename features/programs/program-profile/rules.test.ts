// What is refused of a change of what a mini program shows of itself, and what may follow on what.
import assert from 'node:assert/strict'
import test from 'node:test'
import {
  brokenPart,
  CHANGE_STATE_KEYS,
  type ChangeState,
  type ChangeStep,
  changeTakes,
  hasProfile,
  isEndedByTold,
  isOfCategory,
  isOpen,
  isSilent,
  leftOf,
  PART_KEYS,
  type PartStanding,
  PROFILE_CHANGE_STEPS,
  refusePart,
  refuseRemoval,
  reviewSeconds,
} from './rules.ts'

const FREE: PartStanding = { isTakenOver: false, isReleased: false, isOpen: false, left: 1 }

test('a part is refused for what stands, the name for more than the rest', () => {
  const all = (standing: Partial<PartStanding>) =>
    PART_KEYS.map(part => refusePart(part, { ...FREE, ...standing }))
  assert.deepEqual(all({}), [null, null, null, null])
  assert.deepEqual(all({ left: null }), [null, null, null, null])
  assert.deepEqual(all({ isTakenOver: true }), ['NOT_VIA_API', null, null, null])
  assert.deepEqual(all({ isReleased: true }), ['RELEASED_ALREADY', null, null, null])
  assert.deepEqual(all({ isOpen: true, left: 0 }), ['IN_REVIEW', 'IN_REVIEW', 'IN_REVIEW', 'IN_REVIEW'])
  assert.deepEqual(all({ left: 0 }), [
    ...['NO_NAME_CHANGE', 'NO_HEAD_IMAGE_CHANGE', 'NO_INTRO_CHANGE', 'NO_CATEGORY_CHANGE'],
  ])
  assert.deepEqual([leftOf({ used: 3, quota: 2 }), leftOf({ used: 1, quota: 2 })], [0, 1])
})

test('only its own field is judged, by the words of the application', () => {
  const rows: readonly (readonly ['programName' | 'intro', string, string[]])[] = [
    ['programName', '', ['NAME_REQUIRED']],
    ['programName', '张', ['NAME_LENGTH_WRONG']],
    ['programName', '老张 面馆', ['NAME_SYMBOLS']],
    ['programName', '老张面馆', []],
    ['intro', ' ', ['INTRO_REQUIRED']],
    ['intro', '面馆', ['INTRO_TOO_SHORT']],
    ['intro', '面'.repeat(51), ['INTRO_TOO_LONG']],
    ['intro', '面'.repeat(50), []],
  ]
  for (const [part, text, codes] of rows)
    assert.deepEqual(
      brokenPart(part, text).map(({ field, code }) => `${field} ${code}`),
      codes.map(code => `${part} ${code}`),
      text,
    )
})

test('a change goes on where its table says, and nowhere else', () => {
  const allowed: Record<ChangeState, ChangeStep[]> = {
    sending: ['accept', 'pass', 'refuse'],
    reviewing: ['pass', 'refuse'],
    refused: [],
    passed: [],
  }
  for (const state of CHANGE_STATE_KEYS)
    assert.deepEqual(
      (Object.keys(PROFILE_CHANGE_STEPS) as ChangeStep[]).filter(step => changeTakes(state, step)),
      allowed[state],
      state,
    )
  assert.deepEqual(CHANGE_STATE_KEYS.filter(isOpen), ['sending', 'reviewing'])
})

test('it is shown from its data on, and asked about less often as time goes by', () => {
  assert.deepEqual(
    (['toAuthorize', 'authorized', 'profile', 'code', 'inAudit', 'released'] as const).map(hasProfile),
    [false, false, true, true, true, true],
  )
  assert.deepEqual([0, 599, 600].map(reviewSeconds), [60, 60, 600])
  assert.deepEqual([47.9, 48].map(isSilent), [false, true])
})

test('a refusal that was told ends the name whose number was lost, of this try alone', () => {
  const change = {
    ...({ part: 'name', state: 'reviewing', auditId: '', value: '老张面馆' } as const),
    submittedAt: '2026-11-30T00:00:10.900Z',
  }
  const told = { state: 'refused', name: '老张面馆', at: '2026-11-30T00:00:10.000Z' } as const
  const CASES: [Parameters<typeof isEndedByTold>[0], Parameters<typeof isEndedByTold>[1], boolean][] = [
    [change, told, true],
    [change, { ...told, at: '2026-11-30T00:00:09.000Z' }, false],
    [change, { ...told, state: 'passed' }, false],
    [change, { ...told, name: '老王面馆' }, false],
    [{ ...change, auditId: '7' }, told, false],
    [{ ...change, state: 'sending' }, told, false],
    [{ ...change, state: 'refused' }, told, false],
    [{ ...change, part: 'intro' }, told, false],
  ]
  for (const [one, event, isEnded] of CASES) assert.equal(isEndedByTold(one, event), isEnded)
})

test('a category is taken away where it is not in review and another that has passed stays', () => {
  const of = (...states: ('reviewing' | 'refused' | 'passed')[]) =>
    states.map((state, at) => ({ second: at + 1, state }))
  assert.equal(refuseRemoval([], 1), 'NO_SUCH_CATEGORY')
  assert.equal(refuseRemoval(of('passed'), 2), 'NO_SUCH_CATEGORY')
  assert.equal(refuseRemoval(of('reviewing', 'passed'), 1), 'CATEGORY_IN_REVIEW')
  assert.equal(refuseRemoval(of('passed'), 1), 'LAST_CATEGORY')
  assert.equal(refuseRemoval(of('passed', 'refused', 'reviewing'), 1), 'LAST_CATEGORY')
  assert.equal(refuseRemoval(of('passed', 'passed'), 1), null)
  assert.equal(refuseRemoval(of('refused'), 1), null)
})

test('a change is of the category that it begins with, and taking one away is of none', () => {
  const is = (value: string, name: string, isRemoval = false) => isOfCategory({ value, isRemoval }, { name })
  assert.deepEqual(
    [is('餐饮 / 点评', '餐饮 / 点评'), is('出行 / 网约车 / 顺风车', '出行 / 网约车')],
    [true, true],
  )
  assert.deepEqual(
    [is('餐饮 / 点评与推荐', '餐饮 / 点评'), is('餐饮 / 点评', '餐饮 / 点评', true)],
    [false, false],
  )
})
