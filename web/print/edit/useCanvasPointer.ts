import { type PointerEvent, useEffect, useRef } from 'react'
import { between, bottomOf, caught, rightOf, selectedAfter, topmostAt } from '#kit/print/edit/boxes.ts'
import { changedItems, kept, moved } from '#kit/print/edit/draft.ts'
import type { Drawn } from '#kit/print/edit/measure.ts'
import { type Handle, resized } from '#kit/print/edit/resize.ts'
import {
  type Guide,
  type Lines,
  linesOf,
  type Marks,
  NO_MARKS,
  snapEdge,
  snapMove,
} from '#kit/print/edit/snap.ts'
import type { Label, LabelItem } from '#kit/print/label.ts'
import { around, type Box } from '#kit/print/scene.ts'
import { type Live, NOTHING_LIVE, type Way } from './live.ts'
import type { Editor } from './useEditor.ts'
import type { View } from './useView.ts'

type Point = { x: number; y: number }
type Move = {
  kind: 'move'
  from: Point
  hit: string
  ids: readonly string[]
  box: Box
  lines: Lines
  to: Way | null
  isAfloat: boolean
}
type Gesture =
  | Move
  | { kind: 'marquee'; from: Point; before: readonly string[]; adds: boolean }
  | { kind: 'resize'; from: Point; drawn: Drawn; handle: Handle; lines: Lines; to: LabelItem | null }
  | { kind: 'pan'; from: Point; left: number; top: number }

/** Pixels that a hand may shake, and from which an edge is drawn to a line. */
const SHAKE_PX = 3
export const REACH_PX = 6

type Props = {
  afloat: { pull: (ids: ReadonlySet<string>) => void; drop: () => void }
  editor: Editor
  drawn: readonly Drawn[]
  view: View
  live: Live
  snap: { lines: boolean; grid: number; guides: readonly Guide[] }
}

type Moved = Pick<PointerEvent, 'clientX' | 'clientY' | 'altKey'>

/** What the pointer does on the canvas, once a frame. Nothing is laid out or drawn again while it moves. */
export function useCanvasPointer({ afloat, editor, drawn, view, live, snap }: Props) {
  const gesture = useRef<Gesture | null>(null)
  const label = editor.draft.label
  const reach = (REACH_PX / view.zoom) * 1_000

  const begin = (event: PointerEvent<SVGSVGElement>) => {
    if (gesture.current) return
    const isPan = event.button === 1 || (event.button === 0 && view.grabs.current)
    if (event.button !== 0 && !isPan) return
    event.currentTarget.setPointerCapture(event.pointerId)
    frames.listen()
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
    const chosen = new Set(selected)
    const going = drawn.filter(one => chosen.has(one.id) && !one.item.locked)
    const box = around(going.map(one => one.box))
    if (!box || !chosen.has(id)) return null
    const ids = going.map(one => one.id)
    const move: Move = {
      kind: 'move',
      from,
      hit: id,
      ids,
      box,
      lines: linesFor(ids),
      to: null,
      isAfloat: false,
    }
    // Before the hand moves: with many items it takes longer than a frame.
    requestAnimationFrame(() => {
      if (gesture.current === move && !move.isAfloat) putAfloat(move, { dx: 0, dy: 0 }, NO_MARKS)
    })
    return move
  }

  const putAfloat = (move: Move, by: Way, marks: Marks) => {
    if (!move.isAfloat) afloat.pull(new Set(move.ids))
    move.isAfloat = true
    live.set({ ...NOTHING_LIVE, by, marks })
  }

  /** Once for a gesture: what it can be drawn to does not move meanwhile. */
  const linesFor = (ids: readonly string[]): Lines => {
    const moving = new Set(ids)
    if (!snap.lines) return linesOf(label, [])
    return linesOf(
      label,
      drawn.filter(({ id }) => !moving.has(id)).map(({ box }) => box),
      snap.guides,
    )
  }

  const step = (event: Moved) => {
    const now = gesture.current
    if (!now) return
    if (now.kind === 'pan') return view.drag(event, now)
    const at = view.pointAt(event)
    if (now.kind === 'marquee') return live.set({ ...NOTHING_LIVE, marquee: between(now.from, at) })
    const by = { dx: at.x - now.from.x, dy: at.y - now.from.y }
    if (now.kind === 'resize') {
      now.to = pulled(now, by, event.altKey ? 0 : reach)
      return live.set({ ...NOTHING_LIVE, resized: now.to })
    }
    const pixels = view.zoom / 1_000
    if (!now.to && Math.hypot(by.dx, by.dy) * pixels <= SHAKE_PX) return
    const { dx, dy, ...marks } = placeOf(now, by, event.altKey, label, { reach, snap })
    now.to = { dx, dy }
    putAfloat(now, now.to, marks)
  }
  const frames = useFrames(step)

  const end = (event: PointerEvent<SVGSVGElement>) => {
    frames.flush()
    const now = gesture.current
    stop()
    if (!now) return
    const at = view.pointAt(event)
    if (now.kind === 'marquee')
      editor.select(selectedAfter(now.adds ? now.before : [], caught(drawn, between(now.from, at)), now.adds))
    if (now.kind === 'move') {
      const { to, hit } = now
      if (to) editor.change(draft => moved(draft, new Map(now.ids.map(id => [id, to]))))
      else if (!event.shiftKey && editor.selected.length > 1) editor.select([hit])
    }
    if (now.kind === 'resize' && now.to) {
      const { to } = now
      editor.change(draft => changedItems(draft, [to.id], () => to))
    }
  }

  const stop = () => {
    frames.drop()
    afloat.drop()
    gesture.current = null
    live.set(NOTHING_LIVE)
  }

  return {
    onPointerDown: begin,
    onPointerUp: end,
    onPointerCancel: stop,
    // The middle button would begin the browser's own scrolling.
    onMouseDown: (event: React.MouseEvent) => {
      if (event.button === 1) event.preventDefault()
    },
  }
}

