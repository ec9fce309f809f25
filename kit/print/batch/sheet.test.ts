import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Scene } from '../scene.ts'
import { umOfMm } from '../units.ts'
import {
  cellBox,
  cutMarks,
  gridOf,
  labelsOnSheet,
  SHEET_SETUP,
  type SheetSetup,
  sheetScene,
  sheetsNeeded,
} from './sheet.ts'

const size = (width: number, height: number) => ({ width: umOfMm(width), height: umOfMm(height) })
const setup = (
  marginX: number,
  marginY: number,
  gapX: number,
  gapY: number,
  landscape = false,
): SheetSetup => ({
  ...{ landscape, cutMarks: true, marginX: umOfMm(marginX), marginY: umOfMm(marginY) },
  ...{ gapX: umOfMm(gapX), gapY: umOfMm(gapY) },
})

describe('labels on A4', () => {
  test('as many fit as the paper has room for, to the micrometre', () => {
    const cases: [label: [number, number], setup: SheetSetup, across: number, down: number][] = [
      [[80, 40], SHEET_SETUP, 2, 6],
      [[60, 40], SHEET_SETUP, 3, 6],
      [[40, 30], SHEET_SETUP, 4, 8],
      // As sold: 3 × 8 of 70 × 36, no gap; 5 × 13 of 38.1 × 21.2.
      [[70, 36], setup(0, 4.5, 0, 0), 3, 8],
      [[38.1, 21.2], setup(4.7, 10.7, 2.5, 0), 5, 13],
      // Exactly full, and a micrometre too little.
      [[95, 277], setup(10, 10, 0, 0), 2, 1],
      [[95.001, 277], setup(10, 10, 0, 0), 1, 1],
      [[94, 138.5], setup(10, 10, 2, 0), 2, 2],
      [[94.001, 138.501], setup(10, 10, 2, 0), 1, 1],
      [[80, 40], setup(10, 10, 2, 2, true), 3, 4],
      [[210, 297], setup(0, 0, 0, 0), 1, 1],
      [[210, 297], setup(0.001, 0, 0, 0), 0, 1],
      [[100, 300], SHEET_SETUP, 1, 0],
    ]
    for (const [[width, height], given, across, down] of cases) {
      const grid = gridOf(size(width, height), given)
      assert.deepEqual(
        [grid.across, grid.down, grid.cells],
        [across, down, across * down],
        `${width} × ${height}`,
      )
    }
  })

  test('cells lie along rows from the top left, and the last within the margin', () => {
    const grid = gridOf(size(60, 40), SHEET_SETUP)
    const at = (cell: number) => {
      const { left, top } = cellBox(grid, cell)
      return [left / 1_000, top / 1_000]
    }
    assert.deepEqual([0, 2, 3, 17].map(at), [
      [10, 10],
      [134, 10],
      [10, 52],
      [134, 220],
    ])
    const last = cellBox(grid, grid.cells - 1)
    assert.ok(last.left + last.width <= grid.width - SHEET_SETUP.marginX)
    assert.ok(last.top + last.height <= grid.height - SHEET_SETUP.marginY)
  })

  test('a sheet that is begun is used up first', () => {
    const cases: [cells: number, labels: number, start: number, sheets: [number, number, number][]][] = [
      [12, 12, 0, [[0, 12, 0]]],
      [
        12,
        13,
        0,
        [
          [0, 12, 0],
          [12, 13, 0],
        ],
      ],
      [12, 8, 4, [[0, 8, 4]]],
      [
        12,
        9,
        4,
        [
          [0, 8, 4],
          [8, 9, 0],
        ],
      ],
      [12, 1, 11, [[0, 1, 11]]],
      [
        12,
        26,
        11,
        [
          [0, 1, 11],
          [1, 13, 0],
          [13, 25, 0],
          [25, 26, 0],
        ],
      ],
      [
        1,
        2,
        0,
        [
          [0, 1, 0],
          [1, 2, 0],
        ],
      ],
      [12, 0, 3, []],
      [0, 5, 0, []],
    ]
    for (const [cells, labels, start, expected] of cases) {
      const sheets = sheetsNeeded(cells, labels, start)
      const found = Array.from({ length: sheets }, (_, sheet) => labelsOnSheet(cells, labels, start, sheet))
      assert.deepEqual(
        found.map(({ from, to, start: first }) => [from, to, first]),
        expected,
      )
    }
  })

  test('cutting lines stand at every edge, in the margins alone', () => {
    const grid = gridOf(size(60, 40), SHEET_SETUP)
    const lines = cutMarks(grid)
    // Two edges of three columns above and below, two of six rows at both sides.
    assert.equal(lines.length, 2 * 6 + 2 * 12)
    const [first, last] = [cellBox(grid, 0), cellBox(grid, 17)]
    for (const { left, top, width, height } of lines) {
      const isBeside = left + width <= first.left || left >= last.left + last.width
      const isAboveOrBelow = top + height <= first.top || top >= last.top + last.height
      assert.ok(isBeside || isAboveOrBelow)
      assert.ok(left >= 0 && top >= 0 && left + width <= grid.width && top + height <= grid.height)
    }
    // Where labels touch, one line does for both; where the margin is narrow there is none.
    assert.equal(cutMarks(gridOf(size(60, 40), setup(10, 10, 0, 0))).length, 2 * 4 + 2 * 7)
    assert.equal(cutMarks(gridOf(size(210, 297), setup(0, 0, 0, 0))).length, 0)
    assert.equal(cutMarks(gridOf(size(300, 300), SHEET_SETUP)).length, 0)
  })

  test('a page holds each label where its cell is, and no more than there are cells', () => {
    const label: Scene = {
      ...{ width: umOfMm(60), height: umOfMm(40) },
      marks: [
        {
          ...{ kind: 'text', item: null, text: '价', left: 1_000, baseline: 5_000, size: 3_000 },
          ...{ bold: false, underline: null, width: 3_000 },
        },
      ],
    }
    const grid = gridOf(label, { ...SHEET_SETUP, cutMarks: false })
    const { width, height, marks } = sheetScene(grid, 4, [label, label])
    assert.deepEqual([width, height], [210_000, 297_000])
    assert.deepEqual(
      marks.map(mark => mark.kind === 'text' && [mark.left, mark.baseline]),
      [
        [73_000, 57_000],
        [135_000, 57_000],
      ],
    )
    assert.throws(() => sheetScene(grid, 17, [label, label]), RangeError)
  })
})
