import assert from 'node:assert/strict'
import test from 'node:test'
import { isFolded, nextAfter, rankOf, STAKES, type Stake, stakeOf } from './rules.ts'

test('money is at stake before what was promised, and that before the rest', () => {
  const kinds = [{}, { within: 24 }, { isMoney: true }, { isMoney: true, within: 24 }] as const
  assert.deepEqual(
    kinds.map(kind => stakeOf(kind)),
    ['rest', 'promise', 'money', 'money'],
  )
  const ranked = (Object.keys(STAKES) as Stake[]).toSorted((a, b) => rankOf(a) - rankOf(b))
  assert.deepEqual(ranked, ['money', 'promise', 'rest'])
  // The list is sorted by the word itself, too.
  assert.deepEqual(ranked, ranked.toSorted())
})

for (const [folded, count, kind, expected] of [
  ['条短信待判定', 9, undefined, true],
  ['条短信待判定', 3, undefined, true],
  ['条短信待判定', 2, undefined, false],
  ['条短信待判定', 9, '判定短信结果', false],
  [undefined, 9, undefined, false],
] as const)
  test(`${count} of ${folded ?? 'what is not alike'} are ${expected ? 'one line' : 'shown each'} under ${kind ?? 'all kinds'}`, () =>
    assert.equal(isFolded(folded === undefined ? {} : { folded }, count, { kind }), expected))

for (const [rows, at, expected] of [
  [['b', 'c'], 0, 'b'],
  [['a', 'c'], 1, 'c'],
  [['a', 'b'], 2, 'b'],
  [[], 0, null],
] as const)
  test(`after the case at ${at} follows ${expected} of ${rows.join() || 'none'}`, () =>
    assert.equal(nextAfter<string>(rows, at), expected))
