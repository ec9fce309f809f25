import assert from 'node:assert/strict'
import test from 'node:test'
import {
  brokenIn,
  dueAfter,
  dueAfterWait,
  isOverdue,
  mayStep,
  meanwhileText,
  ORDER_STATE_KEYS,
  type OrderForm,
  type OrderState,
  type OrderStep,
  pressingAt,
  refuseCharge,
  refuseClose,
  refuseDue,
  refuseMore,
  refuseRating,
  refuseRemoval,
  refuseReopen,
  refuseStep,
  type Score,
  WORK_ORDER_STEPS,
} from './rules.ts'

const NOW = Date.parse('2026-11-20T04:00:00Z')
const at = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString()

test('each step is taken from its states alone', () => {
  const allowed: Record<OrderStep, readonly OrderState[]> = {
    accept: ['new'],
    start: ['new', 'accepted'],
    ask: ['accepted', 'working'],
    resume: ['waiting'],
    finish: ['working', 'waiting'],
    reopen: ['done'],
    close: ['new', 'accepted', 'working', 'waiting', 'done'],
    expire: ['done'],
  }
  for (const step of Object.keys(WORK_ORDER_STEPS) as OrderStep[])
    assert.deepEqual(
      ORDER_STATE_KEYS.filter(state => mayStep(state, step)),
      allowed[step],
      step,
    )
})

test('the partner takes no step of the staff, and staff none of the partner', () => {
  const by = (who: string) =>
    Object.entries(WORK_ORDER_STEPS).flatMap(([step, { by }]) =>
      (by as readonly string[]).includes(who) ? [step] : [],
    )
  assert.deepEqual(by('workOrders.write'), ['resume', 'reopen', 'close'])
  assert.deepEqual(by('workOrders.handle'), ['accept', 'start', 'ask', 'resume', 'finish'])
  assert.deepEqual(by('program'), ['expire'])
})

const FORM: OrderForm = {
  ...{ kind: 'fault', urgency: 'normal', title: '打印机离线', text: '换了网线也不行' },
  ...{ merchantId: null, pictures: [] },
}

test('a new one says what it is about', () => {
  const cases: readonly (readonly [Partial<OrderForm>, string[]])[] = [
    [{}, []],
    [{ kind: null }, ['KIND_REQUIRED']],
    [{ title: ' ', text: '' }, ['TITLE_REQUIRED', 'CONTENT_REQUIRED']],
    [{ title: '长'.repeat(50) }, []],
    [{ title: '长'.repeat(51) }, ['TITLE_TOO_LONG']],
    [{ text: '长'.repeat(501) }, ['CONTENT_TOO_LONG']],
    [{ pictures: ['1', '2', '3', '4', '5', '6'] }, ['PICTURES_TOO_MANY']],
  ]
  for (const [change, codes] of cases)
    assert.deepEqual(
      brokenIn({ ...FORM, ...change }).map(({ code }) => code),
      codes,
    )
})

test('a step is refused to whoever has seen another state, and what is asked for is said', () => {
  const order = { state: 'working', revision: 3 } as const
  const cases = [
    [{ step: 'finish', revision: 3, text: '' }, null],
    [{ step: 'finish', revision: 2, text: '' }, 'CHANGED_MEANWHILE'],
    [{ step: 'accept', revision: 3, text: '' }, 'STEP_IMPOSSIBLE'],
    [{ step: 'ask', revision: 3, text: ' ' }, 'CONTENT_REQUIRED'],
    [{ step: 'ask', revision: 3, text: '请提供账号' }, null],
    [{ step: 'finish', revision: 3, text: '长'.repeat(501) }, 'CONTENT_TOO_LONG'],
  ] as const
  for (const [asked, code] of cases) assert.equal(refuseStep(order, asked), code)
  assert.match(meanwhileText('袁娜'), /^袁娜刚刚已处理/)
  assert.match(meanwhileText(''), /^同事刚刚已处理/)
})

