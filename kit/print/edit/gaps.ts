// Owns equal gaps: where a box stands as far from its neighbour as two others of the same row or column from each other.
import type { Box } from '#kit/print/scene.ts'

/** What is free between two neighbours, in micrometres along `axis`; `across` is its middle on the other one. */
export type Gap = { axis: 'x' | 'y'; from: number; to: number; across: number }

/** A box seen along one axis: from where to where, and between what it lies on the other one. */
type Span = { from: number; to: number; low: number; high: number }
/** What stands still, in the order of where it begins. Made once, when a pull begins. */
export type Rows = { x: readonly Span[]; y: readonly Span[] }

/** Halves of a micrometre are rounded on both sides. */
const SAME_UM = 2
const AXES = ['x', 'y'] as const
type Axis = (typeof AXES)[number]

const spanOf = ({ left, top, width, height }: Box, axis: Axis): Span =>
  axis === 'x'
    ? { from: left, to: left + width, low: top, high: top + height }
    : { from: top, to: top + height, low: left, high: left + width }

export function rowsOf(still: readonly Box[]): Rows {
  const along = (axis: Axis) => still.map(box => spanOf(box, axis)).sort((a, b) => a.from - b.from)
  return { x: along('x'), y: along('y') }
}

const sizeOf = ({ from, to }: { from: number; to: number }) => to - from
const areSame = (a: number, b: number) => Math.abs(a - b) <= SAME_UM
const overlap = (a: Span, b: Span) => a.low < b.high && b.low < a.high

function gapOf(axis: Axis, a: Span, b: Span): Gap {
  const across = (Math.max(a.low, b.low) + Math.min(a.high, b.high)) / 2
  return { axis, from: a.to, to: b.from, across }
}

/** The row that a box stands in: who is before it, who behind, and what gaps there are between the others. */
function around(rows: Rows, box: Box, axis: Axis) {
  const me = spanOf(box, axis)
  const row = rows[axis].filter(one => overlap(one, me))
  const middle = me.from + me.to
  let before: Span | null = null
  let after: Span | null = null
  let last: Span | null = null
  const others: Gap[] = []
  for (const one of row) {
    const isBefore = one.from + one.to < middle
    if (isBefore && (!before || one.to > before.to)) before = one
    if (!isBefore && (!after || one.from < after.from)) after = one
    // Between the last before it and the first behind it there is the box itself.
    const split = !isBefore && last !== null && last.from + last.to < middle
    if (last && !split && one.from > last.to && overlap(last, one)) others.push(gapOf(axis, last, one))
    if (!last || one.to > last.to) last = one
  }
  return { me, before, after, others }
}

/** The ways along an axis to where its gap would be that of two others, or the same on both sides. */
export function gapWays(rows: Rows, box: Box, axis: Axis): number[] {
  const { me, before, after, others } = around(rows, box, axis)
  const ways: number[] = []
  for (const gap of others) {
    if (before) ways.push(before.to + sizeOf(gap) - me.from)
    if (after) ways.push(after.from - sizeOf(gap) - me.to)
  }
  if (before && after && after.from - before.to > sizeOf(me))
    ways.push((before.to + after.from - sizeOf(me)) / 2 - me.from)
  return ways.map(Math.round)
}

/** Gaps that are equal where a box stands: its own, and the nearest of two others where its own are not a pair. */
export function gapsAt(rows: Rows, box: Box): Gap[] {
  return AXES.flatMap(axis => {
    const { me, before, after, others } = around(rows, box, axis)
    const own = [before && gapOf(axis, before, me), after && gapOf(axis, me, after)].filter(
      gap => gap !== null && sizeOf(gap) > SAME_UM,
    ) as Gap[]
    const [one, two] = own
    if (one && two && areSame(sizeOf(one), sizeOf(two))) return own
    const far = (gap: Gap) => Math.abs(gap.from + gap.to - me.from - me.to)
    return own.flatMap(mine => {
      const [nearest] = others
        .filter(gap => areSame(sizeOf(gap), sizeOf(mine)))
        .sort((a, b) => far(a) - far(b))
      return nearest ? [mine, nearest] : []
    })
  })
}
