import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import {
  type Audience,
  audienceOf,
  audienceText,
  covers,
  isMeant,
  nameOfCopy,
  refuseAudience,
  refuseName,
  refusePublishing,
  refuseWidening,
  stateOf,
} from './rules.ts'

const ALL: Audience = { all: true, industryIds: [], shopIds: [] }
const to = (industryIds: number[], shopIds: number[] = []): Audience => ({ all: false, industryIds, shopIds })

test('a name is needed, of 20 characters at the most', () => {
  assert.equal(refuseName('  '), 'NAME_REQUIRED')
  assert.equal(refuseName('价'.repeat(20)), null)
  assert.equal(refuseName('𠮷'.repeat(20)), null, 'a character beyond the first plane is one')
  assert.equal(refuseName('价'.repeat(21)), 'NAME_TOO_LONG')
})

test('a copy is called after what it is of, and no longer than a name may be', () => {
  assert.equal(nameOfCopy('价签'), '价签 副本')
  assert.equal(refuseName(nameOfCopy('价'.repeat(20))), null)
})

describe('whom a version is for', () => {
  test('is all, and nothing beside it, or each industry and shop once', () => {
    assert.deepEqual(audienceOf({ all: true, industryIds: [1], shopIds: [2] }), ALL)
    assert.deepEqual(audienceOf(to([3, 1, 3], [9, 9])), to([1, 3], [9]))
    assert.equal(refuseAudience(to([])), 'AUDIENCE_REQUIRED')
    for (const one of [ALL, to([1]), to([], [1])]) assert.equal(refuseAudience(one), null)
  })

  const cases: [wide: Audience, narrow: Audience, covered: boolean][] = [
    [ALL, ALL, true],
    [ALL, to([1], [2]), true],
    [to([1]), ALL, false],
    [to([1, 2]), to([1]), true],
    [to([1]), to([1, 2]), false],
    [to([1], [7]), to([], [7]), true],
    [to([1]), to([], [7]), false],
    [to([], [7]), to([1]), false],
    [to([1, 2], [7, 8]), to([2], [8]), true],
  ]
  for (const [wide, narrow, covered] of cases)
    test(`${JSON.stringify(wide)} is ${covered ? '' : 'not '}for all of ${JSON.stringify(narrow)}`, () => {
      assert.equal(covers(wide, narrow), covered)
      assert.equal(refuseWidening(narrow, wide), covered ? null : 'AUDIENCE_NARROWER')
    })

  test('is told of a shop', () => {
    const shop = { id: 7, industryId: 2 }
    assert.deepEqual(
      [ALL, to([2]), to([1]), to([1], [7]), to([], [8])].map(audience => isMeant(audience, shop)),
      [true, true, false, true, false],
    )
  })

  test('reads as people say it', () => {
    const nameOf = (id: number) => ({ 1: '服装', 2: '餐饮' })[id] ?? String(id)
    assert.equal(audienceText(ALL, nameOf), '全部店铺')
    assert.equal(audienceText(to([1, 2]), nameOf), '服装、餐饮')
    assert.equal(audienceText(to([1], [7, 8]), nameOf), '服装，2 家指定店铺')
  })
})

test('a draft is published, changed since, or not published', () => {
  assert.equal(stateOf({ revision: 3, publishedVersion: null, publishedRevision: null }), 'draft')
  assert.equal(stateOf({ revision: 3, publishedVersion: 1, publishedRevision: 3 }), 'published')
  assert.equal(stateOf({ revision: 4, publishedVersion: 1, publishedRevision: 3 }), 'changed')
  assert.equal(stateOf({ revision: 4, publishedVersion: 1, publishedRevision: null }), 'changed')
})

describe('a draft is not published', () => {
  const fresh = { state: 'draft' } as const
  test('with faults, unless a reason is given', () => {
    assert.equal(refusePublishing(fresh, { faults: 1, isEmpty: false, reason: ' ' }), 'FAULTS')
    assert.equal(refusePublishing(fresh, { faults: 1, isEmpty: false, reason: '客户急用' }), null)
    assert.equal(refusePublishing(fresh, { faults: 0, isEmpty: false, reason: '' }), null)
    assert.equal(refusePublishing(fresh, { faults: 1, isEmpty: true, reason: '先占个位置' }), 'EMPTY')
    assert.equal(
      refusePublishing(fresh, { faults: 0, isEmpty: false, reason: '因'.repeat(201) }),
      'REASON_TOO_LONG',
    )
  })
  test('where nothing has changed since it was', () => {
    assert.equal(
      refusePublishing({ state: 'published' }, { faults: 0, isEmpty: false, reason: '' }),
      'NOT_CHANGED',
    )
    assert.equal(refusePublishing({ state: 'changed' }, { faults: 0, isEmpty: false, reason: '' }), null)
  })
})
