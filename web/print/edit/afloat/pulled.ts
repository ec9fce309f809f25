import { bottomOf, rightOf } from '#kit/print/edit/boxes.ts'
import type { Box } from '#kit/print/scene.ts'
import type { Way } from '../live.ts'
import type { Look, Piece, Pulled, Room, Sight } from './messages.ts'

type Context = OffscreenCanvasRenderingContext2D
export type DrawnPulled = { draw: (context: Context, room: Room, sight: Sight, by: Way) => void }

/** Beside what is pulled, in dots: its frame is a line. */
const EDGE = 4
/** Ink is black, and what is marked has the same colours, in both themes: paper is white. */
const INK = '#000'
const FRAME = '#1f5fd6'
const EMPTY = '#6b7583'
const FAULTY = { fill: 'rgb(197 40 47 / 8%)', line: '#c5282f' }

/**
 * Draws what is pulled once, as much of it as can be seen and some more, and from then on puts that picture where the pointer is: on
 * whole dots of the screen, in between it would be blurred.
 */
export function beginPulled({ pieces, frame }: Pulled, look: Look): DrawnPulled {
  const inks = pieces.map(({ paths }) => paths.map(path => new Path2D(path)))
  let kept: { picture: OffscreenCanvas; box: Box; key: string } | null = null
  return {
    draw: (context, { width, height, ratio }, sight, by) => {
      const dots = sight.scale * ratio
      const corner = { x: Math.floor(sight.left * ratio), y: Math.floor(sight.top * ratio) }
      // As the browser has drawn it itself, so that nothing is seen of its being lifted.
      const phase = { x: sight.left * ratio - corner.x, y: sight.top * ratio - corner.y }
      const x = corner.x + Math.round(by.dx * dots)
      const y = corner.y + Math.round(by.dy * dots)
      const whole = aroundDots(frame, dots)
      const seen = { left: -x, top: -y, width: width * ratio, height: height * ratio }
      const needed = common(whole, seen)
      if (!needed) return
      const key = `${dots} ${phase.x} ${phase.y}`
      if (!kept || kept.key !== key || !holds(kept.box, needed)) {
        const box = common(whole, grown(seen)) ?? needed
        const picture = new OffscreenCanvas(Math.ceil(box.width), Math.ceil(box.height))
        const paper = picture.getContext('2d')
        if (!paper) return
        paper.setTransform(dots, 0, 0, dots, phase.x - box.left, phase.y - box.top)
        pieces.forEach((piece, nth) => {
          drawPiece(paper, piece, inks[nth] ?? [], { dots, ratio, look })
        })
        drawFrames(paper, pieces, frame, ratio / dots)
        kept = { picture, box, key }
      }
      context.setTransform(1, 0, 0, 1, 0, 0)
      context.drawImage(kept.picture, x + kept.box.left, y + kept.box.top)
    },
  }
}

function drawPiece(
  paper: Context,
  { box, faulty, name }: Piece,
  inks: readonly Path2D[],
  { dots, ratio, look }: { dots: number; ratio: number; look: Look },
): void {
  const px = ratio / dots
  const { left, top, width, height } = box
  paper.fillStyle = FAULTY.fill
  if (faulty) paper.fillRect(left, top, width, height)
  paper.lineWidth = px
  paper.strokeStyle = faulty ? FAULTY.line : EMPTY
  paper.setLineDash(name === null ? [] : [3 * px, 2 * px])
  if (faulty || name !== null) paper.strokeRect(left, top, width, height)
  paper.setLineDash([])
  paper.fillStyle = INK
  for (const ink of inks) paper.fill(ink)
  if (name === null) return
  paper.fillStyle = EMPTY
  paper.font = `${height * 0.8}px ${look.family}`
  paper.fillText(name, left, bottomOf(box))
}

/** Of each, and of them all. */
function drawFrames(paper: Context, pieces: readonly Piece[], { left, top, width, height }: Box, px: number) {
  paper.strokeStyle = FRAME
  paper.lineWidth = 1.5 * px
  for (const { box } of pieces) paper.strokeRect(box.left, box.top, box.width, box.height)
  if (pieces.length === 1) return
  paper.lineWidth = px
  paper.setLineDash([4 * px, 3 * px])
  paper.strokeRect(left, top, width, height)
  paper.setLineDash([])
}

/** A box of the label in whole dots of the screen, with its edge. */
function aroundDots(box: Box, dots: number): Box {
  const [left, top] = [Math.floor(box.left * dots) - EDGE, Math.floor(box.top * dots) - EDGE]
  const [right, foot] = [Math.ceil(rightOf(box) * dots) + EDGE, Math.ceil(bottomOf(box) * dots) + EDGE]
  return { left, top, width: right - left, height: foot - top }
}

function common(a: Box, b: Box): Box | null {
  const [left, top] = [Math.max(a.left, b.left), Math.max(a.top, b.top)]
  const [width, height] = [Math.min(rightOf(a), rightOf(b)) - left, Math.min(bottomOf(a), bottomOf(b)) - top]
  return width > 0 && height > 0 ? { left, top, width, height } : null
}

const holds = (outer: Box, inner: Box) =>
  outer.left <= inner.left &&
  outer.top <= inner.top &&
  rightOf(outer) >= rightOf(inner) &&
  bottomOf(outer) >= bottomOf(inner)

/** Half as much again on every side, in whole dots: a pull across the screen draws it a few times. */
function grown({ left, top, width, height }: Box): Box {
  const [x, y] = [Math.ceil(width / 2), Math.ceil(height / 2)]
  return { left: left - x, top: top - y, width: width + 2 * x, height: height + 2 * y }
}
