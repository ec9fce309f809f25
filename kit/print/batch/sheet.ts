// Many labels on a sheet of paper: how many fit, where each lies, where it is cut. Lengths are micrometres.
import { calibrated } from '../calibrated.ts'
import { type Box, rectangle, type Scene } from '../scene.ts'
import { type Um, umOfMm } from '../units.ts'

export type SheetSetup = {
  landscape: boolean
  /** Left free at the left and right, at the top and bottom. */
  marginX: Um
  marginY: Um
  /** Between labels. */
  gapX: Um
  gapY: Um
  /** Lines at the edges to cut by. */
  cutMarks: boolean
}

/** Cells are counted from 0, along rows, from the top left. */
export type SheetGrid = {
  width: Um
  height: Um
  across: number
  down: number
  /** How many labels fit. */
  cells: number
  label: { width: Um; height: Um }
  setup: SheetSetup
}

export const A4 = { width: umOfMm(210), height: umOfMm(297) } as const
export const SHEET_SETUP: SheetSetup = {
  ...{ landscape: false, marginX: umOfMm(10), marginY: umOfMm(10) },
  ...{ gapX: umOfMm(2), gapY: umOfMm(2), cutMarks: true },
}
export const SHEET_LIMITS = { margin: umOfMm(50), gap: umOfMm(50) } as const

/** How many of `size` fit into `room`. */
const fitting = (room: Um, size: Um, gap: Um): number =>
  room < size ? 0 : Math.floor((room + gap) / (size + gap))

export function gridOf(label: { width: Um; height: Um }, setup: SheetSetup): SheetGrid {
  const [width, height] = setup.landscape ? [A4.height, A4.width] : [A4.width, A4.height]
  const across = fitting(width - 2 * setup.marginX, label.width, setup.gapX)
  const down = fitting(height - 2 * setup.marginY, label.height, setup.gapY)
  const { width: labelWidth, height: labelHeight } = label
  return {
    ...{ width, height, across, down, cells: across * down, setup },
    label: { width: labelWidth, height: labelHeight },
  }
}

/** Where a cell lies on its sheet. */
export function cellBox({ across, label, setup }: SheetGrid, cell: number): Box {
  const [column, row] = [cell % across, Math.floor(cell / across)]
  return {
    left: setup.marginX + column * (label.width + setup.gapX),
    top: setup.marginY + row * (label.height + setup.gapY),
    ...label,
  }
}

/** Of `labels`, of which the first lies in the cell `start` of the first sheet. */
export const sheetsNeeded = (cells: number, labels: number, start: number): number =>
  cells === 0 || labels === 0 ? 0 : Math.ceil((start + labels) / cells)

/** Which labels lie on a sheet, the end excluded, and in which cell the first. */
export function labelsOnSheet(
  cells: number,
  labels: number,
  start: number,
  sheet: number,
): { from: number; to: number; start: number } {
  const from = Math.max(0, sheet * cells - start)
  const to = Math.min(labels, (sheet + 1) * cells - start)
  return { from, to, start: sheet === 0 ? start : 0 }
}

/** Of a cutting line. */
const MARK = { thick: 100, long: umOfMm(4), off: 500, edge: umOfMm(1) } as const

const edgesOf = (count: number, at: (index: number) => Um, size: Um): Um[] => [
  ...new Set(Array.from({ length: count }, (_, index) => [at(index), at(index) + size]).flat()),
]

/** Lines in the margins, at each edge of each label, as long as the margin has room. */
export function cutMarks(grid: SheetGrid): Box[] {
  if (grid.cells === 0) return []
  const { width, height, across, label } = grid
  const first = cellBox(grid, 0)
  const last = cellBox(grid, grid.cells - 1)
  const xs = edgesOf(across, column => cellBox(grid, column).left, label.width)
  const ys = edgesOf(grid.down, row => cellBox(grid, row * across).top, label.height)
  const reach = (room: Um) => Math.max(0, Math.min(MARK.long, room - MARK.off - MARK.edge))
  const [before, above] = [reach(first.left), reach(first.top)]
  const [right, bottom] = [last.left + label.width, last.top + label.height]
  const [after, below] = [reach(width - right), reach(height - bottom)]
  const half = MARK.thick / 2
  const upright = (left: Um, top: Um, long: Um): Box => ({
    ...{ left: left - half, top, width: MARK.thick, height: long },
  })
  const level = (left: Um, top: Um, long: Um): Box => ({
    ...{ left, top: top - half, width: long, height: MARK.thick },
  })
  return [
    ...xs.flatMap(x => [
      upright(x, first.top - MARK.off - above, above),
      upright(x, bottom + MARK.off, below),
    ]),
    ...ys.flatMap(y => [level(first.left - MARK.off - before, y, before), level(right + MARK.off, y, after)]),
  ].filter(box => box.width > 0 && box.height > 0)
}

/** Labels in the cells from `start` on, as one page. More than fit is a mistake. */
export function sheetScene(grid: SheetGrid, start: number, labels: readonly Scene[]): Scene {
  if (start + labels.length > grid.cells) throw new RangeError('more labels than cells')
  const marks = labels.flatMap((label, at) => {
    const { left, top } = cellBox(grid, start + at)
    const moved = { dots: 24, offsetX: left, offsetY: top, scaleX: 10_000, scaleY: 10_000 } as const
    return calibrated(label, moved).marks
  })
  const cuts = grid.setup.cutMarks ? cutMarks(grid).map(box => rectangle(null, box)) : []
  return { width: grid.width, height: grid.height, marks: [...marks, ...cuts] }
}
