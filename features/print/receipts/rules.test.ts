import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  itemsOf,
  type Paper,
  type PlacedGroup,
  previewPx,
  type Section,
  withShopName,
} from '#kit/print/receipt.ts'
import { groupsOn } from '#kit/print/receipt-lines.ts'
import { RECEIPT_GROUPS, RECEIPT_SAMPLES } from './reference.ts'
import {
  brokenIn,
  chosenAfterRemoval,
  completed,
  faultsOfReceipt,
  GROUPS_MOST,
  isOutdated,
  moved,
  placedOf,
  placingMessage,
  prepared,
  refusePlacing,
  renewed,
  tagsOf,
  withTag,
} from './rules.ts'

const placed = (groupId: number, section: Section): PlacedGroup => ({
  groupId,
  ...{ name: section, section, items: completed(section, []) },
})

test('tags are divided by commas of either width, and one at the end leaves none', () => {
  const cases: [string, string[]][] = [
    ['', []],
    ['餐饮', ['餐饮']],
    ['餐饮,堂食', ['餐饮', '堂食']],
    ['餐饮，堂食', ['餐饮', '堂食']],
    ['餐饮, 堂食 ，', ['餐饮', '堂食']],
    ['餐饮,', ['餐饮']],
    ['，', []],
  ]
  for (const [text, tags] of cases) assert.deepEqual(tagsOf(text), tags, text)
})

test('groups are found by a part of a tag, and all of them by a blank word', () => {
  const groups = [{ tags: '餐饮,堂食' }, { tags: 'VIP，储值' }, { tags: '' }]
  const cases: [string, number][] = [
    ['', 3],
    ['  ', 3],
    ['餐', 1],
    ['vip', 1],
    ['饮,堂', 0],
    ['无', 0],
  ]
  for (const [word, count] of cases) assert.equal(withTag(groups, word).length, count, word)
})

test('a form breaks its rules in the order of its fields, at their limits', () => {
  const form = {
    name: '基本',
    section: 'basic' as const,
    tags: '',
    remarks: '',
    items: completed('basic', []),
  }
  const cases: [object, string[]][] = [
    [{}, []],
    [{ name: ' ' }, ['GROUP_NAME_REQUIRED']],
    [{ name: '字'.repeat(50), tags: '字'.repeat(100), remarks: '字'.repeat(200) }, []],
    [
      { name: '字'.repeat(51), tags: '字'.repeat(101), remarks: '字'.repeat(201) },
      ['GROUP_NAME_TOO_LONG', 'TAGS_TOO_LONG', 'REMARKS_TOO_LONG'],
    ],
  ]
  for (const [changed, codes] of cases)
    assert.deepEqual(
      brokenIn({ ...form, ...changed }).map(({ code }) => code),
      codes,
    )
})

test('a group holds all items of its section, in its order, with what must be shown', () => {
  const [first, ...rest] = itemsOf('goods')
  assert.ok(first)
  const items = completed('goods', [
    ...rest.map(item => ({ ...item, required: false, checked: false })),
    ...itemsOf('basic'),
    ...rest,
  ])
  assert.equal(items.length, rest.length + 1)
  assert.equal(items.at(-1)?.id, first.id)
  assert.deepEqual(
    items.filter(({ required }) => required).map(({ id }) => id),
    [205, 207, 201],
  )
})

test('a group is put on a sheet once, and that of the bottom on rolls alone', () => {
  const many = Array.from({ length: GROUPS_MOST }, (_, at) => ({ groupId: at + 100 }))
  const cases: [Section, { groupId: number }[], 'ordinary' | 'wide', string | null][] = [
    ['basic', [], 'ordinary', null],
    ['basic', [{ groupId: 1 }], 'ordinary', 'CHOSEN_ALREADY'],
    ['footer', [], 'ordinary', null],
    ['footer', [], 'wide', 'ROLL_ONLY'],
    ['basic', many, 'wide', 'TOO_MANY_GROUPS'],
  ]
  for (const [section, on, sheet, code] of cases)
    assert.equal(refusePlacing({ id: 1, section }, on, sheet), code, `${section} ${sheet}`)
  assert.equal(placingMessage('ROLL_ONLY', '每页底部打印'), '每页底部打印只能放在A5小票模板')
  assert.equal(placingMessage('CHOSEN_ALREADY', '基本信息'), '已选择该板块')
})

