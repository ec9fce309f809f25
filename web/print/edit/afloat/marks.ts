import { mmText } from '#kit/print/edit/draft.ts'
import type { Gap } from '#kit/print/edit/gaps.ts'
import type { Room, Seen, Sight } from './messages.ts'

type Context = OffscreenCanvasRenderingContext2D

const COLOUR = '#d6336c'
const BEYOND_PX = 20
/** Half of the stroke at the end of a gap. */
const END_PX = 4
/** How much is free, in white on the guides' colour. */
const WORDS = { font: '11px system-ui, sans-serif', height: 15, pad: 4, beside: 10, below: 16 }

/** Lines that something is drawn to, and gaps that are equal. */
export function drawMarks(context: Context, { ratio }: Room, { marks, sight, label }: Seen): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.strokeStyle = COLOUR
  context.lineWidth = 1
  context.beginPath()
  for (const { axis, at } of marks.guides) {
    if (axis === 'x') upright(context, atX(sight, at), sight.top, label.height * sight.scale)
    else level(context, sight.left, label.width * sight.scale, atY(sight, at))
  }
  for (const gap of marks.gaps) strokeGap(context, sight, gap)
  context.stroke()
  for (const gap of marks.gaps) fillWords(context, sight, gap)
}

/** On whole pixels of the page a line is sharp. */
const sharp = (px: number) => Math.round(px) + 0.5
const atX = (sight: Sight, um: number) => sharp(sight.left + um * sight.scale)
const atY = (sight: Sight, um: number) => sharp(sight.top + um * sight.scale)

function upright(context: Context, x: number, top: number, length: number): void {
  context.moveTo(x, Math.round(top) - BEYOND_PX)
  context.lineTo(x, Math.round(top + length) + BEYOND_PX)
}

function level(context: Context, left: number, length: number, y: number): void {
  context.moveTo(Math.round(left) - BEYOND_PX, y)
  context.lineTo(Math.round(left + length) + BEYOND_PX, y)
}

/** From neighbour to neighbour, with a stroke across at both ends. */
function strokeGap(context: Context, sight: Sight, { axis, from, to, across }: Gap): void {
  if (axis === 'x') {
    const y = atY(sight, across)
    for (const end of [from, to]) {
      context.moveTo(atX(sight, end), y - END_PX)
      context.lineTo(atX(sight, end), y + END_PX)
    }
    context.moveTo(atX(sight, from), y)
    context.lineTo(atX(sight, to), y)
    return
  }
  const x = atX(sight, across)
  for (const end of [from, to]) {
    context.moveTo(x - END_PX, atY(sight, end))
    context.lineTo(x + END_PX, atY(sight, end))
  }
  context.moveTo(x, atY(sight, from))
  context.lineTo(x, atY(sight, to))
}

function fillWords(context: Context, sight: Sight, { axis, from, to, across }: Gap): void {
  const words = mmText(to - from)
  context.font = WORDS.font
  const width = Math.ceil(context.measureText(words).width) + 2 * WORDS.pad
  const middle = (from + to) / 2
  const [x, y] =
    axis === 'x'
      ? [atX(sight, middle) - width / 2, atY(sight, across) + WORDS.below - WORDS.height / 2]
      : [atX(sight, across) + WORDS.beside, atY(sight, middle) - WORDS.height / 2]
  context.fillStyle = COLOUR
  context.beginPath()
  context.roundRect(Math.round(x), Math.round(y), width, WORDS.height, 3)
  context.fill()
  context.fillStyle = '#fff'
  context.textBaseline = 'middle'
  context.fillText(words, Math.round(x) + WORDS.pad, Math.round(y) + WORDS.height / 2 + 0.5)
}
