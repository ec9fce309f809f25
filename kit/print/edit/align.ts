// Owns how several things are lined up: by an edge or a centre, evenly by centres, with equal gaps. Moves in micrometres.
import { around, type Box } from '#kit/print/scene.ts'
import type { Boxed } from './boxes.ts'

export const ALIGNMENTS = {
  left: '左对齐',
  center: '水平居中',
  right: '右对齐',
  top: '顶对齐',
  middle: '垂直居中',
  bottom: '底对齐',
} as const
export type Alignment = keyof typeof ALIGNMENTS

export type Move = { dx: number; dy: number }
export type Moves = ReadonlyMap<string, Move>

const rounded = (dx: number, dy: number): Move => ({ dx: Math.round(dx), dy: Math.round(dy) })

/** One alone is lined up with the label, several with the box around them. */
export function align(
  boxes: readonly Boxed[],
  how: Alignment,
  label: { width: number; height: number },
): Moves {
  const frame = boxes.length > 1 ? around(boxes.map(one => one.box)) : { left: 0, top: 0, ...label }
  if (!frame) return new Map()
  return new Map(boxes.map(({ id, box }) => [id, towards(box, frame, how)]))
}

function towards(box: Box, frame: Box, how: Alignment): Move {
  const spareX = frame.width - box.width
  const spareY = frame.height - box.height
  const x = (share: number) => rounded(frame.left + spareX * share - box.left, 0)
  const y = (share: number) => rounded(0, frame.top + spareY * share - box.top)
  const moves = { left: x(0), center: x(0.5), right: x(1), top: y(0), middle: y(0.5), bottom: y(1) }
  return moves[how]
}

const SIDES = { x: ['left', 'width', 'dx'], y: ['top', 'height', 'dy'] } as const

/** The outermost two stay, the centres between them stand evenly. Needs three. */
export function distribute(boxes: readonly Boxed[], axis: 'x' | 'y'): Moves {
  const [start, size] = SIDES[axis]
  const centreOf = ({ box }: Boxed) => box[start] + box[size] / 2
  const order = [...boxes].sort((a, b) => centreOf(a) - centreOf(b))
  const [first, last] = [order[0], order.at(-1)]
  if (order.length < 3 || !first || !last) return new Map()
  const step = (centreOf(last) - centreOf(first)) / (order.length - 1)
  return movesTo(order, axis, (one, at) => centreOf(first) + step * at - one.box[size] / 2)
}

/** The outermost two stay, and what is free between neighbours becomes the same. Needs three. */
export function equalGaps(boxes: readonly Boxed[], axis: 'x' | 'y'): Moves {
  const [start, size] = SIDES[axis]
  const order = [...boxes].sort((a, b) => a.box[start] - b.box[start] || a.box[size] - b.box[size])
  const frame = around(boxes.map(one => one.box))
  if (order.length < 3 || !frame) return new Map()
  const taken = order.reduce((sum, { box }) => sum + box[size], 0)
  const gap = (frame[size] - taken) / (order.length - 1)
  let at = frame[start]
  const starts = order.map(({ box }) => {
    const here = at
    at += box[size] + gap
    return here
  })
  return movesTo(order, axis, (_one, index) => starts[index] ?? 0)
}

function movesTo(order: readonly Boxed[], axis: 'x' | 'y', to: (one: Boxed, at: number) => number): Moves {
  const [start] = SIDES[axis]
  return new Map(
    order.map((one, at) => {
      const by = Math.round(to(one, at) - one.box[start])
      return [one.id, axis === 'x' ? { dx: by, dy: 0 } : { dx: 0, dy: by }]
    }),
  )
}

/** The order of things, the last in front, after some are brought to the front or sent to the back. */
export function reorder<T extends { id: string }>(
  items: readonly T[],
  ids: readonly string[],
  how: 'front' | 'back' | 'forward' | 'backward',
): T[] {
  const chosen = items.filter(({ id }) => ids.includes(id))
  const others = items.filter(({ id }) => !ids.includes(id))
  if (chosen.length === 0) return [...items]
  if (how === 'front') return [...others, ...chosen]
  if (how === 'back') return [...chosen, ...others]
  const placeOf = new Map(items.map(({ id }, at) => [id, at]))
  const places = chosen.map(({ id }) => placeOf.get(id) ?? 0)
  const edge = how === 'forward' ? Math.max(...places) + 2 : Math.min(...places) - 1
  const under = others.filter(({ id }) => (placeOf.get(id) ?? 0) < edge)
  return [...under, ...chosen, ...others.slice(under.length)]
}
