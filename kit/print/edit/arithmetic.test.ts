// The arithmetic of the label editor: what is selected, drawn to lines, lined up, undone and kept.
import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import { around, type Box } from '#kit/print/scene.ts'
import { ALIGNMENTS, type Alignment, align, distribute, equalGaps, type Moves, reorder } from './align.ts'
import { type Boxed, between, caught, neighbourOf, selectedAfter, topmostAt } from './boxes.ts'
import { begun, changed, historyOf, redone, STEPS_MAX, textOf, undone } from './history.ts'
import { guidesAt, linesOf, nextLine, snapMove, snapStep } from './snap.ts'

const box = (left: number, top: number, width = 10_000, height = 4_000): Box => ({ left, top, width, height })
const LABEL = { width: 80_000, height: 40_000 }
const three: Boxed[] = [
  { id: 'a', box: box(1_000, 1_000) },
  { id: 'b', box: box(20_000, 3_000, 20_000, 8_000) },
  { id: 'c', box: box(50_000, 30_000, 5_000, 2_000) },
]

describe('what is selected', () => {
  test('a rectangle takes what it meets, drawn from any corner', () => {
    for (const [from, to, ids] of [
      [{ x: 0, y: 0 }, { x: 5_000, y: 5_000 }, ['a']],
      [{ x: 25_000, y: 5_000 }, { x: 0, y: 0 }, ['a', 'b']],
      [{ x: 45_000, y: 12_000 }, { x: 49_000, y: 20_000 }, []],
      [{ x: 80_000, y: 40_000 }, { x: 0, y: 0 }, ['a', 'b', 'c']],
    ] as const)
      assert.deepEqual(caught(three, between(from, to)), ids)
  })
  test('of two that lie over each other the front one is met', () => {
    const over = [...three, { id: 'd', box: box(0, 0) }]
    assert.equal(topmostAt(over, 2_000, 2_000), 'd')
    assert.equal(topmostAt(over, 79_000, 39_000), null)
  })
  test('with shift what is asked for changes sides', () => {
    for (const [before, asked, adds, after] of [
      [['a'], ['b'], false, ['b']],
      [['a'], ['b'], true, ['a', 'b']],
      [['a', 'b'], ['b'], true, ['a']],
      [['a'], [], false, []],
    ] as const)
      assert.deepEqual(selectedAfter(before, asked, adds), after)
  })
  test('keys go on in the order of reading and come round', () => {
    for (const [id, step, to] of [
      ['a', 1, 'b'],
      ['c', 1, 'a'],
      ['a', -1, 'c'],
      [undefined, 1, 'a'],
      [undefined, -1, 'c'],
    ] as const)
      assert.equal(neighbourOf(three, id, step), to)
    assert.equal(neighbourOf([], undefined, 1), null)
  })
  test('the box around nothing is none', () => {
    assert.equal(around([]), null)
    assert.deepEqual(around(three.map(one => one.box)), box(1_000, 1_000, 54_000, 31_000))
  })
})

