// What the canvas tells the thread that draws over it, and what that answers.
import type { Marks } from '#kit/print/edit/snap.ts'
import type { Box } from '#kit/print/scene.ts'
import type { Way } from '../live.ts'

/** One item that is pulled, in micrometres of the label. `name` is said in place of what draws nothing. */
export type Piece = { paths: readonly string[]; box: Box; faulty: boolean; name: string | null }
export type Pulled = { nth: number; pieces: readonly Piece[]; frame: Box }
/** What can be seen of the canvas, in pixels of the page; `ratio` is how many dots of the screen such a pixel has. */
export type Room = { width: number; height: number; ratio: number }
/** Where the label's corner is, in pixels from that of the room, and how many of them a micrometre has. */
export type Sight = { left: number; top: number; scale: number }
export type Seen = {
  sight: Sight
  label: { width: number; height: number }
  /** How far it is pulled; null leaves it where it is. */
  by: Way | null
  marks: Marks
}
export type Look = { family: string; accent: string }

/** Of the rulers, in pixels. */
export const RULER_PX = 20

export type ToAfloat =
  | { does: 'begin'; canvas: OffscreenCanvas }
  | { does: 'fit'; room: Room }
  | { does: 'pull'; pulled: Pulled; look: Look }
  | { does: 'show'; seen: Seen }
  | { does: 'drop'; nth: number }
/** It is drawn: what lies under it need not be seen any more. */
export type FromAfloat = { pulled: number }
