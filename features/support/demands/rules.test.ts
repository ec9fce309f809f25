import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import {
  type Assessed,
  brokenIn,
  changedIn,
  DEMAND_REFUSALS,
  type DemandForm,
  mentionedIn,
  refuseAssessment,
  refuseUnmerge,
  titleFrom,
  weightAt,
  weightRank,
} from './rules.ts'

const NOW = Date.parse('2026-11-26T04:00:00Z')
const FORM: DemandForm = {
  title: '打印小票时卡住',
  path: '',
  merchantId: '12345678',
  ownerId: 1,
  priority: 'major',
  type: 'bug',
  client: 'pcWeb',
  industryId: 2,
  deadline: null,
  status: 'feedbacked',
  description: '',
}

describe('what becomes of one', () => {
  const PAST = '2026-11-01T04:00:00Z'
  const seen: Assessed = { status: 'feedbacked', ownerId: 1, priority: 'major', deadline: PAST }

  test('only what was changed is sent', () => {
    assert.deepEqual(changedIn(seen, seen), {})
    assert.deepEqual(changedIn(seen, { ...seen, status: 'toSchedule' }), { status: 'toSchedule' })
    assert.deepEqual(changedIn(seen, { ...seen, deadline: null }), { deadline: null })
    assert.deepEqual(changedIn(seen, { ...seen, ownerId: 2, priority: 'minor' }), {
      ownerId: 2,
      priority: 'minor',
    })
  })

  test('something is changed, and no deadline is chosen that has passed', () => {
    assert.equal(refuseAssessment(seen, seen, NOW)?.field, 'status')
    assert.equal(refuseAssessment(seen, { ...seen, status: 'rejected' }, NOW), null)
    assert.equal(refuseAssessment(seen, { ...seen, deadline: null }, NOW), null)
    assert.deepEqual(refuseAssessment(seen, { ...seen, deadline: '2026-11-02T04:00:00Z' }, NOW), {
      field: 'deadline',
      message: DEMAND_REFUSALS.DEADLINE_PAST,
    })
  })
})

describe('the form (D3 §5)', () => {
  const cases: [string, Partial<DemandForm>, string | null][] = [
    ['is accepted as it is', {}, null],
    ['needs a title', { title: '  ' }, 'TITLE_REQUIRED'],
    ['takes 30 characters of a title', { title: '需'.repeat(30) }, null],
    ['takes no more', { title: '需'.repeat(31) }, 'TITLE_TOO_LONG'],
    ['counts a character beyond the first plane as one', { title: '🧾'.repeat(30) }, null],
    ['needs a shop', { merchantId: '' }, 'SHOP_INVALID'],
    ['takes no seven digits for a shop', { merchantId: '1234567' }, 'SHOP_INVALID'],
    ['takes no nine digits for a shop', { merchantId: '123456789' }, 'SHOP_INVALID'],
    ['takes no letters for a shop', { merchantId: '1234567a' }, 'SHOP_INVALID'],
    ['needs an owner', { ownerId: null }, 'OWNER_REQUIRED'],
    ['needs a priority', { priority: null }, 'PRIORITY_REQUIRED'],
    ['needs a type', { type: null }, 'TYPE_REQUIRED'],
    ['needs a client', { client: null }, 'CLIENT_REQUIRED'],
    ['needs an industry', { industryId: null }, 'INDUSTRY_REQUIRED'],
    ['takes no deadline before now', { deadline: '2026-11-26T03:59:00Z' }, 'DEADLINE_PAST'],
    ['takes one from now on', { deadline: '2026-11-26T04:00:00Z' }, null],
  ]
  for (const [name, changes, expected] of cases)
    test(name, () => assert.equal(brokenIn({ ...FORM, ...changes }, NOW)[0]?.code ?? null, expected))

  test('keeps a deadline that has passed meanwhile', () => {
    const deadline = '2026-11-20T04:00:00.000Z'
    assert.deepEqual(brokenIn({ ...FORM, deadline }, NOW, deadline), [])
  })

  test('names all that is missing in the order of the form', () => {
    const empty = {
      title: '',
      merchantId: '',
      ownerId: null,
      priority: null,
      type: null,
      client: null,
      industryId: null,
    }
    assert.deepEqual(
      brokenIn({ ...FORM, ...empty }, NOW).map(({ field }) => field),
      Object.keys(empty),
    )
  })
})

describe('the weight', () => {
  const asked = {
    shops: 2,
    renewalCents: 300_00,
    oldestAskedAt: '2026-11-06T04:00:00Z',
    status: 'feedbacked',
  } as const

  test('is ten a shop, one for 100 tokens and one for ten days', () =>
    assert.equal(weightAt(weightRank(asked), NOW), 20 + 3 + 2))

  test('grows as it waits, and keeps the order of its rank', () => {
    const rank = weightRank(asked)
    const heavier = weightRank({ ...asked, shops: 3 })
    assert.ok(heavier > rank)
    assert.equal(weightAt(rank, NOW + 10 * 86_400_000) - weightAt(rank, NOW), 1)
  })

  test('is nothing once it is online or rejected', () => {
    assert.equal(weightAt(weightRank({ ...asked, status: 'online' }), NOW), 0)
    assert.equal(weightAt(weightRank({ ...asked, status: 'rejected' }), NOW), 0)
    assert.ok(weightRank({ ...asked, status: 'postponed' }) > weightRank({ ...asked, status: 'online' }))
  })
})

describe('a merge', () => {
  const cases: [string, number | null, string | null, string | null][] = [
    ['is undone at once', 7, '2026-11-26T03:59:00.000Z', null],
    ['is undone up to the last moment of 30 days', 7, '2026-10-27T04:00:00.000Z', null],
    ['is not undone after it', 7, '2026-10-27T03:59:59.999Z', 'MERGE_OLD'],
    ['of which nobody knows what it changed is not undone', 7, null, 'MERGE_OLD'],
    ['that was not made is not undone', null, null, 'NOT_MERGED'],
  ]
  for (const [name, mergedIntoId, mergedAt, expected] of cases)
    test(name, () => assert.equal(refuseUnmerge({ mergedIntoId, mergedAt }, NOW), expected))
})

describe('what a demand of a thread is called', () => {
  const cases: [string, string, string][] = [
    ['is what was said', ' 钱箱弹不开 ', '钱箱弹不开'],
    ['is one line', '钱箱弹不开\n  换了线也不行', '钱箱弹不开 换了线也不行'],
    ['is all of 30 characters', '需'.repeat(30), '需'.repeat(30)],
    ['is cut to 30 characters', '需'.repeat(31), `${'需'.repeat(29)}…`],
    ['counts a character beyond the first plane as one', '🧾'.repeat(31), `${'🧾'.repeat(29)}…`],
  ]
  for (const [name, text, expected] of cases) test(name, () => assert.equal(titleFrom(text), expected))
})

test('people are named by @ and their whole name', () => {
  const people = [{ name: '王' }, { name: '王芳' }, { name: '李伟' }, { name: '' }]
  const named = (text: string) => mentionedIn(text, people).map(({ name }) => name)
  assert.deepEqual(named('@王芳 看一下'), ['王芳'])
  assert.deepEqual(named('@李伟@王 都看一下'), ['李伟', '王'])
  assert.deepEqual(named('王芳已看'), [])
})