describe('snapping', () => {
  const lines = linesOf(LABEL, [box(20_000, 10_000)])
  const far = { tolerance: 800, grid: 0 }
  test('a box is drawn to the edge or centre that is nearest, each way on its own', () => {
    for (const [by, to] of [
      [
        { dx: 500, dy: 9_700 },
        { dx: 0, dy: 10_000 },
      ],
      [
        { dx: 20_300, dy: 0 },
        { dx: 20_000, dy: 0 },
      ],
      [
        { dx: 34_500, dy: 0 },
        { dx: 35_000, dy: 0 },
      ],
      [
        { dx: 5_000, dy: 3_000 },
        { dx: 5_000, dy: 3_000 },
      ],
    ] as const) {
      const { dx, dy } = snapMove(box(0, 0), by, lines, far)
      assert.deepEqual({ dx, dy }, to)
    }
  })
  test('what it is drawn to is shown as a guide', () => {
    assert.deepEqual(snapMove(box(0, 0), { dx: 20_300, dy: 2_000 }, lines, far).guides, [
      { axis: 'x', at: 20_000 },
      { axis: 'x', at: 25_000 },
      { axis: 'x', at: 30_000 },
    ])
    assert.deepEqual(guidesAt(lines, box(3_000, 5_000)), [])
  })
  test('out of reach of lines it goes to the grid, and without a grid anywhere', () => {
    const at = snapMove(box(0, 0), { dx: 5_400, dy: 3_600 }, lines, { tolerance: 300, grid: 1_000 })
    assert.deepEqual([at.dx, at.dy], [5_000, 4_000])
  })
  test('a step by key stops on a line that it would jump over, and leaves one it stands on', () => {
    for (const [left, step, by] of [
      [19_950, 100, 50],
      [20_000, 100, 100],
      [15_000, 125, 125],
      [20_030, -100, -30],
    ] as const)
      assert.equal(snapStep(box(left, 3_000, 10_000, 4_000), 'x', step, lines), by)
  })
  test('a line between two dots holds nothing up: what stands on the dot beside it has reached it', () => {
    const between = linesOf(LABEL, [box(0, 10_000, 34_120)])
    const drawn = box(34_125, 3_000)
    assert.equal(snapStep(drawn, 'x', -100, between), -100)
    assert.equal(nextLine(drawn, 'x', -1, between), -4_125)
  })
  test('a jump by key goes to the next line, and nowhere behind the last', () => {
    assert.equal(nextLine(box(1_000, 3_000), 'x', 1, lines), 9_000)
    assert.equal(nextLine(box(70_000, 3_000), 'x', 1, linesOf(LABEL, [])), 5_000)
  })
})

const at = (boxes: readonly Boxed[], moves: Moves) =>
  boxes.map(({ id, box: one }) => {
    const { dx, dy } = moves.get(id) ?? { dx: 0, dy: 0 }
    return [one.left + dx, one.top + dy]
  })

describe('lining up', () => {
  test('several go to the box around them, one alone to the label', () => {
    const CASES: Record<Alignment, [number[][], number[]]> = {
      left: [
        [
          [1_000, 1_000],
          [1_000, 3_000],
          [1_000, 30_000],
        ],
        [0, 1_000],
      ],
      center: [
        [
          [23_000, 1_000],
          [18_000, 3_000],
          [25_500, 30_000],
        ],
        [35_000, 1_000],
      ],
      right: [
        [
          [45_000, 1_000],
          [35_000, 3_000],
          [50_000, 30_000],
        ],
        [70_000, 1_000],
      ],
      top: [
        [
          [1_000, 1_000],
          [20_000, 1_000],
          [50_000, 1_000],
        ],
        [1_000, 0],
      ],
      middle: [
        [
          [1_000, 14_500],
          [20_000, 12_500],
          [50_000, 15_500],
        ],
        [1_000, 18_000],
      ],
      bottom: [
        [
          [1_000, 28_000],
          [20_000, 24_000],
          [50_000, 30_000],
        ],
        [1_000, 36_000],
      ],
    }
    for (const how of Object.keys(ALIGNMENTS) as Alignment[]) {
      assert.deepEqual(at(three, align(three, how, LABEL)), CASES[how][0], how)
      assert.deepEqual(at(three.slice(0, 1), align(three.slice(0, 1), how, LABEL))[0], CASES[how][1], how)
    }
  })
  test('centres or gaps become even, the outermost stay', () => {
    assert.deepEqual(at(three, distribute(three, 'x')), [
      [1_000, 1_000],
      [19_250, 3_000],
      [50_000, 30_000],
    ])
    assert.deepEqual(at(three, equalGaps(three, 'x')), [
      [1_000, 1_000],
      [20_500, 3_000],
      [50_000, 30_000],
    ])
    assert.deepEqual(at(three, equalGaps(three, 'y')), [
      [1_000, 1_000],
      [20_000, 13_500],
      [50_000, 30_000],
    ])
    assert.equal(distribute(three.slice(0, 2), 'x').size, 0)
    assert.equal(equalGaps(three.slice(0, 2), 'x').size, 0)
  })
  test('order goes to the ends or past one neighbour', () => {
    const items = [...'abcde'].map(id => ({ id }))
    for (const [ids, how, after] of [
      ['b', 'front', 'acdeb'],
      ['d', 'back', 'dabce'],
      ['b', 'forward', 'acbde'],
      ['bd', 'forward', 'acebd'],
      ['bd', 'backward', 'bdace'],
      ['e', 'forward', 'abcde'],
      ['a', 'backward', 'abcde'],
      ['', 'front', 'abcde'],
    ] as const)
      assert.equal(
        reorder(items, [...ids], how)
          .map(({ id }) => id)
          .join(''),
        after,
        `${ids} ${how}`,
      )
  })
})