/**
 * The last of many moves of the held pointer, once a frame. They are heard before the page: nobody else there waits for them, and
 * React would look through the whole page for listeners with each.
 */
export function useFrames(step: (event: Moved) => void) {
  const latest = useRef(step)
  latest.current = step
  const asked = useRef<{ event: Moved; frame: number } | null>(null)
  const take = () => {
    const event = asked.current?.event
    asked.current = null
    if (event) latest.current(event)
  }
  const hear = useRef((event: globalThis.PointerEvent | MouseEvent) => {
    event.stopPropagation()
    if (event.type !== 'pointermove') return
    const { clientX, clientY, altKey } = event
    const frame = asked.current?.frame ?? requestAnimationFrame(take)
    asked.current = { event: { clientX, clientY, altKey }, frame }
  }).current
  const drop = () => {
    for (const kind of MOVES) removeEventListener(kind, hear, true)
    if (asked.current) cancelAnimationFrame(asked.current.frame)
    asked.current = null
  }
  const end = useRef(drop)
  end.current = drop
  useEffect(() => () => end.current(), [])
  return {
    listen: () => {
      for (const kind of MOVES) addEventListener(kind, hear, true)
    },
    /** What waits is done now. */
    flush: () => {
      if (asked.current) cancelAnimationFrame(asked.current.frame)
      take()
    },
    drop,
  }
}

const MOVES = ['pointermove', 'mousemove'] as const

type Snap = { reach: number; snap: Props['snap'] }

function placeOf(
  { box, lines }: { box: Box; lines: Lines },
  by: Way,
  free: boolean,
  label: Label,
  { reach, snap }: Snap,
) {
  const inside = kept(box, by, label)
  if (free) return { dx: Math.round(inside.dx), dy: Math.round(inside.dy), ...NO_MARKS }
  const to = snapMove(box, inside, lines, { tolerance: snap.lines ? reach : 0, grid: snap.grid })
  return snap.lines ? to : { dx: to.dx, dy: to.dy, ...NO_MARKS }
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
