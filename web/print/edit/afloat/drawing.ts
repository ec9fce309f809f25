import type { Way } from '../live.ts'
import { drawMarks } from './marks.ts'
import { type Look, type Pulled, type Room, RULER_PX, type Seen, type ToAfloat } from './messages.ts'
import { beginPulled, type DrawnPulled } from './pulled.ts'

const STRIP_ALPHA = 0.16

type State = {
  canvas: OffscreenCanvas | null
  room: Room
  pulled: { what: Pulled; drawn: DrawnPulled; look: Look } | null
  by: Way
  seen: Seen | null
}

/** What was told, and the canvas with it. */
export function beginDrawing() {
  const state: State = {
    ...{ canvas: null, pulled: null, seen: null },
    ...{ room: { width: 0, height: 0, ratio: 1 }, by: { dx: 0, dy: 0 } },
  }
  return { take: (told: ToAfloat) => take(state, told), paint: () => paint(state) }
}

function take(state: State, told: ToAfloat): void {
  if (told.does === 'begin') state.canvas = told.canvas
  if (told.does === 'fit') fit(state, told.room)
  if (told.does === 'pull') {
    state.pulled = { what: told.pulled, drawn: beginPulled(told.pulled, told.look), look: told.look }
    state.by = { dx: 0, dy: 0 }
  }
  if (told.does === 'show') {
    state.seen = told.seen
    state.by = told.seen.by ?? state.by
  }
  if (told.does === 'drop' && state.pulled?.what.nth === told.nth) state.pulled = null
}

function fit(state: State, room: Room): void {
  state.room = room
  const { canvas } = state
  if (!canvas) return
  canvas.width = Math.round(room.width * room.ratio)
  canvas.height = Math.round(room.height * room.ratio)
}

/** The number of what is pulled and now seen. */
function paint({ canvas, room, pulled, by, seen }: State): number | null {
  const context = canvas?.getContext('2d')
  if (!context) return null
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, context.canvas.width, context.canvas.height)
  if (!seen) return null
  context.save()
  if (pulled) drawStrips(context, room, pulled, { seen, by })
  context.setTransform(room.ratio, 0, 0, room.ratio, 0, 0)
  context.beginPath()
  context.rect(RULER_PX, RULER_PX, room.width, room.height)
  context.clip()
  pulled?.drawn.draw(context, room, seen.sight, by)
  drawMarks(context, room, seen)
  context.restore()
  return pulled?.what.nth ?? null
}

/** Where what is pulled stands along both rulers. */
function drawStrips(
  context: OffscreenCanvasRenderingContext2D,
  { ratio, width, height }: Room,
  { what: { frame }, look }: NonNullable<State['pulled']>,
  { seen: { sight }, by }: { seen: Seen; by: Way },
): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.fillStyle = look.accent
  context.globalAlpha = STRIP_ALPHA
  const strip = (start: number, length: number, end: number) => {
    const from = Math.max(start, RULER_PX)
    return { from, length: Math.max(Math.min(start + length, end) - from, 0) }
  }
  const x = strip(sight.left + (frame.left + by.dx) * sight.scale, frame.width * sight.scale, width)
  const y = strip(sight.top + (frame.top + by.dy) * sight.scale, frame.height * sight.scale, height)
  context.fillRect(x.from, 0, x.length, RULER_PX)
  context.fillRect(0, y.from, RULER_PX, y.length)
  context.globalAlpha = 1
}
