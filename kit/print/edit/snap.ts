// Owns snapping: the lines that edges and centres of other things make, and how far a moved box is drawn to them.
import type { Box } from '#kit/print/scene.ts'
import { bottomOf, rightOf } from './boxes.ts'
import { type Gap, gapsAt, gapWays, type Rows, rowsOf } from './gaps.ts'

/** Positions in micrometres, ascending and each once; and what stands in rows and columns. */
export type Lines = { x: readonly number[]; y: readonly number[]; rows: Rows }
/** A line across the label: `x` stands upright. */
export type Guide = { axis: 'x' | 'y'; at: number }
/** What a box is lined up with. */
export type Marks = { guides: readonly Guide[]; gaps: readonly Gap[] }
export type Snapped = Marks & { dx: number; dy: number }

export const NO_MARKS: Marks = { guides: [], gaps: [] }

const unique = (values: readonly number[]) => [...new Set(values.map(Math.round))].sort((a, b) => a - b)

/** Edges and centres of the label and of what stands still, and own guides. Made once, when a drag begins. */
export function linesOf(
  { width, height }: { width: number; height: number },
  still: readonly Box[],
  own: readonly Guide[] = [],
): Lines {
  const all = [{ left: 0, top: 0, width, height }, ...still].map(edgesOf)
  const along = (axis: 'x' | 'y') => [
    ...all.flatMap(edges => edges[axis]),
    ...own.flatMap(guide => (guide.axis === axis ? [guide.at] : [])),
  ]
  return { x: unique(along('x')), y: unique(along('y')), rows: rowsOf(still) }
}

const edgesOf = (box: Box) => ({
  x: [box.left, box.left + box.width / 2, rightOf(box)],
  y: [box.top, box.top + box.height / 2, bottomOf(box)],
})

/** The first place in an ascending list whose value is not less. */
function placeOf(lines: readonly number[], value: number): number {
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** How far the nearest line is from any of the edges; null where none is near enough. */
function nearest(lines: readonly number[], edges: readonly number[], tolerance: number): number | null {
  let best: number | null = null
  for (const edge of edges) {
    const at = placeOf(lines, edge)
    for (const line of [lines[at - 1], lines[at]]) {
      if (line === undefined) continue
      const off = line - edge
      if (Math.abs(off) <= tolerance && (best === null || Math.abs(off) < Math.abs(best))) best = off
    }
  }
  return best
}

/** Which lines a box touches, within a micrometre of rounding. */
export function guidesAt(lines: Lines, box: Box): Guide[] {
  const edges = edgesOf(box)
  return (['x', 'y'] as const).flatMap(axis =>
    lines[axis]
      .filter(line => edges[axis].some(edge => Math.abs(edge - line) <= 1))
      .map(at => ({ axis, at })),
  )
}

export const marksAt = (lines: Lines, box: Box): Marks => ({
  guides: guidesAt(lines, box),
  gaps: gapsAt(lines.rows, box),
})

/** How far it is to the nearest line or equal gap in reach. A line comes first. */
function drawnBy(lines: Lines, box: Box, axis: 'x' | 'y', tolerance: number): number | null {
  let best = nearest(lines[axis], edgesOf(box)[axis], tolerance)
  for (const way of gapWays(lines.rows, box, axis))
    if (Math.abs(way) <= tolerance && (best === null || Math.abs(way) < Math.abs(best))) best = way
  return best
}

/** Where a dragged box comes to: drawn to lines and equal gaps in reach, otherwise to the grid; `grid` 0 is none. */
export function snapMove(
  box: Box,
  by: { dx: number; dy: number },
  lines: Lines,
  { tolerance, grid }: { tolerance: number; grid: number },
): Snapped {
  const moved = { ...box, left: box.left + by.dx, top: box.top + by.dy }
  const toGrid = (start: number) => (grid > 0 ? Math.round(start / grid) * grid - start : 0)
  const dx = by.dx + (drawnBy(lines, moved, 'x', tolerance) ?? toGrid(moved.left))
  const dy = by.dy + (drawnBy(lines, moved, 'y', tolerance) ?? toGrid(moved.top))
  const to = { dx: Math.round(dx), dy: Math.round(dy) }
  return { ...to, ...marksAt(lines, { ...box, left: box.left + to.dx, top: box.top + to.dy }) }
}

/** A step by key. It stops on a line that it would jump over, so that keys find what the mouse is drawn to. */
export function snapStep(box: Box, axis: 'x' | 'y', step: number, lines: Lines): number {
  const stops = stopsOf(box, axis, Math.sign(step), lines, SEEN_UM).filter(stop => stop < Math.abs(step))
  return stops.length > 0 ? Math.min(...stops) * Math.sign(step) : step
}

/** How far it is to the next line or equal gap in a direction; 0 where there is none. */
export function nextLine(box: Box, axis: 'x' | 'y', direction: 1 | -1, lines: Lines): number {
  const stops = stopsOf(box, axis, direction, lines, HALF_DOT_UM)
  return stops.length > 0 ? Math.min(...stops) * direction : 0
}

/** What is nearer is reached: text stands on whole dots of 203 dpi, lines stand between them, and a key would move nothing. */
const SEEN_UM = 20
const HALF_DOT_UM = 63

function stopsOf(box: Box, axis: 'x' | 'y', direction: number, lines: Lines, least: number): number[] {
  const toLines = edgesOf(box)[axis].flatMap(edge => lines[axis].map(line => line - edge))
  return [...toLines, ...gapWays(lines.rows, box, axis)]
    .map(way => Math.round(way * direction))
    .filter(stop => stop > least)
}

/** Where an edge that is pulled comes to: drawn to a line in reach, otherwise to a tenth of a millimetre. */
export function snapEdge(edge: number, lines: readonly number[], tolerance: number): number {
  const off = nearest(lines, [edge], tolerance)
  return off === null ? Math.round(edge / 100) * 100 : Math.round(edge + off)
}
