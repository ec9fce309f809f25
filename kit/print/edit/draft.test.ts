// What the label designer does to a draft: placed, moved, pulled, copied, undone.
import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import { emptyLabel, LABEL_LIMITS, type LabelItem } from '#kit/print/label.ts'
import { defaultsOf, entryOf } from '#kit/print/label-items.ts'
import { clipped, clipText, pasted } from './clipboard.ts'
import {
  added,
  changedItems,
  type Draft,
  droppedOnSave,
  freeWay,
  isDraft,
  isItem,
  itemName,
  kept,
  mmText,
  moved,
  removed,
  savedLabel,
  spokenPlace,
  withItems,
} from './draft.ts'
import { begun } from './history.ts'
import { handleOf, resized } from './resize.ts'
import { type EditAction, type EditState, edited } from './state.ts'

const item = (key: string, more: Partial<LabelItem> = {}): LabelItem => {
  const entry = entryOf(key)
  assert.ok(entry, key)
  return { ...defaultsOf(entry, more.id ?? key), ...more }
}
const draftOf = (...items: LabelItem[]): Draft => ({
  ...{ name: '价签', industryIds: [] },
  label: { ...emptyLabel(), items },
})
const idsOf = (draft: Draft) => draft.label.items.map(({ id }) => id)

describe('a draft', () => {
  test('takes no more items than a label may have', () => {
    const many = Array.from({ length: LABEL_LIMITS.items - 1 }, (_, at) => item('brand', { id: `b${at}` }))
    const full = added(draftOf(...many), [item('unit'), item('spec')])
    assert.equal(full.label.items.length, LABEL_LIMITS.items)
    assert.equal(added(full, [item('origin')]), full)
  })
  test('puts what is new where nothing stands yet', () => {
    const box = { left: 1_000, top: 1_000, width: 20_000, height: 4_000 }
    const way = (...taken: (typeof box)[]) => freeWay(emptyLabel(), box, taken)
    assert.deepEqual(way(), { dx: 0, dy: 0 })
    assert.deepEqual(way(box), { dx: 0, dy: 4_500 })
    assert.deepEqual(way(box, { ...box, top: 6_000 }), { dx: 0, dy: 9_500 })
    // A code keeps its white free.
    const room = { ...box, top: -1_000, height: 8_000 }
    assert.deepEqual(freeWay(emptyLabel(), box, [box], room), { dx: 0, dy: 6_500 })
    // The column is full: on to the right of it, and where that is full there is no room.
    const column = { ...box, height: 39_000 }
    assert.deepEqual(way(column), { dx: 20_500, dy: 0 })
    assert.deepEqual(way(column, { ...column, left: 22_000, width: 57_000 }), null)
  })
  test('moves and removes all but what is locked', () => {
    const draft = draftOf(item('brand', { left: 5_000 }), item('unit', { locked: true }))
    const all = idsOf(draft)
    const by = moved(draft, new Map(all.map(id => [id, { dx: -9_000, dy: 500 }])))
    assert.deepEqual(
      by.label.items.map(({ left, top }) => [left, top]),
      [
        [0, 1_500],
        [1_000, 1_000],
      ],
    )
    assert.deepEqual(idsOf(removed(draft, all)), ['unit'])
    assert.equal(removed(draft, ['unit']), draft)
    assert.equal(moved(draft, new Map([['brand', { dx: 0, dy: 0 }]])), draft)
  })
  test('keeps a group on the paper, and in reach below it', () => {
    const box = { left: 2_000, top: 3_000, width: 10_000, height: 5_000 }
    for (const [by, way] of [
      [
        { dx: -9_000, dy: -9_000 },
        { dx: -2_000, dy: -3_000 },
      ],
      [
        { dx: 999_000, dy: 999_000 },
        { dx: 78_000, dy: 47_000 },
      ],
      [
        { dx: 10, dy: 20 },
        { dx: 10, dy: 20 },
      ],
    ] as const)
      assert.deepEqual(kept(box, by, emptyLabel()), way)
  })
  test('leaves out on save what begins at or below the lower edge', () => {
    const draft = draftOf(item('brand', { top: 39_999 }), item('unit', { top: 40_000 }))
    assert.deepEqual(
      droppedOnSave(draft.label).map(({ id }) => id),
      ['unit'],
    )
    assert.deepEqual(
      savedLabel(draft.label).items.map(({ id }) => id),
      ['brand'],
    )
  })
  test('is told from what is none', () => {
    assert.ok(isDraft(draftOf()))
    for (const other of [null, 3, {}, { industryIds: [], label: {} }]) assert.ok(!isDraft(other))
    assert.ok(isItem(item('barcode')))
    for (const other of [null, {}, { ...item('brand'), key: 'unheardOf' }, { ...item('brand'), left: '1' }])
      assert.ok(!isItem(other))
  })
  test('says where things are in millimetres', () => {
    assert.equal(mmText(12_500), '12.5')
    assert.equal(mmText(125), '0.13')
    const box = { left: 1_000, top: 2_340, width: 1, height: 1 }
    assert.equal(spokenPlace('条码', box), '条码，左 1 毫米，上 2.34 毫米')
    assert.equal(itemName(item('customText', { title: '促销' })), '促销')
    assert.equal(itemName(item('brand')), '品牌')
  })
})

