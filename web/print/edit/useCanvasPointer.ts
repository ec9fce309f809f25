import { type PointerEvent, type RefObject, useRef, useState } from 'react'
import { between, bottomOf, caught, rightOf, selectedAfter, topmostAt } from '#kit/print/edit/boxes.ts'
import { changedItems, kept, moved } from '#kit/print/edit/draft.ts'
import type { Drawn } from '#kit/print/edit/measure.ts'
import { type Handle, resized } from '#kit/print/edit/resize.ts'
import { type Guide, type Lines, linesOf, snapEdge, snapMove } from '#kit/print/edit/snap.ts'
import type { Label, LabelItem } from '#kit/print/label.ts'
import { around, type Box } from '#kit/print/scene.ts'
import type { Editor } from './useEditor.ts'
import type { View } from './useView.ts'

/** What is seen while the pointer is down. */
export type Live = {
  by: Way | null
  marquee: Box | null
  guides: readonly Guide[]
  resized: LabelItem | null
}
export const NOTHING_LIVE: Live = { by: null, marquee: null, guides: [], resized: null }

type Point = { x: number; y: number }
type Way = { dx: number; dy: number }
type Gesture =
  | { kind: 'move'; from: Point; hit: string; ids: readonly string[]; box: Box; lines: Lines; to: Way | null }
  | { kind: 'marquee'; from: Point; before: readonly string[]; adds: boolean }
  | { kind: 'resize'; from: Point; drawn: Drawn; handle: Handle; lines: Lines; to: LabelItem | null }
  | { kind: 'pan'; from: Point; left: number; top: number }

/** Pixels that a hand may shake, and from which an edge is drawn to a line. */
const SHAKE_PX = 3
const REACH_PX = 6

type Props = {
  svg: RefObject<SVGSVGElement | null>
  editor: Editor
  drawn: readonly Drawn[]
  view: View
  snap: { lines: boolean; grid: number }
}

/** What the pointer does on the canvas. Nothing but the dragged groups is touched while it moves. */
export function useCanvasPointer({ svg, editor, drawn, view, snap }: Props) {
  const [live, setLive] = useState<Live>(NOTHING_LIVE)
  const gesture = useRef<Gesture | null>(null)
  const label = editor.draft.label
  const reach = (REACH_PX / view.zoom) * 1_000

  const begin = (event: PointerEvent<SVGSVGElement>) => {
    if (gesture.current) return
    const isPan = event.button === 1 || (event.button === 0 && view.grabs.current)
    if (event.button !== 0 && !isPan) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const at = view.pointAt(event)
    const handle = (event.target as Element).getAttribute('data-handle') as Handle | null
    if (isPan) gesture.current = view.grabbed(event)
    else if (handle) gesture.current = beginResize(handle, at)
    else gesture.current = beginOn(topmostAt(drawn, at.x, at.y), at, event.shiftKey)
  }

  const beginResize = (handle: Handle, from: Point): Gesture | null => {
    const one = drawn.find(({ id }) => id === editor.selected[0])
    return one ? { kind: 'resize', from, drawn: one, handle, lines: linesFor([one.id]), to: null } : null
  }

  const beginOn = (id: string | null, from: Point, adds: boolean): Gesture | null => {
    if (id === null) {
      if (!adds) editor.select([])
      return { kind: 'marquee', from, before: editor.selected, adds }
    }
    const isSelected = editor.selected.includes(id)
    const selected = isSelected && !adds ? editor.selected : selectedAfter(editor.selected, [id], adds)
    if (selected !== editor.selected) editor.select(selected)
    const going = drawn.filter(one => selected.includes(one.id) && !one.item.locked)
    const box = around(going.map(one => one.box))
    if (!box || !selected.includes(id)) return null
    const ids = going.map(one => one.id)
    return { kind: 'move', from, hit: id, ids, box, lines: linesFor(ids), to: null }
  }

  /** Once for a gesture: what it can be drawn to does not move meanwhile. */
  const linesFor = (ids: readonly string[]): Lines => {
    const moving = new Set(ids)
    return linesOf(label, snap.lines ? drawn.filter(({ id }) => !moving.has(id)).map(({ box }) => box) : [])
  }

  const go = (event: PointerEvent<SVGSVGElement>) => {
    const now = gesture.current
    if (!now) return
    if (now.kind === 'pan') return view.drag(event, now)
    const at = view.pointAt(event)
    if (now.kind === 'marquee') return setLive({ ...NOTHING_LIVE, marquee: between(now.from, at) })
    const by = { dx: at.x - now.from.x, dy: at.y - now.from.y }
    if (now.kind === 'resize') {
      now.to = pulled(now, by, event.altKey ? 0 : reach)
      return setLive({ ...NOTHING_LIVE, resized: now.to })
    }
    if (!now.to && Math.hypot(by.dx, by.dy) * (view.zoom / 1_000) <= SHAKE_PX) return
    const to = placeOf(now, by, event.altKey, label, { reach, snap })
    now.to = to
    shift(svg.current, now.ids, to)
    setLive({ ...NOTHING_LIVE, by: to, guides: to.guides })
  }

  const end = (event: PointerEvent<SVGSVGElement>) => {
    const now = gesture.current
    gesture.current = null
    setLive(NOTHING_LIVE)
    if (!now) return
    const at = view.pointAt(event)
    if (now.kind === 'marquee')
      editor.select(selectedAfter(now.adds ? now.before : [], caught(drawn, between(now.from, at)), now.adds))
    if (now.kind === 'move') {
      const { to, hit } = now
      shift(svg.current, now.ids, null)
      if (to) editor.change(draft => moved(draft, new Map(now.ids.map(id => [id, to]))))
      else if (!event.shiftKey && editor.selected.length > 1) editor.select([hit])
    }
    if (now.kind === 'resize' && now.to) {
      const { to } = now
      editor.change(draft => changedItems(draft, [to.id], () => to))
    }
  }

  const cancel = () => {
    if (gesture.current?.kind === 'move') shift(svg.current, gesture.current.ids, null)
    gesture.current = null
    setLive(NOTHING_LIVE)
  }

  return {
    live,
    handlers: { onPointerDown: begin, onPointerMove: go, onPointerUp: end, onPointerCancel: cancel },
  }
}

type Snap = { reach: number; snap: Props['snap'] }

function placeOf(
  { box, lines }: { box: Box; lines: Lines },
  by: Way,
  free: boolean,
  label: Label,
  { reach, snap }: Snap,
) {
  const inside = kept(box, by, label)
  if (free) return { dx: Math.round(inside.dx), dy: Math.round(inside.dy), guides: [] }
  const to = snapMove(box, inside, lines, { tolerance: snap.lines ? reach : 0, grid: snap.grid })
  return { ...to, guides: snap.lines ? to.guides : [] }
}

function pulled(
  { drawn, handle, lines }: { drawn: Drawn; handle: Handle; lines: Lines },
  by: Way,
  reach: number,
): LabelItem {
  const { item, box } = drawn
  const right = snapEdge(rightOf(box) + by.dx, lines.x, reach)
  const foot = snapEdge(bottomOf(box) + by.dy, lines.y, reach)
  return resized(item, handle, box, { dx: right - rightOf(box), dy: foot - bottomOf(box) })
}

/** Moves what is drawn already; null puts it back. */
function shift(svg: SVGSVGElement | null, ids: readonly string[], by: Way | null): void {
  for (const id of ids) {
    const group = svg?.querySelector(`[data-item="${id}"]`)
    if (by) group?.setAttribute('transform', `translate(${by.dx} ${by.dy})`)
    else group?.removeAttribute('transform')
  }
}
