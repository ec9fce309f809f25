// Trees of categories, and the papers that they want.
import assert from 'node:assert/strict'
import test from 'node:test'
import { BUILT_IN_LIST } from './reference.ts'
import {
  alternativesOf,
  DOCUMENTED_FIRST_LEVELS,
  isLast,
  lackingOf,
  type OfferedCategory,
  placedOf,
  qualificationNote,
  stepsOf,
  wayTo,
} from './rules.ts'

const category = (
  id: number,
  name: string,
  parent: number,
  papers: readonly (readonly string[])[] = [],
): OfferedCategory => ({
  ...{ id, name, parent, level: parent === 0 ? 1 : 2, children: [], isSensitive: papers.length > 0 },
  papers: papers.map(list => list.map(paper => ({ name: paper, url: null }))),
})
const CATERING = category(1, '餐饮', 0)
const ORDERING = category(2, '点餐平台', 1, [['食品经营许可证'], ['增值电信业务经营许可证', '授权书']])
const QUEUE = category(3, '餐厅排队', 1)
const THIRD = category(4, '取号', 3)
const EMPTY = category(5, '教育', 0)
const LIST = [CATERING, ORDERING, QUEUE, THIRD, EMPTY]

test('one chooses down to the last level, and no first level that has nothing below it', () => {
  assert.deepEqual(stepsOf(LIST), [
    {
      code: '1',
      name: '餐饮',
      children: [
        { code: '2', name: '点餐平台' },
        { code: '3', name: '餐厅排队', children: [{ code: '4', name: '取号' }] },
      ],
    },
  ])
  assert.equal(isLast(LIST, 3), false)
  assert.equal(isLast(LIST, 4), true)
})

test('a way leads from the first level down, and a first level alone is none', () => {
  assert.deepEqual(
    wayTo(LIST, 4)?.map(({ name }) => name),
    ['餐饮', '餐厅排队', '取号'],
  )
  assert.deepEqual(
    wayTo(LIST, 2)?.map(({ id }) => id),
    [1, 2],
  )
  assert.equal(wayTo(LIST, 1), null)
  assert.equal(wayTo(LIST, 99), null)
})

test('what stands under nothing, or under itself, is no part of the tree', () => {
  const broken = [
    ...LIST,
    category(6, '孤儿', 98),
    category(7, '甲', 8),
    category(8, '乙', 7),
    category(9, '', 0),
  ]
  assert.deepEqual(placedOf(broken), LIST)
  assert.equal(wayTo(broken, 7), null)
})

test('the note is the first alternative alone, and all of them can be chosen', () => {
  assert.equal(
    qualificationNote(category(1, '甲', 0, [['办学许可证', '备案证明'], ['批文']])),
    '办学许可证/备案证明',
  )
  assert.equal(qualificationNote(QUEUE), '')
  assert.deepEqual(alternativesOf(ORDERING), [['食品经营许可证'], ['增值电信业务经营许可证', '授权书']])
  assert.deepEqual(alternativesOf(category(1, '甲', 0, [[], ['']])), [])
})

test('the list that is built in is a tree, and says what the documents name beyond it', () => {
  assert.deepEqual(placedOf(BUILT_IN_LIST.categories), BUILT_IN_LIST.categories)
  assert.ok(stepsOf(BUILT_IN_LIST.categories).length > 0)
  assert.equal(DOCUMENTED_FIRST_LEVELS.length, 21)
  const firsts = BUILT_IN_LIST.categories.filter(({ parent }) => parent === 0)
  assert.equal(lackingOf(BUILT_IN_LIST.categories).length, DOCUMENTED_FIRST_LEVELS.length - firsts.length)
})
