import { type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'

const FLYOUT_AFTER_MS = 120
const FLYOUT_STAYS_MS = 200
const EDGE = 8

/** A closed group shows its pages beside it as long as the mouse is there, so that they are one press away. */
export function useFlyout() {
  const [at, setAt] = useState<{ top: number; left: number } | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const panel = useRef<HTMLUListElement>(null)
  const wait = (ms: number, then: () => void) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(then, ms)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  // Low groups: as far up as their pages need.
  useLayoutEffect(() => {
    const beyond = (panel.current?.getBoundingClientRect().bottom ?? 0) + EDGE - innerHeight
    if (at && beyond > 0) setAt({ ...at, top: at.top - beyond })
  }, [at])
  return {
    at,
    panel,
    near: ({ currentTarget, pointerType, movementX, movementY }: PointerEvent) => {
      // What only slid under a mouse at rest is not pointed at.
      if (at || pointerType !== 'mouse' || (movementX === 0 && movementY === 0)) return
      const { top, right } = currentTarget.getBoundingClientRect()
      wait(FLYOUT_AFTER_MS, () => setAt({ top, left: right }))
    },
    enter: () => clearTimeout(timer.current),
    leave: () => wait(FLYOUT_STAYS_MS, () => setAt(null)),
    close: () => {
      clearTimeout(timer.current)
      setAt(null)
    },
  }
}