describe('what can be pulled', () => {
  const box = { left: 0, top: 0, width: 20_000, height: 4_000 }
  test('depends on what it is', () => {
    for (const [one, handle] of [
      [item('barcode'), 's'],
      [item('barcode', { codeDisplay: 3 }), null],
      [item('qrCode'), 'se'],
      [item('washing'), 'se'],
      [item('washing', { washingDisplay: 3 }), 'e'],
      [item('brand'), 'e'],
      [item('brand', { locked: true }), null],
    ] as const)
      assert.equal(handleOf(one), handle)
  })
  test('changes its own size within its limits', () => {
    const by = { dx: 3_030, dy: 2_020 }
    assert.equal(resized(item('barcode'), 's', box, by).barHeight, 12_000)
    assert.equal(resized(item('qrCode'), 'se', box, by).qrSize, 19_800)
    assert.equal(resized(item('washing'), 'se', box, by).iconSize, 8_000)
    assert.equal(resized(item('barcode'), 's', box, { dx: 0, dy: -99_000 }).barHeight, 1_000)
    const text = resized(item('brand'), 'e', box, by)
    assert.deepEqual([text.width, text.fit], [23_030, 'wrap'])
  })
})

describe('the clipboard', () => {
  test('carries items to another template, with ids of their own and beside what stands there', () => {
    const [one, two] = [item('brand'), item('unit', { left: 9_000, locked: true })]
    const taken = clipped(clipText([one, two]), isItem)
    assert.deepEqual(taken, [one, two])
    let made = 0
    const copies = pasted(taken, [one], () => `new${++made}`)
    assert.deepEqual(
      copies.map(({ id, left, top, locked }) => [id, left, top, locked]),
      [
        ['new1', 3_000, 3_000, false],
        ['new2', 11_000, 3_000, false],
      ],
    )
    assert.deepEqual(pasted([one], [], () => 'new')[0], { ...one, id: 'new' })
  })
  test('takes nothing from what is no label', () => {
    for (const text of ['', 'hello', '{}', '[]', '{"format":"label-items","items":[{"left":1}]}'])
      assert.deepEqual(clipped(text, isItem), [])
  })
})

describe('the state of the designer', () => {
  const start = (draft: Draft): EditState => ({ history: begun(draft), selected: [] })
  const after = (state: EditState, ...actions: EditAction[]) => actions.reduce(edited, state)
  test('selects what was added, and nothing that is gone', () => {
    const two = after(start(draftOf(item('brand'))), { do: 'add', items: [item('unit')] })
    assert.deepEqual(two.selected, ['unit'])
    const back = after(two, { do: 'undo' })
    assert.deepEqual([back.selected, idsOf(back.history.now)], [[], ['brand']])
    assert.deepEqual(idsOf(after(back, { do: 'redo' }).history.now), ['brand', 'unit'])
  })
  test('stays as it is where nothing changes', () => {
    const state = start(draftOf(item('brand')))
    assert.equal(after(state, { do: 'change', make: draft => draft }), state)
  })
  test('changes items by their ids', () => {
    const state = after(
      start(draftOf(item('brand'), item('unit'))),
      { do: 'change', make: draft => changedItems(draft, ['unit'], { fontSize: 20 }) },
      { do: 'change', make: draft => withItems(draft, draft.label.items.slice(1)) },
    )
    assert.deepEqual(
      state.history.now.label.items.map(({ fontSize }) => fontSize),
      [20],
    )
    assert.equal(state.history.past.length, 2)
  })
})