test('what is over has no person and no due time to be set', () => {
  for (const state of ORDER_STATE_KEYS)
    assert.equal(
      refuseCharge({ state, revision: 1 }, 1),
      state === 'done' || state === 'closed' ? 'ORDER_OVER' : null,
    )
  assert.equal(refuseCharge({ state: 'new', revision: 1 }, 0), 'CHANGED_MEANWHILE')
  const dues = [
    [null, 'DUE_REQUIRED'],
    ['soon', 'DUE_REQUIRED'],
    [at(-1), 'DUE_PAST'],
    [at(1), null],
    [at(24 * 366), 'DUE_TOO_FAR'],
  ] as const
  for (const [due, code] of dues) assert.equal(refuseDue(due, NOW), code)
})

test('it is opened anew within the days, by whoever is not satisfied', () => {
  const done = (hours: number, satisfaction: Score | null = null) =>
    ({ state: 'done', doneAt: at(hours), satisfaction }) as const
  const cases = [
    [done(-1), null],
    [done(-7 * 24), null],
    [done(-7 * 24 - 1), 'REOPEN_LATE'],
    [done(-1, '1'), null],
    [done(-1, '3'), null],
    [done(-1, '4'), 'SATISFIED'],
    [{ state: 'working', doneAt: null, satisfaction: null }, 'NOT_DONE'],
    [{ state: 'closed', doneAt: at(-1), satisfaction: null }, 'CLOSED_ALREADY'],
  ] as const
  for (const [order, code] of cases) assert.equal(refuseReopen(order, NOW, 7), code)
})

test('what was done is rated once, what was never done not at all', () => {
  const done = { state: 'done', doneAt: at(-1), satisfaction: null } as const
  assert.equal(refuseRating(done, ''), null)
  assert.equal(refuseRating({ ...done, state: 'closed' }, '很快'), null)
  assert.equal(refuseRating({ ...done, satisfaction: '5' }, ''), 'RATED_ALREADY')
  assert.equal(refuseRating({ ...done, state: 'closed', doneAt: null }, ''), 'NOT_DONE')
  assert.equal(refuseRating(done, '长'.repeat(201)), 'RATING_TOO_LONG')
})

test('only a new one is deleted, and by its author alone', () => {
  assert.equal(refuseRemoval({ state: 'new', createdBy: 7 }, 7), null)
  assert.equal(refuseRemoval({ state: 'new', createdBy: 7 }, 8), 'NOT_AUTHOR')
  assert.equal(refuseRemoval({ state: 'accepted', createdBy: 7 }, 7), 'ONLY_NEW')
})

test('it is closed at any time but twice, and then nothing more is said', () => {
  for (const state of ORDER_STATE_KEYS) {
    assert.equal(refuseClose(state), state === 'closed' ? 'CLOSED_ALREADY' : null)
    assert.equal(refuseMore(state), state === 'closed' ? 'ORDER_CLOSED' : null)
  }
})

test('the clock stands while the partner is waited for', () => {
  assert.equal(dueAfter(at(0), 24), at(24))
  assert.equal(dueAfterWait(at(10), at(2), at(5)), at(13))
  assert.equal(dueAfterWait(at(10), null, at(5)), at(10))
  assert.equal(isOverdue({ state: 'working', dueAt: at(-1) }, NOW), true)
  assert.equal(isOverdue({ state: 'waiting', dueAt: at(-1) }, NOW), false)
  assert.equal(isOverdue({ state: 'new', dueAt: at(1) }, NOW), false)
})

test('what is overdue stands first, then what is due, then the rest, the latest first', () => {
  const orders = [
    { name: 'closed long ago', state: 'closed', dueAt: at(-90), lastAt: at(-80) },
    { name: 'due soon', state: 'accepted', dueAt: at(2), lastAt: at(-1) },
    { name: 'closed lately', state: 'closed', dueAt: at(-90), lastAt: at(-1) },
    { name: 'overdue', state: 'new', dueAt: at(-3), lastAt: at(-30) },
    { name: 'due in a month', state: 'working', dueAt: at(720), lastAt: at(0) },
  ] as const
  assert.deepEqual(
    orders.toSorted((a, b) => (pressingAt(a) < pressingAt(b) ? -1 : 1)).map(({ name }) => name),
    ['overdue', 'due soon', 'due in a month', 'closed lately', 'closed long ago'],
  )
})
