import { useSyncExternalStore } from 'react'
import { type Guide, type Marks, NO_MARKS } from '#kit/print/edit/snap.ts'
import type { LabelItem } from '#kit/print/label.ts'
import type { Box } from '#kit/print/scene.ts'

export type Way = { dx: number; dy: number }

/** What is seen while the pointer is down. */
export type Now = {
  by: Way | null
  marquee: Box | null
  marks: Marks
  resized: LabelItem | null
  /** A guide that is on its way; `old` is where it was. */
  guide: Guide | null
  old: Guide | null
}
export const NOTHING_LIVE: Now = {
  ...{ by: null, marquee: null, marks: NO_MARKS, resized: null },
  ...{ guide: null, old: null },
}

/** Outside React's state, so that each part reads what it shows and the canvas is not drawn again with every move. */
export type Live = { get: () => Now; set: (now: Now) => void; watch: (told: () => void) => () => void }

export function makeLive(): Live {
  let now = NOTHING_LIVE
  const watching = new Set<() => void>()
  return {
    get: () => now,
    set: next => {
      now = next
      for (const told of watching) told()
    },
    watch: told => {
      watching.add(told)
      return () => watching.delete(told)
    },
  }
}

export const useLive = <T>(live: Live, part: (now: Now) => T): T =>
  useSyncExternalStore(live.watch, () => part(live.get()))
