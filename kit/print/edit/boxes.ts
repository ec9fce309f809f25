// Owns the geometry of the label editor: boxes in micrometres, what holds them all, which of them a rectangle meets.
import type { Box } from '#kit/print/scene.ts'

export type Boxed = { id: string; box: Box }

export const rightOf = ({ left, width }: Box) => left + width
export const bottomOf = ({ top, height }: Box) => top + height

/** The box between two points, whichever comes first. */
export function between(a: { x: number; y: number }, b: { x: number; y: number }): Box {
  return {
    left: Math.min(a.x, b.x),
    top: Math.min(a.y, b.y),
    width: Math.abs(a.x - b.x),
    height: Math.abs(a.y - b.y),
  }
}

export function meets(a: Box, b: Box): boolean {
  return a.left <= rightOf(b) && b.left <= rightOf(a) && a.top <= bottomOf(b) && b.top <= bottomOf(a)
}

/** Who stands under a rectangle that was drawn, in their order. */
export function caught(boxes: readonly Boxed[], area: Box): string[] {
  return boxes.filter(({ box }) => meets(box, area)).map(({ id }) => id)
}

/** Who lies on top at a point; the last one is the front. */
export function topmostAt(boxes: readonly Boxed[], x: number, y: number): string | null {
  const point = { left: x, top: y, width: 0, height: 0 }
  return boxes.findLast(({ box }) => meets(box, point))?.id ?? null
}

/** With `adds`, what was selected stays and what is asked for changes sides. */
export function selectedAfter(
  before: readonly string[],
  asked: readonly string[],
  adds: boolean,
): readonly string[] {
  if (!adds) return asked
  return [...before.filter(id => !asked.includes(id)), ...asked.filter(id => !before.includes(id))]
}

/** The neighbour in the order of reading: by top, then by left. */
export function neighbourOf(boxes: readonly Boxed[], id: string | undefined, step: 1 | -1): string | null {
  const order = [...boxes].sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left)
  if (order.length === 0) return null
  const at = order.findIndex(one => one.id === id)
  if (at < 0) return (step === 1 ? order[0] : order.at(-1))?.id ?? null
  return order[(at + step + order.length) % order.length]?.id ?? null
}