type State = { name: string; items: { id: string }[] }
const isState = (value: unknown): value is State => Array.isArray((value as State | null)?.items)

describe('history', () => {
  test('steps are undone and redone, and a new one ends what was undone', () => {
    const two = changed(changed(begun('a'), 'b'), 'c')
    assert.equal(undone(two).now, 'b')
    assert.equal(redone(undone(two)).now, 'c')
    assert.deepEqual(changed(undone(two), 'd').future, [])
    assert.equal(undone(begun('a')).now, 'a')
    assert.equal(redone(two), two)
    assert.equal(changed(two, 'c'), two)
  })
  test('typing is one step until it pauses or goes elsewhere', () => {
    const typed = (steps: readonly (readonly [string, string | null, number])[]) =>
      steps.reduce((one, [next, key, when]) => changed(one, next, { key, at: when }), begun('')).past.length
    assert.equal(
      typed([
        ['a', 'name', 0],
        ['ab', 'name', 300],
        ['abc', 'name', 900],
      ]),
      1,
    )
    assert.equal(
      typed([
        ['a', 'name', 0],
        ['ab', 'name', 9_000],
      ]),
      2,
    )
    assert.equal(
      typed([
        ['a', 'name', 0],
        ['ab', 'size', 100],
      ]),
      2,
    )
    assert.equal(
      typed([
        ['a', null, 0],
        ['ab', null, 0],
      ]),
      2,
    )
  })
  test('no more steps are kept than the limit', () => {
    let long = begun(0)
    for (let at = 1; at <= STEPS_MAX + 20; at++) long = changed(long, at)
    assert.equal(long.past.length, STEPS_MAX)
    assert.equal(long.past[0], 20)
  })
  test('a history comes back from its text as it was, and what steps share is written once', () => {
    const shared = { id: 'shared-by-all' }
    const kept = undone(
      changed(
        changed(begun<State>({ name: 'a', items: [shared] }), { name: 'b', items: [shared, { id: 'x' }] }),
        { name: 'c', items: [shared] },
      ),
    )
    const text = textOf(kept, 10_000)
    assert.deepEqual(historyOf(text, isState), kept)
    assert.equal(text?.split('shared-by-all').length, 2)
  })
  test('a history that is too long loses its oldest steps, and one that is broken is none', () => {
    let long = begun<State>({ name: 'now', items: [] })
    for (let at = 0; at < 60; at++)
      long = changed(long, { name: 'x'.repeat(100), items: [{ id: String(at) }] })
    const back = historyOf(textOf(long, 3_000), isState)
    assert.ok(back && back.past.length > 0 && back.past.length < 60)
    assert.deepEqual(back.past.at(-1), long.past.at(-1))
    assert.equal(textOf(long, 50), null)
    for (const text of [null, '', '{', '{"objects":[],"past":[],"now":3,"future":[]}', '[]'])
      assert.equal(historyOf(text, isState), null)
  })
})
