// Draws over the canvas in a thread of its own what moves with the pointer: the page itself then has nothing to lay out, draw or put
// together anew with a move, and keeps its frames on a slow machine.
import { beginDrawing } from './drawing.ts'
import type { FromAfloat, ToAfloat } from './messages.ts'

const drawing = beginDrawing()
let told: number | null = null

addEventListener('message', ({ data }: MessageEvent<ToAfloat>) => {
  drawing.take(data)
  const pulled = drawing.paint()
  if (pulled !== null && pulled !== told) postMessage({ pulled } satisfies FromAfloat)
  told = pulled
})