test('after one was taken away the first that is left is chosen, or none', () => {
  assert.equal(chosenAfterRemoval([placed(4, 'basic'), placed(2, 'goods')]), 4)
  assert.equal(chosenAfterRemoval([]), null)
})

test('one is moved to the place of another', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 0, 2), ['b', 'c', 'a'])
  assert.deepEqual(moved(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b'])
  assert.deepEqual(moved(['a'], 3, 0), ['a'])
})

describe('a template is kept', () => {
  test('with the name of the store large in the middle, whatever was chosen', () => {
    const items = itemsOf('basic').map(item => ({ ...item, fontSize: 9 as const, alignment: 2 as const }))
    const [group] = withShopName([{ ...placed(1, 'basic'), items }])
    const name = group?.items.find(({ id }) => id === 103)
    assert.deepEqual([name?.fontSize, name?.alignment], [12, 1])
    assert.deepEqual([group?.items[0]?.fontSize, group?.items[0]?.alignment], [9, 2])
    assert.deepEqual([9, 0, 12, 10].map(previewPx), [18, 18, 24, 24])
  })

  test('with a group of the bottom on 210 mm, of which nothing is printed there and which is named', () => {
    const both = [placed(1, 'basic'), placed(2, 'goods'), placed(3, 'footer')]
    const content = prepared({ enableMakeUp: true, ordinary: both, wide: both })
    assert.deepEqual([content.ordinary.length, content.wide.length], [3, 3])
    assert.deepEqual(
      [80, 210].map(paper => groupsOn(content, paper as Paper).length),
      [3, 2],
    )
    const [fault, ...others] = faultsOfReceipt(content)
    assert.match(fault ?? '', /^210mm模板不打印「.+」/)
    assert.deepEqual(others, [])
  })
})

test('what a template lacks is said before it is published', () => {
  const cases: [PlacedGroup[], PlacedGroup[], number][] = [
    [[], [], 1],
    [[placed(1, 'basic'), placed(2, 'goods')], [], 0],
    [[placed(1, 'basic')], [], 1],
    [[placed(1, 'basic'), placed(2, 'goods')], [placed(3, 'payment')], 2],
    [[placed(1, 'basic'), placed(2, 'goods'), placed(2, 'goods')], [], 1],
  ]
  for (const [ordinary, wide, count] of cases)
    assert.equal(faultsOfReceipt({ enableMakeUp: false, ordinary, wide }).length, count)
  for (const { name, content } of RECEIPT_SAMPLES) {
    assert.deepEqual(faultsOfReceipt(content), [], name)
    assert.deepEqual(prepared(content), content, name)
  }
})

test('a template knows that its group was changed, and not when only its own checks were', () => {
  const [group] = RECEIPT_GROUPS
  assert.ok(group)
  const own = placedOf(group)
  const changed = { ...own, items: own.items.map(item => ({ ...item, checked: true })) }
  assert.equal(isOutdated(changed, group), false)
  assert.equal(isOutdated(own, { ...group, name: '别的' }), true)
  const label = group.items.map(item => (item.id === 108 ? { ...item, label: '收银员' } : item))
  assert.equal(isOutdated(own, { ...group, items: label }), true)
})

test('a template that orders items its own way is not behind its group, and keeps its order, checks and logo', () => {
  const group = { ...(RECEIPT_GROUPS[0] as (typeof RECEIPT_GROUPS)[number]), name: '抬头' }
  const taken = placedOf(group)
  const own = {
    ...taken,
    items: taken.items
      .toReversed()
      .map(item => (item.id === 101 ? { ...item, checked: true, picture: 'logo' } : item)),
  }
  assert.equal(isOutdated(own, group), false)
  const changed = {
    ...group,
    name: '新抬头',
    items: group.items.map(item => (item.id === 108 ? { ...item, label: '店员' } : item)),
  }
  assert.equal(isOutdated(own, changed), true)
  const now = renewed(own, changed)
  assert.equal(now.name, '新抬头')
  assert.deepEqual(
    now.items.map(({ id }) => id),
    own.items.map(({ id }) => id),
  )
  assert.equal(now.items.find(({ id }) => id === 108)?.label, '店员')
  assert.deepEqual(
    now.items.filter(({ id }) => id === 101).map(({ checked, picture }) => [checked, picture]),
    [[true, 'logo']],
  )
  assert.equal(isOutdated(now, changed), false)
})
