import assert from 'node:assert/strict'
import test from 'node:test'
import { notACount, parseCount } from './count.ts'

const CASES: [typed: string, count: number | null][] = [
  ['0', 0],
  ['12', 12],
  [' 12 ', 12],
  ['１２', 12],
  ['1,200', 1_200],
  ['999,999,999', 999_999_999],
  ['2.5', null],
  ['1,5', null],
  ['12,00', null],
  ['-1', null],
  ['+1', null],
  ['1e3', null],
  ['1 2', null],
  ['十', null],
  ['', null],
]
for (const [typed, count] of CASES)
  test(`the count "${typed}" is ${count ?? 'refused, and no other number'}`, () => {
    assert.equal(parseCount(typed), count)
  })

test('what is no count is told apart: below nothing, or not whole', () => {
  assert.deepEqual(
    ['-1', '2.5', '两个'].map(text => notACount('数量', text)),
    ['数量不能为负数', '数量须为整数', '数量须为整数'],
  )
})
