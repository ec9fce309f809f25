// Equal gaps in the label editor: what a box is drawn to, by mouse and by keys, and what is shown of it.
import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import type { Box } from '#kit/print/scene.ts'
import { gapsAt, gapWays, rowsOf } from './gaps.ts'
import { linesOf, nextLine, snapMove, snapStep } from './snap.ts'

const LABEL = { width: 200_000, height: 200_000 }
/** Boxes of one row: from where to where, in millimetres. */
const row = (...spans: readonly (readonly [number, number])[]): Box[] =>
  spans.map(([from, to]) => ({ left: from * 1_000, top: 10_000, width: (to - from) * 1_000, height: 4_000 }))
const turned = ({ left, top, width, height }: Box): Box => ({
  left: top,
  top: left,
  width: height,
  height: width,
})
const one = (from: number, to: number) => row([from, to])[0] as Box
const sizes = (still: readonly Box[], box: Box) =>
  gapsAt(rowsOf(still), box).map(({ from, to }) => [from, to].map(um => um / 1_000))

type Case = {
  name: string
  still: readonly (readonly [number, number])[]
  box: readonly [number, number]
  /** Millimetres to where its gap is an equal one. */
  ways: readonly number[]
}
const CASES: readonly Case[] = [
  { name: 'alone in its row', still: [], box: [10, 20], ways: [] },
  { name: 'one neighbour has no other gap beside it', still: [[0, 10]], box: [20, 30], ways: [] },
  {
    name: 'behind two: as far from the last as they are from each other',
    still: [
      [0, 10],
      [15, 25],
    ],
    box: [32, 42],
    ways: [-2],
  },
  {
    name: 'before two: the same to the left',
    still: [
      [40, 50],
      [57, 60],
    ],
    box: [20, 30],
    ways: [3],
  },
  {
    name: 'between two: in the middle, which is no gap to copy',
    still: [
      [0, 10],
      [40, 50],
    ],
    box: [16, 26],
    ways: [4],
  },
  {
    name: 'between two that leave too little: nothing',
    still: [
      [0, 10],
      [15, 25],
    ],
    box: [9, 17],
    ways: [],
  },
  {
    name: 'who stands over each other leaves no gap',
    still: [
      [0, 10],
      [8, 20],
      [20, 25],
    ],
    box: [40, 45],
    ways: [],
  },
  {
    name: 'what lies within a longer one does not end it',
    still: [
      [0, 30],
      [2, 4],
      [36, 40],
    ],
    box: [50, 52],
    ways: [-4],
  },
]

describe('equal gaps', () => {
  for (const { name, still, box, ways } of CASES)
    test(`${name}, in rows as in columns`, () => {
      const um = ways.map(mm => mm * 1_000)
      assert.deepEqual(gapWays(rowsOf(row(...still)), one(...box), 'x'), um)
      assert.deepEqual(gapWays(rowsOf(row(...still).map(turned)), turned(one(...box)), 'y'), um)
    })
  test('another row does not count', () => {
    const still = row([0, 10], [15, 25]).map(box => ({ ...box, top: 30_000 }))
    assert.deepEqual(gapWays(rowsOf(still), one(32, 42), 'x'), [])
  })
  test('its own gap and the nearest equal one are shown, or both of its own', () => {
    const three = row([0, 10], [15, 25], [30, 40])
    assert.deepEqual(sizes(three, one(45, 50)), [
      [40, 45],
      [25, 30],
    ])
    assert.deepEqual(sizes(three, one(46, 50)), [])
    assert.deepEqual(sizes(row([0, 10], [30, 40]), one(15, 25)), [
      [10, 15],
      [25, 30],
    ])
    assert.deepEqual(sizes(row([0, 10], [20, 30]), one(10, 20)), [], 'touching is no gap')
  })
  test('a pulled box is drawn to it where no line is nearer', () => {
    const lines = linesOf(LABEL, row([0, 10], [15, 25]))
    const by = { dx: 30_300, dy: 10_000 }
    const at = snapMove(one(0, 7), { ...by, dy: 0 }, lines, { tolerance: 800, grid: 0 })
    assert.deepEqual([at.dx, at.gaps.length], [30_000, 2])
    const far = snapMove(one(0, 7), { ...by, dy: 0 }, lines, { tolerance: 200, grid: 0 })
    assert.deepEqual([far.dx, far.gaps.length], [30_300, 0])
  })
  test('a half of a micrometre does not hide it', () => {
    const still = [one(0, 10), { ...one(30, 40), left: 30_001 }]
    const { dx, gaps } = snapMove(one(15, 25), { dx: 100, dy: 0 }, linesOf(LABEL, still), {
      tolerance: 200,
      grid: 0,
    })
    assert.deepEqual([Math.abs(dx) <= 1, gaps.length], [true, 2])
  })
  test('keys stop on it and jump to it', () => {
    const lines = linesOf(LABEL, row([0, 10], [15, 25]))
    const stands = (left: number) => ({ ...one(0, 7), left })
    assert.equal(snapStep(stands(29_950), 'x', 100, lines), 50)
    assert.equal(nextLine(stands(29_800), 'x', 1, lines), 200)
  })
  test('own guides are lines like the others', () => {
    const own = [
      { axis: 'x', at: 61_000 },
      { axis: 'y', at: 7_000 },
    ] as const
    const { x, y } = linesOf(LABEL, [], own)
    assert.deepEqual(
      [x, y],
      [
        [0, 61_000, 100_000, 200_000],
        [0, 7_000, 100_000, 200_000],
      ],
    )
    assert.deepEqual(
      snapMove(one(0, 7), { dx: 60_700, dy: -2_900 }, linesOf(LABEL, [], own), { tolerance: 400, grid: 0 }),
      { dx: 61_000, dy: -3_000, guides: own, gaps: [] },
    )
  })
})
