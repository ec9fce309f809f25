// Owns snapping: the lines that edges and centres of other things make, and how far a moved box is drawn to them.
import type { Box } from '#kit/print/scene.ts'
import { bottomOf, rightOf } from './boxes.ts'

/** Positions in micrometres, ascending and each once. */
export type Lines = { x: readonly number[]; y: readonly number[] }
export type Guide = { axis: 'x' | 'y'; at: number }
export type Snapped = { dx: number; dy: number; guides: readonly Guide[] }

const unique = (values: readonly number[]) => [...new Set(values.map(Math.round))].sort((a, b) => a - b)

/** Edges and centres of the label and of what stands still. Made once, when a drag begins. */
export function linesOf(label: { width: number; height: number }, still: readonly Box[]): Lines {
  const all = [{ left: 0, top: 0, ...label }, ...still]
  return {
    x: unique(all.flatMap(box => [box.left, box.left + box.width / 2, rightOf(box)])),
    y: unique(all.flatMap(box => [box.top, box.top + box.height / 2, bottomOf(box)])),
  }
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

/** Which lines a box touches, within half a micrometre of rounding. */
export function guidesAt(lines: Lines, box: Box): Guide[] {
  const edges = edgesOf(box)
  return (['x', 'y'] as const).flatMap(axis =>
    lines[axis]
      .filter(line => edges[axis].some(edge => Math.abs(edge - line) <= 1))
      .map(at => ({ axis, at })),
  )
}

/** Where a dragged box comes to: drawn to lines in reach, otherwise to the grid; `grid` 0 is none. */
export function snapMove(
  box: Box,
  by: { dx: number; dy: number },
  lines: Lines,
  { tolerance, grid }: { tolerance: number; grid: number },
): Snapped {
  const moved = { ...box, left: box.left + by.dx, top: box.top + by.dy }
  const edges = edgesOf(moved)
  const toGrid = (start: number) => (grid > 0 ? Math.round(start / grid) * grid - start : 0)
  const dx = by.dx + (nearest(lines.x, edges.x, tolerance) ?? toGrid(moved.left))
  const dy = by.dy + (nearest(lines.y, edges.y, tolerance) ?? toGrid(moved.top))
  const to = { dx: Math.round(dx), dy: Math.round(dy) }
  return { ...to, guides: guidesAt(lines, { ...box, left: box.left + to.dx, top: box.top + to.dy }) }
}

/** A step by key. It stops on a line that it would jump over, so that keys find what the mouse is drawn to. */
export function snapStep(box: Box, axis: 'x' | 'y', step: number, lines: Lines): number {
  const stops = stopsOf(box, axis, Math.sign(step), lines).filter(stop => stop < Math.abs(step))
  return stops.length > 0 ? Math.min(...stops) * Math.sign(step) : step
}

/** How far it is to the next line in a direction; 0 where there is none. */
export function nextLine(box: Box, axis: 'x' | 'y', direction: 1 | -1, lines: Lines): number {
  const stops = stopsOf(box, axis, direction, lines)
  return stops.length > 0 ? Math.min(...stops) * direction : 0
}

function stopsOf(box: Box, axis: 'x' | 'y', direction: number, lines: Lines): number[] {
  return edgesOf(box)
    [axis].flatMap(edge => lines[axis].map(line => (line - edge) * direction))
    .map(Math.round)
    .filter(stop => stop > 1)
}

/** Where an edge that is pulled comes to: drawn to a line in reach, otherwise to a tenth of a millimetre. */
export function snapEdge(edge: number, lines: readonly number[], tolerance: number): number {
  const off = nearest(lines, [edge], tolerance)
  return off === null ? Math.round(edge / 100) * 100 : Math.round(edge + off)
}
